import { describe, expect, it } from '@jest/globals';
import { check, RULES } from './check.ts';
import type { Facts } from './facts.ts';
import {
  agreement,
  booking,
  bookingsOf,
  brokenAgreement,
  cleanFacts,
  DAY,
  HOUR,
  imported,
  keptAgreement,
  type Line,
  logOf,
  messageRow,
  NOON,
  offer,
  PHONE,
  taken,
  warned,
  wrote,
} from './planted-facts.ts';

const clean = cleanFacts();
const brokenRules = (facts: Facts): string[] => [...new Set(check(facts).map(({ rule }) => rule))].sort();

const add = (...entries: readonly Line[]): Facts['log'] => [...clean.log, ...logOf(...entries)];
/** Other messages than the two of the clean facts, each with its row in the database. */
const sent = (log: Facts['log'], ...ids: string[]): Partial<Facts> => ({
  log,
  messages: [...clean.messages, ...ids.map((id) => messageRow(id))],
  bookings: [...clean.bookings, ...ids.map((id) => booking(id, NOON))],
});
/** The debt of the clean facts is not paid, and its debtor was contacted at these moments. */
const unpaid = (status: string, ...entries: readonly Line[]): Facts => ({
  ...clean,
  log: logOf([NOON - DAY, imported()], ...entries),
  debts: clean.debts.map((debt) => ({ ...debt, status })),
  charges: [],
  receipts: [],
  notifications: [],
  bookings: bookingsOf(...entries),
  messages: [
    ...entries.flatMap(([, entry]) => (entry.kind === 'message_taken' ? [messageRow(entry.messageId ?? '')] : [])),
    ...entries.flatMap(([, entry]) =>
      entry.kind === 'message_accepted'
        ? [
            messageRow('in', {
              direction: 'in',
              purpose: null,
              channelMessageId: entry.channelMessageId,
              handled: true,
            }),
          ]
        : [],
    ),
  ],
  events: [],
  deliveries: [],
});
const running = { workflows: [{ workflowId: 'collection-debt', status: 'RUNNING', codeFailures: 0, timers: 0 }] };
const at = (local: string): number => Date.parse(`${local}-03:00`);
const contacts = (...moments: number[]) =>
  moments.map((moment, index) => [moment, taken(`m${index}`)] as const satisfies Line);

const kept = keptAgreement();
const after = (...lines: readonly Line[]): Facts => ({
  ...kept,
  log: [...kept.log, ...logOf(...lines)],
  messages: [
    ...kept.messages,
    ...lines.flatMap(([, one]) =>
      one.kind === 'message_taken' ? [messageRow(one.messageId ?? '', { purpose: 'agreement' })] : [],
    ),
  ],
  bookings: [...kept.bookings, ...bookingsOf(...lines)],
});
/** The warning of a Thursday and the breach on the Wednesday after it: three business days lie between. */
const WARNED = at('2027-09-16T11:00:00');
const BROKEN = at('2027-09-22T11:00:00');

const noticeOf = (instalment: number, moment: number): Facts =>
  after([moment, taken('notice', { told: { kind: 'due_day', instalment } })]);
const runningOn = {
  workflows: [
    ...kept.workflows.slice(0, 1),
    { workflowId: 'agreement-agreed', status: 'RUNNING', codeFailures: 0, timers: 1 },
  ],
};

const UPCOMING = { invoiceId: 'NF-2', dueDate: '2027-08-14' };
/** A reminder of the clean facts' debt, whose campaign reminds three days before the due date and on it. */
const reminded = (
  moment: number,
  dueDate: string,
  told: Parameters<typeof taken>[1] = {},
  reminders: readonly number[] = [3, 0],
  ...more: readonly Line[]
): Facts => {
  const line: Line = [moment, taken('a', { template: 'quita_before_due_v1', ...told })];
  const facts = unpaid('QUEUED', ...more, line);
  return {
    ...facts,
    ...running,
    log: logOf([NOON - DAY, imported({ dueDate, reminders })], ...more, line),
    messages: facts.messages.map((row) => (row.id === 'a' ? { ...row, purpose: 'reminder' } : row)),
  };
};

const INSTALMENT = { number: 1, dueDate: '2027-08-11', amountCentavos: 7_001 };
const withAgreement = (given: Parameters<typeof agreement>[0]): Facts => ({ ...kept, agreements: [agreement(given)] });
/** The offer is not the one of the agreement, so that only it is wrong. */
const withOffer = (given: Parameters<typeof offer>[0]): Facts => ({
  ...kept,
  offers: [...kept.offers, offer({ id: 'other', ...given })],
});
const creditedOf = (charge: string, centavos: number): Facts => ({
  ...kept,
  charges: kept.charges.map((one) =>
    one.id === charge ? { ...one, creditedCentavos: centavos, principalCentavos: centavos } : one,
  ),
});

const PLANTED: Readonly<Record<string, readonly (readonly [string, Facts, readonly string[]])[]>> = {
  noDebtLost: [
    ['an imported debt has no row', { ...clean, log: add([NOON, imported({ invoiceId: 'NF-2' })]) }, []],
    ['a debt is stored twice', { ...clean, debts: [...clean.debts, ...clean.debts] }, []],
    ['a live debt has no workflow', unpaid('IN_COLLECTION', [NOON, taken('a')]), []],
    ['a debt waits after the last day', { ...unpaid('QUEUED', [NOON, { kind: 'campaign_over' }]), ...running }, []],
  ],
  everyDebtEndsForAReason: [
    ['a debtor opted out and the debt is given up', unpaid('EXHAUSTED', ...wrote('opt_out', NOON)), []],
    ['a debt was given up early', unpaid('EXHAUSTED', [NOON, taken('a')]), []],
    ['a debt is stopped without a reason', unpaid('STOPPED', [NOON, taken('a')]), []],
  ],
  contactsInsideHours: [
    ['at 19:00', { ...unpaid('IN_COLLECTION', ...contacts(at('2027-08-11T19:00:00'))), ...running }, []],
    [
      'a free notice of an instalment at 20:00',
      brokenAgreement(BROKEN, warned('a', WARNED), [
        at('2027-09-14T20:00:00'),
        taken('b', { form: 'text', template: null, told: { kind: 'due_day', instalment: 2 } }),
      ]),
      [],
    ],
    ['on a Saturday', { ...unpaid('IN_COLLECTION', ...contacts(at('2027-08-14T11:00:00'))), ...running }, []],
    ['on a holiday', { ...unpaid('IN_COLLECTION', ...contacts(at('2027-09-07T11:00:00'))), ...running }, []],
    [
      'at 8:30 of Amazonas',
      {
        ...unpaid('IN_COLLECTION', [at('2027-08-11T09:30:00'), taken('a', { to: '+5592988880001' })]),
        ...running,
      },
      [],
    ],
  ],
  contactsWithinCaps: [
    ['two on one day', { ...unpaid('IN_COLLECTION', ...contacts(NOON, NOON + 2 * HOUR)), ...running }, []],
    [
      'four in 168 hours, ends included',
      { ...unpaid('IN_COLLECTION', ...contacts(NOON, NOON + DAY, NOON + 2 * DAY, NOON + 7 * DAY)), ...running },
      [],
    ],
    [
      'two clients on one day',
      {
        ...unpaid('IN_COLLECTION', [NOON, taken('a')], [NOON + HOUR, taken('b', { clientId: 'other' })]),
        ...running,
      },
      [],
    ],
  ],
  noContactTwice: [
    [
      'the channel took one message twice',
      {
        ...unpaid('IN_COLLECTION', [NOON, taken('a')], [NOON + DAY, taken('a', { channelMessageId: 'wamid.again' })]),
        ...running,
        messages: [messageRow('a')],
        bookings: [booking('a', NOON)],
      },
      [],
    ],
    [
      'the same text on the next day',
      {
        ...unpaid(
          'IN_COLLECTION',
          [NOON, taken('a', { textHash: 'same' })],
          [NOON + DAY, taken('b', { textHash: 'same' })],
        ),
        ...running,
      },
      [],
    ],
    [
      'more contacts than a sequence has',
      {
        ...unpaid('IN_COLLECTION', ...contacts(...[0, 5, 7, 12, 14, 19, 21].map((days) => NOON + days * DAY))),
        ...running,
      },
      [],
    ],
  ],
  noContactAfterOptOut: [
    ['a day after PARAR', unpaid('OPTED_OUT', ...wrote('opt_out', NOON), [NOON + DAY, taken('a')]), []],
  ],
  noContactDuringDispute: [
    ['a day after the dispute', unpaid('DISPUTED', ...wrote('dispute', NOON), [NOON + DAY, taken('a')]), []],
  ],
  noContactDuringPromise: [
    [
      'on the promised day',
      {
        ...unpaid('PROMISED', ...wrote('promise', NOON, '2027-08-13'), [NOON + 2 * DAY, taken('a')]),
        ...running,
      },
      [],
    ],
  ],
  noContactBeforeDue: [
    [
      'on the due date',
      {
        ...unpaid('IN_COLLECTION', [NOON, taken('a')]),
        ...running,
        log: logOf([NOON - DAY, imported({ dueDate: '2027-08-11' })], [NOON, taken('a')]),
      },
      [],
    ],
    ['a reminder of what is due already', reminded(NOON, '2027-08-10'), ['remindersOnlyRemind']],
    [
      'of two bills in one message one is not due',
      {
        ...unpaid('IN_COLLECTION', [NOON, taken('a')]),
        ...running,
        log: logOf([NOON - DAY, imported()], [NOON - DAY, imported(UPCOMING)], [NOON, taken('a')]),
        debts: [
          { ...clean.debts[0]!, status: 'IN_COLLECTION' },
          { ...clean.debts[0]!, id: 'later', invoiceId: 'NF-2', status: 'IN_COLLECTION' },
        ],
        messages: [messageRow('a', { alsoAbout: ['later'] })],
        workflows: ['debt', 'later'].map((id) => ({ ...running.workflows[0]!, workflowId: `collection-${id}` })),
      },
      [],
    ],
  ],
  remindersOnlyRemind: [
    ['it speaks of debt', reminded(NOON, '2027-08-14', { speaksOfDebt: true }), []],
    ['it comes on a day that nobody has chosen', reminded(NOON, '2027-08-13'), []],
    ['the campaign has no reminders', reminded(NOON, '2027-08-14', {}, []), []],
    ['the product takes it for a collection', { ...reminded(NOON, '2027-08-14'), messages: [messageRow('a')] }, []],
  ],
  everyContactIsBooked: [
    ['the ledger has no booking', { ...clean, bookings: [] }, []],
    ['it was booked an hour after it was sent', { ...clean, bookings: [booking('first', NOON + HOUR)] }, []],
  ],
  noContactAfterPayment: [
    ['a day after the notification', { ...clean, ...sent(add([NOON + DAY, taken('a')]), 'a') }, []],
  ],
  noReplyWithoutMessage: [
    [
      'an answer to nobody',
      {
        ...clean,
        log: add([NOON + HOUR, taken('a', { form: 'text', template: null })]),
        messages: [...clean.messages, messageRow('a', { purpose: 'reply' })],
      },
      [],
    ],
  ],
  messagesAreAsTheChannelSaysThem: [
    ['a message without a row', { ...clean, log: add([NOON + DAY, taken('a', { form: 'document' })]) }, []],
    ['a sent one that was never taken', { ...clean, messages: [...clean.messages, messageRow('a')] }, []],
    [
      'a failed one that was taken',
      {
        ...clean,
        messages: [messageRow('first', { delivery: 'failed' }), messageRow('receipt', { purpose: 'receipt' })],
      },
      [],
    ],
  ],
  everyPaymentSettledOnce: [
    [
      'a payment is lost',
      { ...clean, charges: clean.charges.map((one) => ({ ...one, approved: false })) },
      ['everySettlementHasOneReceipt'],
    ],
    [
      'a payment counts twice',
      {
        ...clean,
        log: add([NOON, { kind: 'payment_made', clientId: 'client', providerPaymentId: '901', centavos: 15_000 }]),
        charges: [...clean.charges, { ...clean.charges[0]!, id: 'second', providerPaymentId: '901' }],
        receipts: [...clean.receipts, { ...clean.receipts[0]!, chargeId: 'second', protocol: 'QT-2027-2' }],
      },
      [],
    ],
    [
      'another amount is settled',
      { ...clean, charges: clean.charges.map((one) => ({ ...one, paidCentavos: 14_999 })) },
      [],
    ],
  ],
  everySettlementHasOneReceipt: [
    ['no receipt', { ...clean, receipts: [] }, []],
    ['two receipts', { ...clean, receipts: [...clean.receipts, { ...clean.receipts[0]!, protocol: 'QT-2027-2' }] }, []],
  ],
  noReceiptSentTwice: [
    [
      'the receipt was sent twice',
      {
        ...clean,
        log: add([NOON + HOUR, taken('again', { form: 'document', template: null })]),
        messages: [...clean.messages, messageRow('again', { purpose: 'receipt' })],
      },
      [],
    ],
    [
      'the receipt was never sent',
      {
        ...clean,
        log: clean.log.filter((one) => one.kind !== 'message_taken' || one.messageId !== 'receipt'),
        messages: [messageRow('first')],
      },
      [],
    ],
  ],
  noWorkflowFailed: [
    [
      'a workflow failed',
      { ...clean, workflows: [{ workflowId: 'collection-debt', status: 'FAILED', codeFailures: 0, timers: 0 }] },
      [],
    ],
    [
      'the code of a workflow failed',
      { ...clean, workflows: [{ workflowId: 'collection-debt', status: 'COMPLETED', codeFailures: 1, timers: 0 }] },
      [],
    ],
  ],
  nothingIncomingUnhandled: [
    [
      'an accepted message is not stored',
      { ...clean, log: add([NOON, { kind: 'message_accepted', clientId: 'client', channelMessageId: 'in-9' }]) },
      [],
    ],
    ['a notification is not handled', { ...clean, notifications: [{ chargeId: 'charge', handled: false }] }, []],
    ['a notification is not stored', { ...clean, notifications: [] }, []],
    ['work stays in the outbox', { ...clean, outbox: [{ workflowId: 'w', delivered: false, error: null }] }, []],
  ],
  noEventUndelivered: [
    ['a delivery waits', { ...clean, deliveries: [{ clientId: 'client', eventId: 'event', state: 'pending' }] }, []],
    ['the receiver got nothing', { ...clean, log: clean.log.filter(({ kind }) => kind !== 'event_taken') }, []],
  ],
  agreementMoneyIsCredited: [
    [
      'a debt got a centavo less than was paid',
      { ...kept, charges: kept.charges.map((one) => (one.id === 'part-one' ? { ...one, paidCentavos: 6_999 } : one)) },
      [],
    ],
  ],
  noNoticeOfPaidInstalment: [['the first was paid a month before', noticeOf(1, NOON + 29 * DAY), []]],
  noNoticeTwice: [
    ['a warning comes again', brokenAgreement(BROKEN, warned('a', WARNED - 2 * DAY), warned('b', WARNED)), []],
  ],
  noBreachWithoutWarning: [
    ['nobody was warned', brokenAgreement(BROKEN), []],
    ['two business days after the warning', brokenAgreement(BROKEN - DAY, warned('a', WARNED)), []],
    ['it was broken on a Saturday', brokenAgreement(BROKEN + 3 * DAY, warned('a', WARNED)), []],
  ],
  keptAgreementIsOver: [
    ['a debt is without its Termo', { ...kept, receipts: kept.receipts.slice(0, 2) }, ['everySettlementHasOneReceipt']],
    ['it is collected afterwards', after([NOON + 40 * DAY, taken('late')]), []],
  ],
  everyAgreementIsFollowed: [
    ['it has no workflow', { ...kept, workflows: kept.workflows.slice(0, 1) }, []],
    ['its workflow outlives it', { ...kept, ...runningOn }, []],
  ],
  everyAcceptanceAnsweredOnce: [
    ['nobody has accepted', { ...kept, agreements: [agreement({ acceptedIn: null })] }, []],
    [
      'the answer never came',
      { ...kept, log: kept.log.filter((one) => one.kind !== 'message_taken' || one.messageId !== 'answer') },
      ['messagesAreAsTheChannelSaysThem'],
    ],
  ],
  agreedAmountsStay: [
    [
      'an instalment has another amount',
      withAgreement({ instalments: [INSTALMENT, { ...INSTALMENT, number: 2 }] }),
      [],
    ],
    ['the discount has become smaller', withAgreement({ discountCentavos: 900 }), []],
    ['nobody has offered it', { ...kept, offers: [] }, []],
  ],
  offersAreWithinPolicy: [
    ['a debt is given up a centavo more', withOffer({ debts: [{ ...offer().debts[0]!, owedCentavos: 9_999 }] }), []],
    ['it is later than the bands', withOffer({ madeOn: '2027-06-30' }), []],
    ['the entry is too small', withOffer({ entryCentavos: 2_799 }), []],
    ['it can be accepted too long', withOffer({ validUntil: '2027-08-15' }), []],
    ['its policy is unknown', { ...kept, policies: [] }, []],
  ],
  nothingIsGivenUpBeyondAgreed: [
    ['a kept agreement has taken more than its share', creditedOf('part-two', 7_001), []],
    ['a debt is PAID with a centavo less', creditedOf('part-two', 6_999), []],
    [
      'the whole debt is paid after a breach, and collected',
      {
        ...brokenAgreement(BROKEN, warned('a', WARNED)),
        charges: creditedOf('part-one', 15_000).charges.filter(({ id }) => id === 'one' || id === 'part-one'),
      },
      [],
    ],
  ],
};

describe('the checker of a chaos run', () => {
  it('finds nothing in clean facts', () => expect(check(clean)).toEqual([]));

  it('finds nothing in an agreement that was kept, nor in one that was broken after a warning', () => {
    expect(check(kept)).toEqual([]);
    expect(check(brokenAgreement(BROKEN, warned('a', WARNED)))).toEqual([]);
  });

  it('has planted facts for every rule', () =>
    expect(Object.keys(PLANTED).sort()).toEqual(RULES.map(({ name }) => name).sort()));

  for (const [rule, cases] of Object.entries(PLANTED)) {
    describe(rule, () => {
      it.each(cases.map(([what, facts, others]) => ({ what, facts, others })))(
        'is broken when $what',
        ({ facts, others }) => expect(brokenRules(facts)).toEqual([rule, ...others].sort()),
      );
    });
  }

  it('finds nothing in reminders three days before the due date, and before a weekend with the due date', () => {
    expect(check(reminded(NOON, '2027-08-14'))).toEqual([]);
    expect(check(reminded(at('2027-08-13T11:00:00'), '2027-08-15'))).toEqual([]);
  });

  it('takes the reminder of the due date for another one than that of the day before, though its text is the same', () => {
    const [eve, due] = [at('2027-08-12T11:00:00'), at('2027-08-13T11:00:00')];
    const template = 'quita_before_due_v1';
    const before: Line = [eve, taken('b', { template, textHash: 'same' })];
    const facts = reminded(due, '2027-08-13', { textHash: 'same' }, [1, 0], before);
    const messages = facts.messages.map((row) => ({ ...row, purpose: 'reminder' }));
    expect(check({ ...facts, messages })).toEqual([]);
  });

  it.each(['opt_out', 'dispute'] as const)('finds a reminder after %s', (said) => {
    const status = said === 'opt_out' ? 'OPTED_OUT' : 'DISPUTED';
    const facts = reminded(NOON, '2027-08-14', {}, [3], ...wrote(said, NOON - HOUR));
    const rule = said === 'opt_out' ? 'noContactAfterOptOut' : 'noContactDuringDispute';
    expect(brokenRules({ ...facts, debts: facts.debts.map((debt) => ({ ...debt, status })) })).toEqual([rule]);
  });

  it('counts a reminder for the caps, and as no step of the sequence', () => {
    const facts = reminded(NOON, '2027-08-14', {}, [3], [NOON - HOUR, taken('b', { clientId: 'other' })]);
    const messages = facts.messages.map((row) => (row.id === 'b' ? { ...row, debtId: 'another' } : row));
    expect(brokenRules({ ...facts, messages })).toEqual(['contactsWithinCaps']);
    const days = [0, 7, 14, 21, 28].map((day, index): Line => [NOON + (5 + day) * DAY, taken(`m${index}`)]);
    const after = reminded(NOON, '2027-08-14', {}, [3], ...days);
    const givenUp = after.debts.map((debt) => ({ ...debt, status: 'EXHAUSTED' }));
    expect(brokenRules({ ...after, debts: givenUp })).toEqual(['everyDebtEndsForAReason']);
  });

  it('takes a failed run of a schedule for no loss only when a later run of it ended well', () => {
    const run = (workflowId: string, status: string) => ({ workflowId, status, codeFailures: 0, timers: 0 });
    const failed = run('reconcile-payments-2027-08-11T14:02:00Z', 'FAILED');
    const withRuns = (...runs: Facts['workflows']): Facts => ({ ...clean, workflows: [...clean.workflows, ...runs] });
    expect(check(withRuns(failed, run('reconcile-payments-2027-08-11T14:04:00Z', 'COMPLETED')))).toEqual([]);
    for (const [id, status] of [
      ['reconcile-payments-2027-08-11T14:00:00Z', 'COMPLETED'],
      ['reconcile-payments-2027-08-11T14:04:00Z', 'RUNNING'],
      ['check-senders-2027-08-11T14:04:00Z', 'COMPLETED'],
    ] as const) {
      expect(brokenRules(withRuns(failed, run(id, status)))).toEqual(['noWorkflowFailed']);
    }
  });

  it('takes a message that was on its way when the debtor wrote for no contact after it', () => {
    const facts = unpaid('OPTED_OUT', ...wrote('opt_out', NOON), [NOON + 3_000, taken('a')]);
    expect(check(facts)).toEqual([]);
  });

  it('counts the contact of another client after PARAR only where the clients share the person', () => {
    const other = { clientId: 'other' };
    const facts = unpaid('OPTED_OUT', ...wrote('opt_out', NOON), [NOON + DAY, taken('a', other)]);
    expect(check(facts)).toEqual([]);
  });

  it('reads the hours by the clock of the service', () => {
    const night = at('2027-08-11T23:00:00');
    const entries = [
      [night - DAY, imported()],
      [night, { kind: 'clock', offsetMs: -8 * HOUR }],
      [night + 1_000, taken('a', { to: PHONE })],
    ] as const;
    const facts = { ...unpaid('IN_COLLECTION', [NOON, taken('a')]), ...running, log: logOf(...entries) };
    expect(check(facts)).toEqual([]);
  });
});
