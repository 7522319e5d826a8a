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
      providerPaymentId: '900',
      approved: true,
      paidCentavos: 15_000,
      duplicate: false,
    },
  ],
  receipts: [{ debtId: 'debt', chargeId: 'charge', protocol: 'QT-2027-1', drawn: true, revoked: false }],
  messages: [messageRow('first'), messageRow('receipt', { purpose: 'receipt' })],
  notifications: [{ chargeId: 'charge', handled: true }],
  outbox: [{ workflowId: 'collection-debt', delivered: true, error: null }],
  events: [{ id: 'event', clientId: 'client' }],
  deliveries: [{ clientId: 'client', eventId: 'event', state: 'delivered' }],
  workflows: [{ workflowId: 'collection-debt', status: 'COMPLETED', codeFailures: 0 }],
});
