import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MONTHS, question, withoutPayments } from '../../../../testing/owed-questions.ts';
import { addDays, daysBetween, type LocalDate } from '../../../kernel/calendar.ts';
import { COMPONENTS } from './credits.ts';
import { type Owed, type OwedQuestion, owedOn } from './owed-on.ts';

/** The amounts by the plain reading of the contract, in fractions of a centavo and with floating point. */
const limitOf = (rate: number, principal: number): number => principal * rate + 1e-6 * Math.max(1, principal * 1e-6);

/** What the whole indices of the months since the due date have made of one centavo. */
const factorOn = ({ dueDate: due, indices: { ipca } }: OwedQuestion, day: LocalDate): number =>
  MONTHS.filter((month) => month >= due.slice(0, 7) && month < day.slice(0, 7)).reduce(
    (factor, month) => factor * (1 + (ipca.get(month) ?? 0) / 1e8),
    1,
  );

/** The Taxa Legal of the days, each by its month. */
function legalRateOf({ indices: { legalRate } }: OwedQuestion, from: LocalDate, until: LocalDate): number {
  let rate = 0;
  for (let day = from; day < until; day = addDays(day, 1)) {
    const [year, month] = [Number(day.slice(0, 4)), Number(day.slice(5, 7))];
    rate += (legalRate.get(day.slice(0, 7)) ?? 0) / 1e8 / new Date(Date.UTC(year, month, 0)).getUTCDate();
  }
  return rate;
}

/** The principal that was open from day to day, between the payments that divide the time. */
function principalByDays(one: OwedQuestion, { countsFrom, parts, principal: open }: Owed) {
  let principal = open + parts.reduce((all, { credited, waived }) => all + credited.principal + waived.principal, 0);
  let from = countsFrom;
  const days = [];
  for (const { on, credited, waived } of [...parts, { on: one.on, credited: null, waived: null }]) {
    if (on > from) days.push({ from, until: on, principal });
    if (on > from) from = on;
    principal -= (credited?.principal ?? 0) + (waived?.principal ?? 0);
  }
  return days;
}

it('charges no component above the limit of the law for the same days, whatever was paid meanwhile', () => {
  fc.assert(
    fc.property(fc.oneof(withoutPayments, question), (one) => {
      const owed = owedOn(one);
      const { principalCentavos: principal } = one;
      const charged = (component: (typeof COMPONENTS)[number]): number =>
        owed.parts.reduce(
          (all, { credited, waived }) => all + credited[component] + waived[component],
          owed[component],
        );
      expect(charged('fine')).toBeLessThanOrEqual(limitOf(0.02, principal));

      const segments = principalByDays(one, owed);
      if (one.terms!.interest.kind === 'monthly') {
        const centavoDays = segments.reduce((all, of) => all + of.principal * daysBetween(of.from, of.until), 0);
        expect(charged('interest')).toBeLessThanOrEqual(limitOf(0.01 / 30, centavoDays));
      }

      // Of each day: what is credited to the correction, or asked for, is never above the index of the whole time.
      let open = principal;
      let highest = 1;
      for (const { on, credited, waived } of owed.parts) {
        const factor = factorOn(one, on);
        expect(credited.correction + waived.correction).toBeLessThanOrEqual(limitOf(Math.max(0, factor - 1), open));
        highest = Math.max(highest, factor);
        open -= credited.principal + waived.principal;
      }
      const factor = factorOn(one, one.on);
      highest = Math.max(highest, factor);
      expect(owed.correction).toBeLessThanOrEqual(limitOf(Math.max(0, factor - 1), owed.principal));
      expect(charged('correction')).toBeLessThanOrEqual(limitOf(highest - 1, principal));

      if (one.terms!.interest.kind === 'legal') {
        const byDays = segments.reduce((all, of) => all + of.principal * legalRateOf(one, of.from, of.until), 0);
        expect(charged('interest')).toBeLessThanOrEqual(limitOf(highest, byDays));
        // Rounded down once, so that less than a centavo is lost.
        if (owed.missing.length === 0 && one.credits.length === 0) {
          const rate = legalRateOf(one, owed.countsFrom, one.on);
          const least = owed.days > one.terms!.graceDays ? rate * (principal + owed.correction) : 0;
          expect(owed.interest).toBeGreaterThan(least - 1 - 1e-6 * Math.max(1, principal * 1e-6));
        }
      }
    }),
    { numRuns: 500 },
  );
});

it('corrects a debt that was paid in part as an account whose balance follows the index', () => {
  fc.assert(
    fc.property(question, (one) => {
      const debt = { ...one, terms: { ...one.terms!, correction: 'ipca' as const, graceDays: 0 } };
      const owed = owedOn(debt);
      if (owed.missing.length > 0 || owed.days === 0) return;
      let balance = one.principalCentavos;
      let factor = 1;
      for (const { on, credited, waived } of owed.parts) {
        const now = factorOn(one, on);
        balance *= now / factor;
        factor = now;
        balance -= credited.correction + waived.correction + credited.principal + waived.principal;
      }
      const correction = Math.max(0, (balance * factorOn(one, one.on)) / factor - owed.principal);
      const tolerance = 1e-6 * Math.max(1, one.principalCentavos * 1e-6);
      expect(owed.correction).toBeLessThanOrEqual(correction + tolerance);
      // Each payment, and the day itself, round down once.
      expect(owed.correction).toBeGreaterThan(correction - 2 * (owed.parts.length + 1) - tolerance);
    }),
    { numRuns: 300 },
  );
});

it('asks for no more of any component because something was paid', () => {
  fc.assert(
    fc.property(question, (one) => {
      const owed = owedOn(one);
      const without = owedOn({ ...one, credits: [] });
      // A centavo of legal interest can have been left over while a higher index counted.
      const leftOver = one.terms!.interest.kind === 'legal' && one.terms!.correction === 'ipca' ? 1 : 0;
      for (const component of COMPONENTS) {
        expect(owed[component]).toBeLessThanOrEqual(without[component] + (component === 'interest' ? leftOver : 0));
      }
    }),
    { numRuns: 300 },
  );
});
