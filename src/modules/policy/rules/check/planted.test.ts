import { expect, it } from '@jest/globals';
import { createHolidayCalendar, type HolidayRegion, type HolidayRules } from '../../../../kernel/holidays.ts';
import type { State } from '../../../../kernel/phone.ts';
import { loadPolicy } from '../../use-cases/load-policy.ts';
import { type ContactDecision, decideContact } from '../contact-policy.ts';
import type { ContactQuestion } from '../contact-question.ts';
import { bindingPack, type PolicyPack, type PolicyRule } from '../policy-pack.ts';
import { type Compared, type Comparison, compareBoundaries, compareSample, PLACES_TO_COMPARE } from './compare.ts';
import { compareMessages } from './compare-messages.ts';

const { pack, holidays } = loadPolicy();

type Change = Omit<PolicyRule, 'rule'> | Record<string, unknown>;

/** The pack in which the rule says something else. */
const changed = (id: string, change: Partial<Change>): Partial<Compared> => {
  const rules = pack.rules.map((rule) => (rule.id === id ? ({ ...rule, ...change } as PolicyRule) : rule));
  expect(rules).not.toEqual(pack.rules);
  return { pack: { ...pack, rules } };
};
const without = (id: string): Partial<Compared> => ({
  pack: { ...pack, rules: pack.rules.filter((rule) => rule.id !== id) } satisfies PolicyPack,
});
const hours = (from: number, to: number, days = [1, 2, 3, 4, 5]) => ({ windows: [{ days, from, to }] });

const withHolidays = (change: (rules: HolidayRules) => HolidayRules): Partial<Compared> => ({
  calendar: createHolidayCalendar(change(structuredClone(holidays.rules))),
});
const region = (state: State, change: (region: HolidayRegion) => HolidayRegion): Partial<Compared> =>
  withHolidays((rules) => ({ ...rules, states: { ...rules.states, [state]: change(rules.states[state]) } }));
const nation = (change: (region: HolidayRegion) => HolidayRegion): Partial<Compared> =>
  withHolidays((rules) => ({ ...rules, nation: change(rules.nation) }));

/** An engine that reads something else than it was asked, or answers something else than it found. */
const engine = (
  ask: (question: ContactQuestion) => ContactQuestion,
  answer: (decision: ContactDecision, question: ContactQuestion) => ContactDecision = (decision) => decision,
): Partial<Compared> => ({ decide: (question) => answer(decideContact(ask(question)), question) });
const debt = (change: Partial<ContactQuestion['debt']>) =>
  engine((question) => ({ ...question, debt: { ...question.debt, ...change } }));
const suppressed = (change: Partial<ContactQuestion['suppressions']>) =>
  engine((question) => ({ ...question, suppressions: { ...question.suppressions, ...change } }));
const later = (ms: number) =>
  engine(
    (question) => question,
    (decision) =>
      decision.allowed || decision.notBefore === null ? decision : { ...decision, notBefore: decision.notBefore + ms },
  );

interface Planted {
  readonly code?: string;
  readonly from?: string;
  /** The mistake is seen in the next moment, or in a message, only. */
  readonly by?: 'next' | 'messages';
}

const MINUTE = 60_000;
const PLANTED: readonly (readonly [string, Partial<Compared>, Planted?])[] = [
  ['the hours begin a minute early', changed('br-hours', hours(539, 1140))],
  ['the hours begin a minute late', changed('br-hours', hours(541, 1140))],
  ['the hours end a minute late', changed('br-hours', hours(540, 1141))],
  ['the hours end a minute early', changed('br-hours', hours(540, 1139))],
  ['the hours end at 18:00', changed('br-hours', hours(540, 1080))],
  ['Saturday is open', changed('br-hours', hours(540, 1140, [1, 2, 3, 4, 5, 6])), { code: '85' }],
  ['Sunday is open', changed('br-hours', hours(540, 1140, [0, 1, 2, 3, 4, 5])), { code: '85' }],
  ['Thursday is closed', changed('br-hours', hours(540, 1140, [1, 2, 3, 5]))],
  ['the hours hold in São Paulo alone', changed('br-hours', { states: ['SP'] }), { code: '85' }],
  ['the hours hold for WhatsApp alone', changed('br-hours', { channels: ['whatsapp'] }), { code: '85' }],
  ['the hours bind collectors alone', changed('br-hours', { binds: 'collectors' }), { code: '85' }],
  ['the hours are a bill', changed('br-hours', { status: 'bill' }), { code: '85' }],
  ['the hours have ended', changed('br-hours', { effectiveTo: '2026-12-23' }), { code: '85' }],
  ['the hours begin to hold a day late', changed('br-hours', { effectiveFrom: '2026-12-25' }), { code: '85' }],
  ['Amazonas is open until 19:00', changed('br-am-lei-4644-2018', hours(480, 1140)), { code: '92' }],
  ['the law of Amazonas stands under Acre', changed('br-am-lei-4644-2018', { states: ['AC'] }), { code: '92' }],
  ['a law of Amazonas is missing', without('br-am-lei-360-2016'), { code: '97' }],
  ['Minas Gerais is open until 18:30', changed('br-mg-hours', hours(540, 1110)), { code: '31' }],
  ['the hours of Minas Gerais stand under MS', changed('br-mg-hours', { states: ['MS'] }), { code: '31' }],
  ['the hours of Mato Grosso bind all', changed('br-mt-lei-11792-2022-hours', { binds: 'all' }), { code: '65' }],
  ['the hours of Mato Grosso are missing', without('br-mt-lei-11792-2022-hours'), { code: '66' }],
  ['the cap of Mato Grosso binds all', changed('br-mt-lei-11792-2022', { binds: 'all' }), { code: '65' }],
  ['the cap of Mato Grosso is three', changed('br-mt-lei-11792-2022', { count: 3 }), { code: '65' }],
  ['the cap of Mato Grosso is that of MS', changed('br-mt-lei-11792-2022', { states: ['MS'] }), { code: '67' }],
  ['two contacts a day', changed('br-cap-day', { count: 2 })],
  ['one contact in 24 hours', changed('br-cap-day', { period: { hours: 24 } })],
  ['the day counts the person alone', changed('br-cap-day', { countedPer: ['person'] })],
  ['the day counts the phone alone', changed('br-cap-day', { countedPer: ['phone'] })],
  ['four contacts a week', changed('br-cap-week', { count: 4 })],
  ['two contacts a week', changed('br-cap-week', { count: 2 })],
  ['a week of 167 hours', changed('br-cap-week', { period: { hours: 167 } })],
  ['a week of 169 hours', changed('br-cap-week', { period: { hours: 169 } })],
  ['the week counts the person alone', changed('br-cap-week', { countedPer: ['person'] })],
  ['the week counts the phone alone', changed('br-cap-week', { countedPer: ['phone'] })],
  ['the day of the due date is allowed', changed('br-due', { daysAfterDue: 0 })],
  ['the day after the due date is forbidden', changed('br-due', { daysAfterDue: 2 })],
  ['prescription after four years', changed('br-cc-206', { years: 4 })],
  ['prescription after six years', changed('br-cc-206', { years: 6 })],
  ['the promised day is allowed', changed('br-promise', { businessDays: 0 })],
  ['two days after a promise', changed('br-promise', { businessDays: 2 })],
  ['one day after “já paguei”', changed('br-said-paid', { businessDays: 1 }), { by: 'next' }],
  ['three days after “já paguei”', changed('br-said-paid', { businessDays: 3 }), { by: 'next' }],
  ['the inbox is asked again a minute late', changed('br-inbox', { retryMinutes: 6 }), { by: 'next' }],
  ['nobody wrote the opt-out down', without('br-opt-out')],
  ['the wrong person is a rule of SP', changed('br-rj-lei-7868-2018', { states: ['SP'] })],
  ['national holidays are open', changed('br-holidays', { national: false })],
  ['holidays of states are open', changed('br-holidays', { state: false }), { from: '2027-07-08' }],
  ['holidays are closed in Rio alone', changed('br-holidays', { states: ['RJ'] })],
  ['six replies a day', changed('br-reply', { perDay: 6 }), { by: 'messages' }],
  ['two replies to a message', changed('br-reply', { perMessage: 2 }), { by: 'messages' }],
  ['free text for 25 hours', changed('wa-24h', { hours: 25 }), { by: 'messages' }],
  ['templates for SMS', changed('wa-24h', { channels: 'all' }), { by: 'messages' }],
  ['four receipts a day', changed('br-receipt', { sendingsPerDay: 4 }), { by: 'messages' }],
  [
    '20 November is no holiday',
    nation((one) => ({ ...one, holidays: one.holidays.filter(({ on }) => on !== '11-20') })),
    { code: '85', from: '2026-11-19' },
  ],
  [
    'Good Friday is a Thursday',
    nation((one) => ({
      ...one,
      holidays: one.holidays.map((law) => (typeof law.on === 'string' ? law : { ...law, on: { easter: -3 } })),
    })),
    { from: '2027-03-25' },
  ],
  [
    'the 9th of July is the 10th',
    region('SP', (one) => ({
      ...one,
      holidays: one.holidays.map((law) => (law.on === '07-09' ? { ...law, on: '07-10' } : law)),
    })),
    { from: '2027-07-08' },
  ],
  ['Acre transfers nothing', region('AC', ({ transfer: _, ...one }) => one), { code: '68', from: '2026-11-17' }],
  [
    'Santa Catarina keeps the day itself',
    region('SC', ({ transfer, ...one }) => ({ ...one, transfer: { ...transfer!, keepsOriginal: true } })),
    { code: '48', from: '2026-11-24' },
  ],
  ['the clock is a minute ahead', engine((question) => ({ ...question, now: question.now + MINUTE }))],
  ['everybody is in São Paulo', engine((question) => ({ ...question, phoneAreaCode: '11' })), { code: '68' }],
  ['Noronha is forgotten', engine((question) => ({ ...question, phoneAreaCode: '87' })), { code: '81' }],
  ['contacts by the phone are forgotten', engine((q) => ({ ...q, ledger: { ...q.ledger, phone: [] } }))],
  ['contacts of the person are forgotten', engine((q) => ({ ...q, ledger: { ...q.ledger, person: [] } }))],
  [
    'later contacts are forgotten',
    engine((q) => ({
      ...q,
      ledger: { ...q.ledger, person: q.ledger.person.filter(({ at }) => at <= q.now), phone: [] },
    })),
  ],
  ['the due date is not read', debt({ dueDate: '2026-10-01' })],
  ['the promise is not read', debt({ promisedDate: null })],
  ['“já paguei” is not read', debt({ saidPaidAt: null })],
  ['the status is not read', debt({ status: 'IN_COLLECTION' })],
  ['the conversation of the staff is not read', debt({ staffAnswersUntil: null })],
  ['opt-outs are not read', suppressed({ optedOut: false })],
  ['wrong persons are not read', suppressed({ wrongPerson: false })],
  ['the inbox is not read', engine((question) => ({ ...question, inboxWaiting: false }))],
  [
    'collectors are held to what binds all',
    engine((question) => ({ ...question, pack: bindingPack(pack, 'itself') })),
    { code: '65' },
  ],
  [
    'verdicts name no rule',
    engine(
      (q) => q,
      (decision) => ({ ...decision, ruleIds: [] }),
    ),
  ],
  ['the next moment is a minute late', later(MINUTE), { by: 'next' }],
  ['the next moment is a millisecond early', later(-1), { by: 'next' }],
  [
    'there is no next moment',
    engine(
      (q) => q,
      (d) => (d.allowed ? d : { ...d, notBefore: null }),
    ),
    { by: 'next' },
  ],
];

const compared = (change: Partial<Compared>): Compared => ({
  decide: decideContact,
  pack,
  calendar: holidays,
  plainPack: pack,
  plainHolidays: holidays.rules,
  ...change,
});

/** Christmas Eve, a Thursday, and three days; where it matters, other days. */
function search(change: Partial<Compared>, { code = '11', from = '2026-12-24', by }: Planted = {}): Comparison {
  if (by === 'messages') return compareMessages(compared(change), code, { from, days: 2 });
  return compareBoundaries(compared(change), code, { from, days: 4, everyNext: by === 'next' ? 1 : 1_000 });
}

it('plants more than fifty mistakes', () => {
  expect(new Set(PLANTED.map(([name]) => name)).size).toBe(PLANTED.length);
  expect(PLANTED.length).toBeGreaterThan(50);
});

it.each(PLANTED.map(([name, change, planted = {}]) => [name, change, planted] as const))(
  'finds that %s',
  (_name, change, planted) => {
    expect(search(change, planted).counterexamples).not.toEqual([]);
  },
);

it('finds nothing in the shipped pack, where each mistake was planted', () => {
  const places = new Map(PLANTED.map(([, , planted]) => [`${planted?.code} ${planted?.from} ${planted?.by}`, planted]));
  for (const planted of places.values()) expect(search({}, planted).counterexamples).toEqual([]);
});

it('finds nothing in a sample of every place, channel and history', () => {
  const span = { from: '2026-01-01', days: 1_461, size: 4_000, seed: 20_261_127, everyNext: 3 };
  expect(compareSample(compared({}), span)).toEqual({ decisions: 4_000, counterexamples: [] });
});

it('has a place for each set of states and clocks, and the first counterexamples only', () => {
  expect(PLACES_TO_COMPARE).toEqual(expect.arrayContaining(['00', '61', '81', '97']));
  const { counterexamples } = search(without('br-opt-out'));
  expect(counterexamples.length).toBeLessThan(50);
  expect(counterexamples[0]).toMatchObject({
    history: 'opted out',
    areaCode: '11',
    plain: expect.stringContaining('br-opt-out'),
  });
});
