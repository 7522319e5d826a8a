import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { contactQuestion } from '../../../../testing/contact-question.ts';
import { expectCostBelow } from '../../../../testing/cpu-cost.ts';
import { DAY, HOUR } from '../../../kernel/calendar.ts';
import { type HolidayPlace, holidaysOf } from '../../../kernel/holidays.ts';
import { AREA_CODES, type Place, placeOf, STATES } from '../../../kernel/phone.ts';
import { loadPolicy } from '../use-cases/load-policy.ts';
import { decideContact } from './contact-policy.ts';
import type { ContactQuestion, LedgerEntry } from './contact-question.ts';
import { type BindingPack, bindingPack, type PolicyRule } from './policy-pack.ts';

const { pack: shipped, holidays } = loadPolicy();
const pack = bindingPack(shipped, 'itself');
const MINUTE = 60_000;
const START = Date.parse('2026-01-01T00:00:00Z');
const FIVE_YEARS = 5 * 366 * DAY;

// A plain and slow implementation of the contract, with which the fast code is compared.
const YEARS = [2025, 2026, 2027, 2028, 2029, 2030, 2031];
const datesOf = (place: HolidayPlace) =>
  new Set(YEARS.flatMap((year) => holidaysOf(holidays.rules, place, year)).map(({ date }) => date));
const nationalDates = datesOf('nation');
const stateDates = new Map(STATES.map((state) => [state, datesOf(state)]));
const dateAt = (moment: number, offset: number) => new Date(moment + offset * HOUR).toISOString().slice(0, 10);
const openAt = (place: Place, moment: number): boolean =>
  place.utcOffsets.every((offset) => {
    const local = new Date(moment + offset * HOUR);
    const date = dateAt(moment, offset);
    const closes = place.states.some((state) => state === 'AM' || state === 'MG') ? 18 : 19;
    const free = nationalDates.has(date) || place.states.some((state) => stateDates.get(state)!.has(date));
    return ![0, 6].includes(local.getUTCDay()) && !free && local.getUTCHours() >= 9 && local.getUTCHours() < closes;
  });
const capHolds = (place: Place, moments: readonly number[], moment: number): boolean => {
  if (place.utcOffsets.some((offset) => moments.some((other) => dateAt(other, offset) === dateAt(moment, offset))))
    return false;
  const all = [...moments, moment].sort((a, b) => a - b);
  return !all.some((first, index) => {
    const fourth = all[index + 3];
    return fourth !== undefined && first <= moment && moment <= fourth && fourth - first <= 168 * HOUR;
  });
};
/** A day has an opening when one of its minutes is open. */
const isOpenDay = (place: Place, date: string): boolean =>
  Array.from({ length: 48 }, (_, half) => Date.parse(`${date}T03:00:00Z`) + half * 30 * MINUTE).some(
    (moment) => openAt(place, moment) && place.utcOffsets.every((offset) => dateAt(moment, offset) === date),
  );
const dayBefore = (date: string, days: number): string => dateAt(Date.parse(`${date}T00:00:00Z`) - days * DAY, 0);
const remindedOn = (place: Place, { dueDate, reminders }: ContactQuestion['debt']): string[] => {
  const { daysBefore = [], sentAt = null } = reminders ?? {};
  const sentOn = sentAt === null ? [] : place.utcOffsets.map((offset) => dateAt(sentAt, offset));
  return daysBefore
    .map((days) => {
      let date = dayBefore(dueDate, days);
      while (!isOpenDay(place, date)) date = dayBefore(date, 1);
      return date;
    })
    .filter((date) => !sentOn.includes(date));
};
const slowlyAllowed = ({ phoneAreaCode, ledger, debt }: ContactQuestion, moment: number): boolean => {
  const place = placeOf(phoneAreaCode);
  const due = place.utcOffsets.every((offset) => dateAt(moment, offset) > debt.dueDate);
  const reminded = remindedOn(place, debt);
  const isReminderDay = reminded.some((date) => place.utcOffsets.every((offset) => dateAt(moment, offset) === date));
  const moments = (entries: readonly LedgerEntry[]) => entries.map(({ at }) => at);
  return (
    (due || isReminderDay) &&
    openAt(place, moment) &&
    capHolds(place, moments(ledger.person), moment) &&
    capHolds(place, moments(ledger.phone), moment)
  );
};

const areaCode = fc.constantFrom(...AREA_CODES);
const anyMoment = fc.integer({ min: START, max: START + FIVE_YEARS });
// Round moments fall on the ends of windows and of 168 hours far more often than random milliseconds do.
const offsetOf = (days: number) =>
  fc.oneof(
    fc.integer({ min: -days * DAY, max: days * DAY }),
    fc.integer({ min: -days * 24, max: days * 24 }).map((hours) => hours * HOUR),
  );
const entries = (size: number, days: number) =>
  fc.array(fc.record({ at: offsetOf(days), own: fc.boolean() }), { maxLength: size });

interface Draw {
  readonly now: number;
  readonly phoneAreaCode: string;
  readonly person: readonly LedgerEntry[];
  readonly phone: readonly LedgerEntry[];
  readonly daysOverdue: number;
  readonly daysBefore?: readonly number[];
  /** How long ago the last reminder was sent. */
  readonly remindedAgo?: number | null;
}
const draw = (size: number, days: number): fc.Arbitrary<Draw> =>
  fc.record({
    now: fc.oneof(
      anyMoment,
      fc.integer({ min: 0, max: 5 * 365 * 24 }).map((hours) => START + hours * HOUR),
    ),
    phoneAreaCode: areaCode,
    person: entries(size, days),
    phone: entries(size, days),
    daysOverdue: fc.oneof(fc.constant(90), fc.integer({ min: -12, max: 3 })),
    daysBefore: fc.uniqueArray(fc.integer({ min: 0, max: 10 }), { maxLength: 3 }),
    remindedAgo: fc.option(fc.integer({ min: 0, max: 3 * DAY })),
  });
const questionOf = (
  { now, phoneAreaCode, person, phone, daysOverdue, daysBefore = [], remindedAgo = null }: Draw,
  policy: BindingPack = pack,
): ContactQuestion => {
  const around = (list: readonly LedgerEntry[]) => list.map(({ at, own }) => ({ at: now + at, own }));
  const debt = {
    ...contactQuestion({ pack, holidays }).debt,
    status: 'QUEUED',
    dueDate: dateAt(now - daysOverdue * DAY, -3),
    reminders: { daysBefore, sentAt: remindedAgo === null ? null : now - remindedAgo },
  } as const;
  const ledger = { person: around(person), phone: around(phone) };
  return contactQuestion({ pack: policy, holidays, now, phoneAreaCode, debt, ledger });
};
const first = (question: ContactQuestion): number => {
  const decision = decideContact(question);
  return decision.allowed ? question.now : decision.notBefore!;
};

it('names an allowed moment, and no earlier moment is allowed', () => {
  fc.assert(
    fc.property(draw(12, 15), (drawn) => {
      const question = questionOf(drawn);
      const { now, ledger } = question;
      const moment = first(question);
      expect(decideContact(question).allowed).toBe(slowlyAllowed(question, now));
      expect(slowlyAllowed(question, moment)).toBe(true);
      expect(decideContact({ ...question, now: moment }).allowed).toBe(true);
      const edges = [...ledger.person, ...ledger.phone].flatMap(({ at }) =>
        [0, 1, 168 * HOUR, 168 * HOUR + 1].map((add) => at + add),
      );
      const quarters = Array.from({ length: Math.ceil((moment - now) / (15 * MINUTE)) }, (_, index) => {
        const quarter = now - (now % (15 * MINUTE)) + index * 15 * MINUTE;
        return Math.max(quarter, now);
      });
      expect(
        [...quarters, ...edges, moment - 1].filter((at) => at >= now && at < moment && slowlyAllowed(question, at)),
      ).toEqual([]);
    }),
    { numRuns: 400 },
  );
});

it('opens exactly when the contract says, in all 67 area codes, at any moment of five years', () => {
  for (const phoneAreaCode of AREA_CODES) {
    fc.assert(
      fc.property(anyMoment, (now) => {
        const question = questionOf({ now, phoneAreaCode, person: [], phone: [], daysOverdue: 90 });
        const decision = decideContact(question);
        expect(decision.allowed).toBe(openAt(placeOf(phoneAreaCode), now));
        if (!decision.allowed) expect(openAt(placeOf(phoneAreaCode), decision.notBefore!)).toBe(true);
      }),
      { numRuns: 40 },
    );
  }
});

it('opens within six days of any date, for nine hours, or eight where an area code spans two zones', () => {
  for (const phoneAreaCode of AREA_CODES) {
    const { utcOffsets } = placeOf(phoneAreaCode);
    for (let now = START; now < START + FIVE_YEARS; now += 61 * DAY) {
      const opening = first(questionOf({ now, phoneAreaCode, person: [], phone: [], daysOverdue: 90 }));
      expect(opening - now).toBeLessThan(6 * DAY);
      const long = 10 - utcOffsets.length;
      expect(
        decideContact(
          questionOf({ now: opening + long * HOUR - 1, phoneAreaCode, person: [], phone: [], daysOverdue: 90 }),
        ).allowed,
      ).toBe(true);
    }
  }
});

const windowRule: fc.Arbitrary<PolicyRule> = fc
  .record({
    days: fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1 }),
    from: fc.integer({ min: 0, max: 1200 }),
    length: fc.integer({ min: 30, max: 600 }),
  })
  .map(({ days, from, length }) => ({
    ...pack.rules[0]!,
    rule: 'window',
    id: 'more',
    windows: [
      { days, from, to: Math.min(from + length, 1440) },
      { days: [1, 3], from: 600, to: 620 },
    ],
  }));
const capRule: fc.Arbitrary<PolicyRule> = fc
  .record({ count: fc.integer({ min: 1, max: 4 }), hours: fc.integer({ min: 1, max: 400 }), daily: fc.boolean() })
  .map(({ count, hours, daily }) => ({
    ...pack.rules[0]!,
    rule: 'caps',
    id: 'more',
    count,
    period: daily ? 'calendar_day' : { hours },
    countedPer: ['person'],
  }));

it('is never widened by one more rule', () => {
  fc.assert(
    fc.property(draw(6, 10), fc.oneof(windowRule, capRule), ({ daysBefore: _, ...drawn }, rule) => {
      // A day that one more rule closes gives its reminder to an earlier one, so no reminder is drawn.
      const wide = questionOf(drawn);
      const narrow = questionOf(drawn, { ...pack, rules: [...pack.rules, rule] });
      const decision = decideContact(narrow);
      if (decision.allowed) expect(decideContact(wide).allowed).toBe(true);
      else if (decision.notBefore !== null) {
        expect(decision.notBefore).toBeGreaterThanOrEqual(first(wide));
        expect(decideContact({ ...wide, now: decision.notBefore }).allowed).toBe(true);
        expect(decideContact({ ...narrow, now: decision.notBefore }).allowed).toBe(true);
      }
    }),
    { numRuns: 1000 },
  );
});

it('is never widened by one more booking', () => {
  fc.assert(
    fc.property(draw(6, 10), offsetOf(10), (drawn, at) => {
      const more = questionOf({ ...drawn, person: [...drawn.person, { at, own: true }] });
      expect(first(more)).toBeGreaterThanOrEqual(first(questionOf(drawn)));
    }),
    { numRuns: 1000 },
  );
});

it('keeps the cap in whatever order separate clocks book contacts', () => {
  fc.assert(
    fc.property(
      anyMoment,
      areaCode,
      fc.array(offsetOf(30), { minLength: 5, maxLength: 40 }),
      (now, phoneAreaCode, asked) => {
        const booked: LedgerEntry[] = [];
        for (const offset of asked) {
          const question = questionOf({ now: now + offset, phoneAreaCode, person: [], phone: [], daysOverdue: 90 });
          booked.push({ at: first({ ...question, ledger: { person: booked, phone: booked } }), own: true });
        }
        const moments = booked.map(({ at }) => at).sort((a, b) => a - b);
        for (const offset of placeOf(phoneAreaCode).utcOffsets) {
          expect(new Set(moments.map((moment) => dateAt(moment, offset))).size).toBe(moments.length);
        }
        expect(moments.filter((moment, index) => moments[index + 3]! - moment <= 168 * HOUR)).toEqual([]);
      },
    ),
    { numRuns: 300 },
  );
});

it('shows a client exactly what its own contacts alone would show, or `scheduling`', () => {
  fc.assert(
    fc.property(draw(8, 10), (drawn) => {
      const question = questionOf(drawn);
      const ours = (list: readonly LedgerEntry[]) => list.filter(({ own }) => own);
      const alone = decideContact({
        ...question,
        ledger: { person: ours(question.ledger.person), phone: ours(question.ledger.phone) },
      });
      const decision = decideContact(question);
      if (decision.allowed) return expect(alone.allowed).toBe(true);
      expect(decision.shown.notBefore).toBeLessThanOrEqual(
        alone.allowed ? Number.POSITIVE_INFINITY : decision.notBefore!,
      );
      if (alone.allowed) {
        expect(decision.shown.rules).toEqual(['scheduling']);
        expect(decision.shown.notBefore).toBeGreaterThan(question.now);
      } else expect(decision.shown).toEqual({ rules: alone.rules, ruleIds: alone.ruleIds, notBefore: alone.notBefore });
    }),
    { numRuns: 1000 },
  );
});

it('never shows what the debtor said to another client, and never allows a contact against it', () => {
  const ownSuppressions = fc.record({ optedOut: fc.boolean(), wrongPerson: fc.boolean() });
  const state = fc.constantFrom('QUEUED', 'IN_COLLECTION', 'PROMISED', 'DISPUTED', 'ON_HOLD', 'EXHAUSTED');
  // The debts are about five years old.
  const age = fc.oneof(fc.constant(90), fc.integer({ min: 1_810, max: 1_835 }));
  fc.assert(
    fc.property(
      draw(6, 10),
      ownSuppressions,
      state,
      age,
      fc.boolean(),
      (drawn, own, status, daysOverdue, campaignPaused) => {
        const question = questionOf({ ...drawn, daysOverdue });
        const asked = { ...question, campaignPaused, debt: { ...question.debt, status } } as const;
        const ours = (list: readonly LedgerEntry[]) => list.filter((entry) => entry.own);
        const ledger = { person: ours(asked.ledger.person), phone: ours(asked.ledger.phone) };
        const alone = decideContact({ ...asked, ledger, suppressions: { ...own, elsewhere: false } });
        const decision = decideContact({ ...asked, suppressions: { ...own, elsewhere: true } });
        if (decision.allowed) throw new Error('contacted');
        expect(decision.inVain).toBe(true);
        if (!alone.allowed) return expect(decision.shown).toEqual(alone.shown);
        expect(decision.shown.rules.filter((rule) => rule !== 'prescription')).toEqual(['scheduling']);
        for (const rules of [decision.rules, decision.shown.rules]) {
          expect(rules).not.toContain('opt_out');
          expect(rules).not.toContain('wrong_person');
        }
        // Null would reveal that the block is permanent, unless the debt's own age explains it.
        if (decision.shown.notBefore === null) expect(decision.shown.rules).toContain('prescription');
        expect(decision.notBefore === null).toBe(decision.shown.notBefore === null);
      },
    ),
    { numRuns: 1000 },
  );
});

it('finds the next moment in a ledger that is full for years without scanning it by the minute', async () => {
  const now = Date.parse('2026-11-24T13:00:00Z');
  const question = questionOf({ now, phoneAreaCode: '81', person: [], phone: [], daysOverdue: 90 });
  let booked: LedgerEntry[] = [];
  // 150 decisions, the last one past 49 full weeks; a scan by the minute would look at 38 million moments.
  await expectCostBelow(1_500, () => {
    booked = [];
    for (let count = 0; count < 150; count += 1)
      booked.push({ at: first({ ...question, ledger: { person: booked, phone: booked } }), own: true });
  });
  expect(booked.at(-1)!.at - now).toBeGreaterThan(48 * 7 * DAY);
});
