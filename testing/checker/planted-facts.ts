import type { Facts, MessageFact } from './facts.ts';
import { type Happening, type Written, withClock } from './log.ts';

/** A Wednesday, 11:00 in São Paulo. */
export const NOON = Date.parse('2027-08-11T14:00:00Z');
export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
export const PHONE = '+5511988880001';

type Taken = Extract<Happening, { kind: 'message_taken' }>;

export const taken = (id: string, given: Partial<Taken> = {}): Taken => ({
  kind: 'message_taken',
  clientId: 'client',
  channelMessageId: `wamid.${id}`,
  messageId: id,
  to: PHONE,
  form: 'template',
  template: 'quita_first_friendly_v3',
  textHash: `hash of ${id}`,
  ...given,
});

export const messageRow = (id: string, given: Partial<MessageFact> = {}): MessageFact => ({
  id,
  clientId: 'client',
  debtId: 'debt',
  alsoAbout: [],
  direction: 'out',
  purpose: 'collection',
  delivery: 'delivered',
  channelMessageId: `wamid.${id}`,
  handled: false,
  ...given,
});

/** What the ledger has of a contact. */
export const booking = (messageId: string, at: number): Facts['bookings'][number] => ({ messageId, at });

/** The bookings of these messages at the moments at which the channel took them. */
export const bookingsOf = (...lines: readonly Line[]): Facts['bookings'] =>
  lines.flatMap(([at, one]) =>
    one.kind === 'message_taken' && one.messageId !== null ? [booking(one.messageId, at)] : [],
  );

export const imported = (given: Partial<Extract<Happening, { kind: 'debt_imported' }>> = {}): Happening => ({
  kind: 'debt_imported',
  clientId: 'client',
  invoiceId: 'NF-1',
  cpf: '52998224725',
  phone: PHONE,
  amountCentavos: 15_000,
  dueDate: '2027-07-01',
  ...given,
});

/** The clock of the service is real time here, so that `at` of an entry is what the rules see. */
export type Line = readonly [number, Happening];

export const logOf = (...entries: readonly Line[]) =>
  withClock(entries.map(([at, happening]): Written => ({ at, ...happening })));

export const wrote = (
  said: 'opt_out' | 'dispute' | 'question' | 'promise',
  at: number,
  promisedFor = null as string | null,
) =>
  [
    [at, { kind: 'debtor_wrote', clientId: 'client', from: PHONE, channelMessageId: 'in-1', said, promisedFor }],
    [at + 100, { kind: 'message_accepted', clientId: 'client', channelMessageId: 'in-1' }],
  ] as const;

/** One debt that was contacted once, paid by its code, and got its receipt: nothing is wrong with it. */
export const cleanFacts = (): Facts => ({
  log: logOf(
    [NOON - 1_000, imported()],
    [NOON, taken('first')],
    [NOON, { kind: 'charge_made', clientId: 'client', providerPaymentId: '900', reference: 'charge' }],
    [NOON + 5_000, { kind: 'payment_made', clientId: 'client', providerPaymentId: '900', centavos: 15_000 }],
    [NOON + 6_000, { kind: 'notification_accepted', clientId: 'client', providerPaymentId: '900' }],
    [NOON + 7_000, taken('receipt', { form: 'document', template: null })],
    [NOON + 8_000, { kind: 'event_taken', clientId: 'client', eventId: 'event' }],
    [NOON + 9_000, { kind: 'campaign_over' }],
  ),
  debts: [
    {
      id: 'debt',
      clientId: 'client',
      invoiceId: 'NF-1',
      status: 'PAID',
      amountCentavos: 15_000,
      campaignStatus: 'COMPLETED',
    },
  ],
  charges: [
    {
      id: 'charge',
      debtId: 'debt',
      agreementId: null,
      partOf: null,
      providerPaymentId: '900',
      approved: true,
      paidCentavos: 15_000,
      creditedCentavos: 15_000,
      principalCentavos: 15_000,
      duplicate: false,
    },
  ],
  receipts: [
    { debtId: 'debt', chargeId: 'charge', kind: 'settlement', protocol: 'QT-2027-1', drawn: true, revoked: false },
  ],
  messages: [messageRow('first'), messageRow('receipt', { purpose: 'receipt' })],
  bookings: [booking('first', NOON)],
  notifications: [{ chargeId: 'charge', handled: true }],
  outbox: [{ workflowId: 'collection-debt', delivered: true, error: null }],
  events: [{ id: 'event', clientId: 'client' }],
  deliveries: [{ clientId: 'client', eventId: 'event', state: 'delivered' }],
  agreements: [],
  offers: [],
  policies: [],
  workflows: [{ workflowId: 'collection-debt', status: 'COMPLETED', codeFailures: 0, timers: 0 }],
});

type Agreement = Facts['agreements'][number];

/** An agreement about the debt of the clean facts: two instalments, both paid, and kept. */
export const agreement = (given: Partial<Agreement> = {}): Agreement => ({
  id: 'agreed',
  clientId: 'client',
  offerId: 'offered',
  protocol: 'AC-2027-1',
  status: 'COMPLETED',
  totalCentavos: 14_000,
  discountCentavos: 1_000,
  instalments: [
    { number: 1, dueDate: '2027-08-11', amountCentavos: 7_000 },
    { number: 2, dueDate: '2027-09-13', amountCentavos: 7_000 },
  ],
  breachAfterDays: 5,
  afterBreach: 'restore',
  acceptedAt: NOON + 5_000,
  acceptedIn: 'yes',
  endedAt: NOON + 30 * DAY + 3_000,
  debts: [{ debtId: 'debt', centavos: 14_000, owedCentavos: 15_000 }],
  ...given,
});

/** The offer that it has accepted: of the R$ 150,00 of 1 July R$ 10,00 are given up, of R$ 15,00 at most. */
export const offer = (given: Partial<Facts['offers'][number]> = {}): Facts['offers'][number] => {
  const { totalCentavos, discountCentavos, instalments } = agreement();
  return {
    id: 'offered',
    clientId: 'client',
    totalCentavos,
    discountCentavos,
    entryCentavos: 7_000,
    instalments,
    madeOn: '2027-08-11',
    validUntil: '2027-08-14',
    madeBy: 'policy',
    policyVersion: 1,
    debts: [
      {
        debtId: 'debt',
        owedCentavos: 15_000,
        discountCentavos: 1_000,
        originalCentavos: 15_000,
        paidCentavos: 0,
        dueDate: '2027-07-01',
      },
    ],
    ...given,
  };
};

const POLICY: Facts['policies'][number] = {
  clientId: 'client',
  version: 1,
  policy: {
    bands: [{ fromDays: 1, toDays: null, maxDiscountPercent: 10 }],
    discountOn: 'all',
    minEntryPercent: 20,
    minInstalmentCentavos: 2_000,
    maxInstalments: 3,
    maxDaysToFirst: 3,
    holdDays: 3,
  },
};

const paid = (id: string, reference: string, at: number): readonly Line[] => [
  [at - 1_000, { kind: 'charge_made', clientId: 'client', providerPaymentId: id, reference }],
  [at, { kind: 'payment_made', clientId: 'client', providerPaymentId: id, centavos: 7_000 }],
  [at + 1_000, { kind: 'notification_accepted', clientId: 'client', providerPaymentId: id }],
];

const notice = (id: string, kind: 'day_before' | 'due_day' | 'warning', instalment: number) =>
  taken(id, { template: `quita_agreement_${kind}_v1`, told: { kind, instalment } });

/** Accepted by message, paid in two instalments after a notice of the second, and nothing is wrong with it. */
export function keptAgreement(): Facts {
  const facts = cleanFacts();
  const [charge] = facts.charges;
  const ofAgreement = {
    ...charge!,
    agreementId: 'agreed',
    paidCentavos: 7_000,
    creditedCentavos: 0,
    principalCentavos: 0,
  };
  const credited = { paidCentavos: 7_000, creditedCentavos: 7_000, principalCentavos: 7_000 };
  const part = { ...charge!, providerPaymentId: null, ...credited };
  const said = { clientId: 'client', channelMessageId: 'in-1' };
  const answer = { form: 'text', template: null, told: { kind: 'agreed', protocol: 'AC-2027-1' } } as const;
  return {
    ...facts,
    log: logOf(
      [NOON - 1_000, imported()],
      [NOON, taken('first')],
      [NOON + 3_000, { kind: 'debtor_wrote', ...said, from: PHONE, said: 'accept', promisedFor: null }],
      [NOON + 4_000, { kind: 'message_accepted', ...said }],
      [NOON + 6_000, taken('answer', answer)],
      ...paid('901', 'one', NOON + 8_000),
      [NOON + 30 * DAY, notice('told', 'day_before', 2)],
      ...paid('902', 'two', NOON + 30 * DAY + 1_000),
      [NOON + 30 * DAY + 9_000, taken('receipt', { form: 'document', template: null })],
    ),
    charges: [
      { ...ofAgreement, id: 'one', providerPaymentId: '901' },
      { ...ofAgreement, id: 'two', providerPaymentId: '902' },
      { ...part, id: 'part-one', partOf: 'one', approved: false },
      { ...part, id: 'part-two', partOf: 'two' },
    ],
    receipts: [
      { ...facts.receipts[0]!, chargeId: 'one', kind: 'instalment', protocol: 'QT-2027-1' },
      { ...facts.receipts[0]!, chargeId: 'two', kind: 'instalment', protocol: 'QT-2027-2' },
      { ...facts.receipts[0]!, chargeId: 'part-two', protocol: 'QT-2027-3' },
    ],
    messages: [
      ...facts.messages,
      messageRow('yes', { direction: 'in', purpose: null, channelMessageId: 'in-1', handled: true }),
      messageRow('answer', { purpose: 'reply' }),
      messageRow('told', { purpose: 'agreement' }),
    ],
    bookings: [...facts.bookings, booking('told', NOON + 30 * DAY)],
    notifications: ['one', 'two'].map((chargeId) => ({ chargeId, handled: true })),
    events: [],
    deliveries: [],
    agreements: [agreement()],
    offers: [offer()],
    policies: [POLICY],
    workflows: [
      ...facts.workflows,
      { workflowId: 'agreement-agreed', status: 'COMPLETED', codeFailures: 0, timers: 0 },
    ],
  };
}

/** Only the first instalment was paid; the agreement was broken at that moment, after these messages. */
export function brokenAgreement(endedAt: number, ...lines: readonly Line[]): Facts {
  const facts = keptAgreement();
  const until = facts.log.filter(({ at }) => at < NOON + DAY);
  const told = lines.flatMap(([, one]) => (one.kind === 'message_taken' ? [one.messageId ?? ''] : []));
  return {
    ...facts,
    log: [...until, ...logOf(...lines)],
    debts: facts.debts.map((debt) => ({ ...debt, status: 'IN_COLLECTION' })),
    charges: facts.charges.filter(({ id }) => id === 'one' || id === 'part-one'),
    receipts: facts.receipts.slice(0, 1),
    messages: [
      ...facts.messages.filter(({ id }) => id !== 'told' && id !== 'receipt'),
      ...told.map((id) => messageRow(id, { purpose: 'agreement' })),
    ],
    bookings: [...facts.bookings.filter(({ messageId }) => messageId !== 'told'), ...bookingsOf(...lines)],
    agreements: [agreement({ status: 'BROKEN', endedAt })],
    workflows: [
      { workflowId: 'collection-debt', status: 'RUNNING', codeFailures: 0, timers: 1 },
      ...facts.workflows.slice(1),
    ],
  };
}

export const warned = (id: string, at: number, kind: 'due_day' | 'warning' = 'warning'): Line => [
  at,
  notice(id, kind, 2),
];
