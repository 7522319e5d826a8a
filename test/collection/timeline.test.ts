import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { localDate, localTime, weekday } from '../../src/kernel/calendar.ts';
import { isHoliday } from '../../src/kernel/holidays.ts';
import { AREA_CODES, areaCodeOf, placeOf } from '../../src/kernel/phone.ts';
import { loadPolicy } from '../../src/modules/policy/use-cases/load-policy.ts';
import { cpfOf, debtInput } from '../../testing/debts.ts';
import { collector, type Debt, sent, startCollectionApp } from '../../testing/engine-harness.ts';
import { opened } from '../../testing/opened.ts';

const HOUR = 3_600_000;
const { holidays } = loadPolicy();

const app = await opened(startCollectionApp());
const client = collector(await app.newClient());

const day = (daysAgo: number) => new Date(Date.now() - daysAgo * 24 * HOUR).toISOString().slice(0, 10);

/**
 * Creates debts that share few CPFs and phones anywhere in Brazil, are due in the past or soon, and partly get answers.
 */
const debtors = fc.array(
  fc.record({
    person: fc.nat(14),
    areaCode: fc.constantFrom(...AREA_CODES),
    line: fc.constantFrom(1000, 1001, 1002, 3, 4, 6),
    dueDaysAgo: fc.oneof(fc.integer({ min: -3, max: 1_500 }), fc.integer({ min: 1_780, max: 1_900 })),
  }),
  { minLength: 40, maxLength: 40 },
);

/** A message may stand on the timelines of several debts of one person. */
interface Contact {
  readonly id: string;
  readonly at: number;
  readonly to: string;
}

/** Returns the collection messages of all debts, each once, with the phone that each was sent to. */
async function contactsOf(all: readonly Debt[]): Promise<Contact[]> {
  const phones = new Map<string, string>();
  for (let cursor = ''; ; ) {
    const { body } = await client.call('GET', `/api/sandbox/outbox?limit=100${cursor}`);
    for (const { id, to } of body.items) phones.set(id, to);
    if (body.nextCursor === null) break;
    cursor = `&cursor=${body.nextCursor}`;
  }
  const contacts = new Map<string, Contact>();
  for (const { messageId: id, at } of all.flatMap((debt) => sent(debt, 'collection'))) {
    contacts.set(id, { id, at: Date.parse(at), to: phones.get(id) ?? '' });
  }
  return [...contacts.values()];
}

const collectionTimes = (debt: Debt): number[] => sent(debt, 'collection').map(({ at }) => Date.parse(at));

describe('the timelines of a random campaign', () => {
  it('respect window, holidays, caps and order for every debtor', async () => {
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
    // A failure is reported with the campaign that caused it.
    try {
      for (const debt of all) expectOneTimeline(debt);
      for (const ofOne of Map.groupBy(all, ({ debtorCpf }) => debtorCpf).values()) {
        expectCaps(ofOne, await contactsOf(ofOne));
      }
      const contacts = await contactsOf(all);
      for (const [phone, ofOne] of Map.groupBy(all, ({ debtorPhone }) => debtorPhone)) {
        const toPhone = contacts.filter(({ to }) => to === phone);
        expectCaps(ofOne.slice(0, 1), toPhone);
      }
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

/**
 * Checks the contacts of one person or phone: one contact a local day, and no four within 168 hours, both ends included.
 */
function expectCaps(debts: readonly Debt[], contacts: readonly Contact[]): void {
  const moments = contacts.map(({ at }) => at).sort((a, b) => a - b);
  for (const debt of debts) {
    const offset = placeOf(areaCodeOf(debt.debtorPhone)).utcOffsets[0] ?? -3;
    const own = new Set(collectionTimes(debt));
    for (const moment of moments.filter((at) => own.has(at))) {
      expect(moments.filter((other) => localDate(other, offset) === localDate(moment, offset))).toHaveLength(1);
    }
  }
  for (let n = 3; n < moments.length; n += 1) expect(moments[n]! - moments[n - 3]!).toBeGreaterThan(168 * HOUR);
}
