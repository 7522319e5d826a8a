import { describe, expect, it } from '@jest/globals';
import { TERMS } from '../../../../testing/late-payment-terms.ts';
import { loadPolicy } from '../../policy/use-cases/load-policy.ts';
import { creditsOf } from './credits.ts';
import { type IndexSeries, parseIndexValue, type Series } from './index-series.ts';
import type { LatePaymentTerms } from './late-payment-terms.ts';
import { type OwedQuestion, owedOn } from './owed-on.ts';

const calendar = { holidays: loadPolicy().holidays, states: ['SP'] as const };
const NO_VALUES: IndexSeries = { legalRate: new Map(), ipca: new Map() };

const valuesOf = (series: Series, values: Readonly<Record<string, string>>) =>
  new Map(Object.entries(values).map(([month, value]) => [month, parseIndexValue(series, value)!]));
const legal = (values: Readonly<Record<string, string>>): IndexSeries => ({
  ...NO_VALUES,
  legalRate: valuesOf('legalRate', values),
});
const ipca = (values: Readonly<Record<string, string>>): IndexSeries => ({
  ...NO_VALUES,
  ipca: valuesOf('ipca', values),
});

const LEGAL: LatePaymentTerms = { ...TERMS, finePercent: 0, interest: { kind: 'legal', percent: null } };
const IPCA: LatePaymentTerms = {
  ...TERMS,
  finePercent: 0,
  interest: { kind: 'none', percent: null },
  correction: 'ipca',
};

const owed = (dueDate: string, on: string, principalCentavos: number, more: Partial<OwedQuestion> = {}) =>
  owedOn({ terms: TERMS, principalCentavos, dueDate, on, calendar, credits: [], indices: NO_VALUES, ...more });
const paid = (on: string, amountCentavos: number) => ({ on, amountCentavos });

const LEGAL_RATES_2026 = {
  '2026-02': '0.962232',
  '2026-03': '0.155714',
  '2026-04': '0.768672',
  '2026-05': '0.198293',
  '2026-06': '0.450641',
  '2026-07': '0.706607',
  '2026-08': '1.154527',
};

describe('the golden examples', () => {
  it('3: multiplies first, so that a day of 1 % on R$ 30.000,00 is R$ 10,00', () => {
    expect(owed('2026-11-10', '2026-11-11', 3_000_000, { terms: { ...TERMS, finePercent: 0 } })).toMatchObject({
      interest: 1_000,
      total: 3_001_000,
      days: 1,
    });
  });

  it('4: charges fine and interest of 15 days', () => {
    expect(owed('2026-11-10', '2026-11-25', 100_000)).toMatchObject({
      principal: 100_000,
      fine: 2_000,
      interest: 500,
      correction: 0,
      total: 102_500,
      days: 15,
      missing: [],
    });
  });

  it('5: rounds each component down', () => {
    expect(owed('2026-10-05', '2026-11-20', 15_075)).toMatchObject({ fine: 301, interest: 231, total: 15_607 });
  });

  it('6: counts from the business day after a due date on a Saturday, on which nothing is charged', () => {
    const terms = { ...TERMS, businessDayShift: true };
    expect(owed('2021-02-27', '2021-03-01', 1_000, { terms })).toMatchObject({
      countsFrom: '2021-03-01',
      total: 1_000,
      days: 0,
    });
    expect(owed('2021-02-27', '2021-03-02', 1_000, { terms })).toMatchObject({ days: 1, fine: 20, interest: 0 });
    expect(owed('2021-02-27', '2021-03-02', 1_000)).toMatchObject({ countsFrom: '2021-02-27', days: 3, interest: 1 });
  });

  // The example names its result and not the rate of August 2024: these are the least and the largest for which it holds.
  it.each(['0.62', '0.650999'])('7: charges R$ 0,20 for the one day of August 2024 at %s %%', (rate) => {
    const indices = legal({ '2024-08': rate });
    expect(owed('2024-08-30', '2024-08-31', 100_000, { terms: LEGAL, indices }).interest).toBe(20);
  });

  it('7: adds the Taxa Legal of each month by its days and rounds once', () => {
    const indices = legal(LEGAL_RATES_2026);
    expect(owed('2026-02-02', '2026-08-31', 500_000, { terms: LEGAL, indices })).toMatchObject({
      interest: 21_625,
      total: 521_625,
      missing: [],
    });
  });

  it('8: credits a part payment to interest, fine and principal, and charges no second fine', () => {
    const credits = [paid('2026-10-01', 30_000)];
    const october = owed('2026-09-01', '2026-10-01', 100_000, { credits });
    expect(october.parts[0]!.credited).toEqual({ interest: 1_000, fine: 2_000, correction: 0, principal: 27_000 });
    expect(october).toMatchObject({ principal: 73_000, total: 73_000, paid: 30_000 });
    expect(owed('2026-09-01', '2026-10-31', 100_000, { credits })).toMatchObject({
      interest: 730,
      fine: 0,
      total: 73_730,
      periods: [
        { from: '2026-09-01', until: '2026-10-01', days: 30, principal: 100_000 },
        { from: '2026-10-01', until: '2026-10-31', days: 30, principal: 73_000 },
      ],
    });
  });

  it('9 and 11: charges R$ 80,00 after 180 days, and R$ 8,28 of the rest 30 days later', () => {
    expect(owed('2026-01-10', '2026-07-09', 100_000)).toMatchObject({ fine: 2_000, interest: 6_000, total: 108_000 });
    const credits = [paid('2026-07-09', 25_200)];
    const broken = owed('2026-01-10', '2026-08-08', 100_000, { credits });
    expect(broken.parts[0]!.credited).toEqual({ interest: 6_000, fine: 2_000, correction: 0, principal: 17_200 });
    expect(broken).toMatchObject({ principal: 82_800, interest: 828, total: 83_628 });
  });
});

describe('the days that are charged', () => {
  it('charges nothing on the due date, before it, and without terms', () => {
    expect(owed('2026-11-10', '2026-11-10', 100_000).total).toBe(100_000);
    expect(owed('2026-11-10', '2026-11-01', 100_000)).toMatchObject({ total: 100_000, days: 0 });
    expect(owed('2026-11-10', '2027-11-10', 100_000, { terms: null })).toMatchObject({ total: 100_000, periods: [] });
  });

  it('charges nothing within the days of grace, and after them from the due date', () => {
    const terms = { ...TERMS, graceDays: 5 };
    expect(owed('2026-11-10', '2026-11-15', 100_000, { terms })).toMatchObject({ total: 100_000, days: 5 });
    expect(owed('2026-11-10', '2026-11-16', 100_000, { terms })).toMatchObject({ fine: 2_000, interest: 200 });
  });

  it('charges nothing for what was paid within the days of grace', () => {
    const credits = [paid('2026-11-13', 40_000)];
    const terms = { ...TERMS, graceDays: 5 };
    expect(owed('2026-11-10', '2026-11-16', 100_000, { terms, credits })).toMatchObject({
      principal: 60_000,
      fine: 1_200,
      interest: 120,
    });
  });
});

describe('Taxa Legal and IPCA', () => {
  it('names a month that is missing and charges no legal interest until it is known', () => {
    const { '2026-05': _, ...rates } = LEGAL_RATES_2026;
    const question = { terms: { ...LEGAL, finePercent: 2 }, indices: legal(rates) };
    expect(owed('2026-02-02', '2026-08-31', 500_000, question)).toMatchObject({
      interest: 0,
      fine: 10_000,
      missing: ['29543:2026-05'],
    });
    expect(owed('2026-02-02', '2026-05-01', 500_000, question).missing).toEqual([]);
  });

  it('charges no legal interest for the days before the law on it was in force', () => {
    const indices = legal({ '2024-08': '0.62', '2024-09': '0.6' });
    expect(owed('2023-01-10', '2024-08-30', 100_000, { terms: LEGAL, indices })).toMatchObject({
      interest: 0,
      missing: [],
    });
    expect(owed('2023-01-10', '2024-09-02', 100_000, { terms: LEGAL, indices }).interest).toBe(60);
  });

  it('multiplies the whole indices from the month of the due date to the month before', () => {
    const indices = ipca({ '2026-08': '0.50', '2026-09': '-0.20', '2026-10': '1.00' });
    const at = (on: string) => owed('2026-08-20', on, 100_000, { terms: IPCA, indices }).correction;
    expect(at('2026-08-31')).toBe(0);
    expect(at('2026-09-01')).toBe(500);
    expect(at('2026-10-15')).toBe(299);
    expect(at('2026-11-15')).toBe(1_301);
  });

  it('never corrects below the principal', () => {
    const indices = ipca({ '2026-08': '-0.50' });
    expect(owed('2026-08-20', '2026-09-15', 100_000, { terms: IPCA, indices }).correction).toBe(0);
  });

  it('counts a negative index on what a part payment leaves as on the whole', () => {
    const indices = ipca({ '2026-09': '-1.00', '2026-10': '1.00', '2026-11': '2.00' });
    const at = (on: string, credits: readonly ReturnType<typeof paid>[]) =>
      owed('2026-09-01', on, 100_000, { terms: IPCA, indices, credits }).correction;
    // 0,99 × 1,01 is 0,9999, with a centavo paid on the way and without.
    expect(at('2026-11-05', [])).toBe(0);
    expect(at('2026-11-05', [paid('2026-10-05', 1)])).toBe(0);
    // 0,99 × 1,01 × 1,02 is 1,019898. Of R$ 989,99 of October R$ 1.019,88 have become, and R$ 999,99 are the principal.
    expect(at('2026-12-05', [])).toBe(1_989);
    expect(at('2026-12-05', [paid('2026-10-05', 1)])).toBe(1_989);
    // R$ 990,00 less R$ 500,00 are R$ 490,00, of which R$ 504,79 have become.
    expect(at('2026-12-05', [paid('2026-10-05', 50_000)])).toBe(479);
  });

  it('leaves what was credited to a correction that a later negative index undoes', () => {
    const indices = ipca({ '2026-09': '1.00', '2026-10': '-1.00', '2026-11': '1.50' });
    const first = paid('2026-10-05', 1_000);
    const at = (on: string, more: readonly (typeof first)[] = []) =>
      owed('2026-09-01', on, 100_000, { terms: IPCA, indices, credits: [first, ...more] });
    expect(at('2026-10-05').parts[0]!.credited.correction).toBe(1_000);
    expect(at('2026-11-05')).toMatchObject({ principal: 100_000, correction: 0 });
    // R$ 1.000,00 × 0,99 × 1,015 is R$ 1.004,85.
    expect(at('2026-12-05')).toMatchObject({ principal: 100_000, correction: 485 });
    expect(at('2026-12-05', [paid('2026-11-05', 1)])).toMatchObject({ principal: 99_999, correction: 484 });
  });

  it('leaves out months that are not published yet, and is blocked by a gap', () => {
    const late = ipca({ '2026-08': '0.50' });
    expect(owed('2026-08-20', '2026-11-15', 100_000, { terms: IPCA, indices: late })).toMatchObject({
      correction: 500,
      missing: ['433:2026-09', '433:2026-10'],
    });
    const torn = ipca({ '2026-08': '0.50', '2026-10': '1.00' });
    const question = { terms: { ...IPCA, finePercent: 2 }, indices: torn };
    expect(owed('2026-08-20', '2026-11-15', 100_000, question)).toMatchObject({
      correction: 0,
      fine: 2_000,
      missing: ['433:2026-09'],
    });
    // October is published, so that September is a gap on every day that needs it.
    expect(owed('2026-08-20', '2026-10-02', 100_000, question).correction).toBe(0);
  });

  it('counts the Taxa Legal on the corrected principal', () => {
    const indices = { ...ipca({ '2026-06': '1.00' }), ...{ legalRate: legal(LEGAL_RATES_2026).legalRate } };
    const terms = { ...LEGAL, correction: 'ipca' as const };
    // R$ 1.010,00 × 0,706607 % is R$ 7,1367; R$ 1.000,00 × 0,450641 % ÷ 30 belongs to the last day of June.
    expect(owed('2026-07-01', '2026-08-01', 100_000, { terms, indices })).toMatchObject({ missing: ['433:2026-07'] });
    expect(owed('2026-06-30', '2026-08-01', 100_000, { terms, indices })).toMatchObject({
      correction: 1_000,
      interest: Math.floor(101_000 * (0.00450641 / 30 + 0.00706607)),
    });
  });

  it('corrects what is left of the principal from the month of a part payment', () => {
    const indices = ipca({ '2026-08': '1.00', '2026-09': '1.00' });
    const credits = [paid('2026-09-10', 51_000)];
    const question = { terms: IPCA, indices, credits };
    expect(owed('2026-08-20', '2026-09-10', 100_000, question)).toMatchObject({ principal: 50_000, correction: 0 });
    expect(owed('2026-08-20', '2026-10-10', 100_000, question)).toMatchObject({ principal: 50_000, correction: 500 });
    const little = [paid('2026-09-10', 400)];
    expect(owed('2026-08-20', '2026-10-10', 100_000, { ...question, credits: little })).toMatchObject({
      principal: 100_000,
      correction: 600 + 1_006,
    });
  });
});

describe('what was paid', () => {
  const TWO = [paid('2026-10-01', 30_000), paid('2026-10-31', 40_000)];

  it('credits a payment that is learned later as of its day', () => {
    expect(owed('2026-09-01', '2026-11-30', 100_000, { credits: [...TWO].reverse() })).toEqual(
      owed('2026-09-01', '2026-11-30', 100_000, { credits: TWO }),
    );
  });

  it('ignores later payments on an earlier day', () => {
    expect(owed('2026-09-01', '2026-09-30', 100_000, { credits: TWO })).toEqual(
      owed('2026-09-01', '2026-09-30', 100_000),
    );
  });

  it('credits interest first, then the fine, the correction and the principal', () => {
    const indices = ipca({ '2026-09': '1.00' });
    const creditedOf = (amount: number) =>
      owed('2026-09-01', '2026-10-01', 100_000, {
        terms: { ...TERMS, correction: 'ipca' },
        indices,
        credits: [paid('2026-10-01', amount)],
      }).parts[0]!.credited;
    expect(creditedOf(400)).toEqual({ interest: 400, fine: 0, correction: 0, principal: 0 });
    expect(creditedOf(1_400)).toEqual({ interest: 1_000, fine: 400, correction: 0, principal: 0 });
    expect(creditedOf(3_400)).toEqual({ interest: 1_000, fine: 2_000, correction: 400, principal: 0 });
    expect(creditedOf(4_400)).toEqual({ interest: 1_000, fine: 2_000, correction: 1_000, principal: 400 });
  });

  it('computes again without what was charged back or refunded', () => {
    const payment = { on: '2026-10-01', paidCentavos: 30_000, refundedCentavos: 0, chargedBack: false };
    const having = (change: Partial<typeof payment>) =>
      owed('2026-09-01', '2026-11-30', 100_000, { credits: creditsOf([{ ...payment, ...change }]) });
    expect(having({ chargedBack: true })).toEqual(owed('2026-09-01', '2026-11-30', 100_000));
    expect(having({ refundedCentavos: 10_000 })).toEqual(
      owed('2026-09-01', '2026-11-30', 100_000, { credits: [paid('2026-10-01', 20_000)] }),
    );
  });

  it('leaves over what is paid beyond the total, and charges nothing afterwards', () => {
    expect(owed('2026-11-10', '2027-01-25', 100_000, { credits: [paid('2026-11-25', 103_000)] })).toMatchObject({
      total: 0,
      excess: 500,
      paid: 103_000,
    });
  });

  it('settles what a code asked for when its credit counts as of the day of the code', () => {
    expect(owed('2026-11-10', '2026-11-27', 100_000, { credits: [paid('2026-11-25', 102_500)] }).total).toBe(0);
  });

  it('credits the principal first when the rest is waived', () => {
    const credits = [{ ...paid('2026-11-25', 100_000), waivesRest: true }];
    const after = owed('2026-11-10', '2026-12-25', 100_000, { credits });
    expect(after).toMatchObject({ total: 0, paid: 100_000, excess: 0 });
    expect(after.parts).toEqual([
      {
        on: '2026-11-25',
        credited: { interest: 0, fine: 0, correction: 0, principal: 100_000 },
        waived: { interest: 500, fine: 2_000, correction: 0, principal: 0 },
        excess: 0,
      },
    ]);
  });

  it('does not miss the months after the principal was paid', () => {
    const question = { terms: LEGAL, indices: legal({ '2026-02': '0.962232' }) };
    const credits = [paid('2026-03-01', 600_000)];
    expect(owed('2026-02-02', '2026-08-31', 500_000, { ...question, credits })).toMatchObject({
      total: 0,
      missing: [],
    });
  });
});
