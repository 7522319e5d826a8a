import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isHoliday, localDate, localTime, weekday } from '../../src/domain/calendar.ts';
import { AREA_CODES, areaCodeOf, placeOf } from '../../src/domain/phone.ts';
import { loadPolicy } from '../../src/services/shared/load-policy.ts';
import { cpfOf, debtInput } from '../campaigns/debts.ts';
import type { CampaignsApp } from '../campaigns/support.ts';
import { type Collector, collector, type Debt, sent, startCollectionApp } from '../support/engine-harness.ts';

const HOUR = 3_600_000;
const { holidays } = loadPolicy(new Date());

let app: CampaignsApp;
let client: Collector;

beforeAll(async () => {
  app = await startCollectionApp();
  client = collector(await app.newClient());
});
afterAll(() => app.close());

const day = (daysAgo: number) => new Date(Date.now() - daysAgo * 24 * HOUR).toISOString().slice(0, 10);

/** Debtors of few CPFs and few phones, anywhere in Brazil, some of whom answer; debts due in the past or soon. */
const debtors = fc.array(
  fc.record({
    person: fc.nat(14),
    areaCode: fc.constantFrom(...AREA_CODES),
    line: fc.constantFrom(1000, 1001, 1002, 3, 4, 6),
    dueDaysAgo: fc.oneof(fc.integer({ min: -3, max: 1_500 }), fc.integer({ min: 1_780, max: 1_900 })),
  }),
  { minLength: 40, maxLength: 40 },
);

const collectionTimes = (debt: Debt): number[] => sent(debt, 'collection').map(({ at }) => Date.parse(at));

describe('the timelines of a random campaign', () => {
  it('keep window, holidays, caps and order for every debtor', async () => {
    const [given] = fc.sample(debtors, 1);
    if (given === undefined) throw new Error('no sample');
    const inputs = given.map(({ person, areaCode, line, dueDaysAgo }, n) =>
      debtInput(n + 1, {
        debtorCpf: cpfOf(300_000_000 + person),
        debtorPhone: `+55${areaCode}9${8000 + person}${String(line).padStart(4, '0')}`,
        dueDate: day(dueDaysAgo),
      }),
    );
    const { debts } = await client.launch(inputs);
    const all = await Promise.all(debts.map(({ id }) => client.ended(id, 240_000)));
    // What failed is told with the campaign that made it fail.
    try {
      for (const debt of all) expectOneTimeline(debt);
      for (const ofOne of Map.groupBy(all, ({ debtorCpf }) => debtorCpf).values()) expectCaps(ofOne);
      for (const ofOne of Map.groupBy(all, ({ debtorPhone }) => debtorPhone).values()) expectCaps(ofOne);
    } catch (error) {
      throw new Error(`with ${JSON.stringify(inputs)}`, { cause: error });
    }
    expect(all.flatMap(collectionTimes).length).toBeGreaterThan(20);
  }, 300_000);
});

function expectOneTimeline(debt: Debt): void {
  const at = debt.timeline.map((entry) => Date.parse(entry.at));
  expect(at).toEqual(at.toSorted((a, b) => a - b));
  expect(collectionTimes(debt).length).toBeLessThanOrEqual(6);
  const { states, utcOffsets } = placeOf(areaCodeOf(debt.debtorPhone));
  const close = states.some((state) => ['AM', 'MG'].includes(state)) ? 18 : 19;
  for (const moment of collectionTimes(debt)) {
    for (const offset of utcOffsets) {
      const date = localDate(moment, offset);
      expect([1, 2, 3, 4, 5]).toContain(weekday(date));
      expect(isHoliday(holidays, date, states)).toBe(false);
      expect(date > debt.dueDate).toBe(true);
      expect(localTime(moment, offset)).toBeGreaterThanOrEqual(9 * HOUR);
      expect(localTime(moment, offset)).toBeLessThan(close * HOUR);
    }
  }
}

/** Of one person or one phone, over all of its debts: one a local day, and no four within 168 hours, ends included. */
function expectCaps(debts: readonly Debt[]): void {
  const moments = debts.flatMap(collectionTimes).sort((a, b) => a - b);
  for (const debt of debts) {
    const offset = placeOf(areaCodeOf(debt.debtorPhone)).utcOffsets[0] ?? -3;
    for (const own of collectionTimes(debt)) {
      expect(moments.filter((other) => localDate(other, offset) === localDate(own, offset))).toHaveLength(1);
    }
  }
  for (let n = 3; n < moments.length; n += 1) expect(moments[n]! - moments[n - 3]!).toBeGreaterThan(168 * HOUR);
}
