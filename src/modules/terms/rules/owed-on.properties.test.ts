import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { addDays, daysBetween, type LocalDate } from '../../../kernel/calendar.ts';
import { MAX_CENTAVOS } from '../../../kernel/money.ts';
import { loadPolicy } from '../../policy/use-cases/load-policy.ts';
import type { Credit } from './credits.ts';
import type { IndexSeries } from './index-series.ts';
import type { LatePaymentTerms } from './late-payment-terms.ts';
import { type OwedQuestion, owedOn } from './owed-on.ts';

const calendar = { holidays: loadPolicy().holidays, states: ['SP', 'RJ'] as const };

const MONTHS = Array.from({ length: 36 }, (_, at) => {
  const month = String((at % 12) + 1).padStart(2, '0');
  return `${2025 + Math.floor(at / 12)}-${month}`;
});
const percent = (most: number) => fc.integer({ min: 0, max: most * 100 }).map((points) => points / 100);
/** Values for most months: a tenth of them is missing. */
const values = (min: number, max: number) =>
  fc
    .array(fc.option(fc.integer({ min, max }), { freq: 9 }), { minLength: 36, maxLength: 36 })
    .map((list) => new Map(list.flatMap((value, at) => (value === null ? [] : [[MONTHS[at]!, value] as const]))));
const indices: fc.Arbitrary<IndexSeries> = fc.record({
  legalRate: values(0, 1_500_000),
  ipca: values(-1_000_000, 2_000_000),
});
const terms: fc.Arbitrary<LatePaymentTerms> = fc.record({
  effectiveFrom: fc.constant('2020-01-01'),
  finePercent: percent(2),
  interest: fc.oneof(
    percent(1).map((value) => ({ kind: 'monthly' as const, percent: value })),
    fc.constantFrom({ kind: 'none' as const, percent: null }, { kind: 'legal' as const, percent: null }),
  ),
  correction: fc.constantFrom('none', 'ipca'),
  graceDays: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 30 })),
  businessDayShift: fc.boolean(),
  clause: fc.constant('Contrato, cláusula 7'),
});
const dueDate = fc.integer({ min: 0, max: 364 }).map((days) => addDays('2025-01-01', days));
const principalCentavos = fc.oneof(
  fc.integer({ min: 1, max: 1_000 }),
  fc.integer({ min: 1, max: 1_000_000 }),
  fc.integer({ min: 1, max: MAX_CENTAVOS }),
);
const daysLater = fc.integer({ min: -10, max: 700 });

const question: fc.Arbitrary<OwedQuestion> = fc
  .record({ terms, principalCentavos, dueDate, indices, daysLater })
  .chain(({ daysLater: days, ...debt }) => {
    const credit = fc.record({
      on: fc.integer({ min: -20, max: 720 }).map((after) => addDays(debt.dueDate, after)),
      amountCentavos: fc.oneof(
        fc.integer({ min: 1, max: 500 }),
        fc.integer({ min: 1, max: Math.ceil(debt.principalCentavos * 0.7) }),
      ),
      waivesRest: fc.boolean().map((waives) => waives && debt.principalCentavos % 5 === 0),
    });
    return fc.array(credit, { maxLength: 6 }).map((credits) => ({
      ...debt,
      calendar,
      credits,
      on: addDays(debt.dueDate, days),
    }));
  });

const withoutPayments = question.map((one) => ({ ...one, credits: [] as Credit[] }));

/** The amounts by the plain reading of the contract, in fractions of a centavo and with floating point. */
const limitOf = (rate: number, principal: number): number => principal * rate + 1e-6 * Math.max(1, principal * 1e-6);

it('charges no component above the limit of the law for the same days', () => {
  fc.assert(
    fc.property(withoutPayments, (one) => {
      const owed = owedOn(one);
      const { principalCentavos: principal, indices: series } = one;
      const { countsFrom, on } = { ...one, ...owed };
      expect(owed.fine).toBeLessThanOrEqual(limitOf(0.02, principal));
      const days = Math.max(0, daysBetween(countsFrom, on));
      if (one.terms!.interest.kind === 'monthly') {
        expect(owed.interest).toBeLessThanOrEqual(limitOf((0.01 * days) / 30, principal));
      }
      let factor = 1;
      for (const month of MONTHS) {
        if (month >= one.dueDate.slice(0, 7) && month < on.slice(0, 7)) {
          factor *= 1 + (series.ipca.get(month) ?? 0) / 1e8;
        }
      }
      expect(owed.correction).toBeLessThanOrEqual(limitOf(Math.max(0, factor - 1), principal));
      if (one.terms!.interest.kind === 'legal') {
        let rate = 0;
        for (let day: LocalDate = countsFrom; day < on; day = addDays(day, 1)) {
          const [year, month] = [Number(day.slice(0, 4)), Number(day.slice(5, 7))];
          rate += (series.legalRate.get(day.slice(0, 7)) ?? 0) / 1e8 / new Date(Date.UTC(year, month, 0)).getUTCDate();
        }
        expect(owed.interest).toBeLessThanOrEqual(limitOf(rate, principal + owed.correction));
        // Rounded down once, so that less than a centavo is lost.
        if (owed.missing.length === 0) {
          const charged = days > one.terms!.graceDays ? rate * (principal + owed.correction) : 0;
          expect(owed.interest).toBeGreaterThan(charged - 1 - 1e-6 * Math.max(1, principal * 1e-6));
        }
      }
    }),
    { numRuns: 500 },
  );
});

it('loses less than a centavo of the fine and of the monthly interest', () => {
  fc.assert(
    fc.property(withoutPayments, (one) => {
      const { fine, interest, days } = owedOn(one);
      const { finePercent, interest: agreed, graceDays } = one.terms!;
      if (days <= graceDays) return expect(fine + interest).toBe(0);
      expect(fine).toBeGreaterThan((one.principalCentavos * finePercent) / 100 - 1.000_001);
      if (agreed.percent === null) return;
      expect(interest).toBeGreaterThan((one.principalCentavos * agreed.percent * days) / 3_000 - 1.000_001);
    }),
  );
});

it('never charges more for the parts of a period than for the whole', () => {
  fc.assert(
    fc.property(
      withoutPayments,
      fc.integer({ min: 0, max: 300 }),
      fc.integer({ min: 0, max: 300 }),
      (one, first, second) => {
        const debt = {
          ...one,
          terms: { ...one.terms!, graceDays: 0, businessDayShift: false, correction: 'none' as const },
        };
        const between = (from: number, until: number) =>
          owedOn({ ...debt, dueDate: addDays(one.dueDate, from), on: addDays(one.dueDate, until) }).interest;
        const whole = owedOn({ ...debt, on: addDays(one.dueDate, first + second) });
        if (whole.missing.length > 0) return;
        expect(between(0, first) + between(first, first + second)).toBeLessThanOrEqual(whole.interest);
      },
    ),
    { numRuns: 300 },
  );
});

it('charges as much for a period however many payments of nothing but interest divide it', () => {
  fc.assert(
    fc.property(withoutPayments, fc.array(fc.integer({ min: 1, max: 600 }), { maxLength: 5 }), (one, days) => {
      const debt = { ...one, on: addDays(one.dueDate, 700), terms: { ...one.terms!, correction: 'none' as const } };
      const whole = owedOn(debt);
      if (whole.missing.length > 0) return;
      const credits: Credit[] = [];
      for (const after of days.toSorted((a, b) => a - b)) {
        const on = addDays(one.dueDate, after);
        const { interest } = owedOn({ ...debt, credits, on });
        if (interest > 0) credits.push({ on, amountCentavos: interest });
      }
      const divided = owedOn({ ...debt, credits });
      expect(divided.total + divided.paid).toBe(whole.total);
    }),
    { numRuns: 200 },
  );
});

it('conserves every centavo of the payments, in whatever order they become known', () => {
  fc.assert(
    fc.property(question, fc.infiniteStream(fc.nat()), (one, order) => {
      const owed = owedOn(one);
      const counted = one.credits.filter(({ on }) => on <= one.on);
      const sum = counted.reduce((all, { amountCentavos }) => all + amountCentavos, 0);
      const credited = owed.parts.map(({ credited: part, excess }) => {
        expect(Math.min(part.interest, part.fine, part.correction, part.principal, excess)).toBeGreaterThanOrEqual(0);
        return part.interest + part.fine + part.correction + part.principal + excess;
      });
      expect(credited).toEqual(
        counted
          .toSorted((left, right) => (left.on < right.on ? -1 : left.on > right.on ? 1 : 0))
          .map(({ amountCentavos }) => amountCentavos),
      );
      expect(owed.paid).toBe(sum);
      const principal = owed.parts.reduce(
        (all, { credited: part, waived }) => all + part.principal + waived.principal,
        0,
      );
      expect(owed.principal + principal).toBe(one.principalCentavos);
      expect(Math.min(owed.interest, owed.fine, owed.correction, owed.principal)).toBeGreaterThanOrEqual(0);
      expect(owed.total).toBe(owed.principal + owed.fine + owed.interest + owed.correction);

      const days = new Set(counted.map(({ on }) => on));
      if (days.size < counted.length) return;
      const shuffled = one.credits
        .map((credit) => ({ credit, place: order.next().value! }))
        .toSorted((left, right) => left.place - right.place);
      expect(owedOn({ ...one, credits: shuffled.map(({ credit }) => credit) })).toEqual(owed);
    }),
    { numRuns: 1_000 },
  );
});

it('takes two payments of one day as one', () => {
  fc.assert(
    fc.property(question, fc.nat(), (one, cut) => {
      const credits = one.credits.map((credit) => ({ ...credit, waivesRest: false }));
      const [first, ...rest] = credits;
      if (first === undefined) return;
      const part = cut % first.amountCentavos;
      const halves = [
        { ...first, amountCentavos: part },
        { ...first, amountCentavos: first.amountCentavos - part },
      ];
      const { parts: _, ...divided } = owedOn({ ...one, credits: [...halves, ...rest] });
      const { parts: __, ...whole } = owedOn({ ...one, credits });
      expect(divided).toEqual(whole);
    }),
    { numRuns: 300 },
  );
});

it('is the same without a payment that came and was taken back', () => {
  fc.assert(
    fc.property(question, (one) => {
      const credits = one.credits.filter((_, at) => at > 0);
      const again = one.credits.map((credit, at) =>
        at === 0 ? { ...credit, amountCentavos: 0, waivesRest: false } : credit,
      );
      const { parts: _, ...without } = owedOn({ ...one, credits });
      const { parts: __, ...taken } = owedOn({ ...one, credits: again });
      expect(taken).toEqual(without);
    }),
    { numRuns: 300 },
  );
});

it('never owes less on a later day, where no index can fall or be missing', () => {
  fc.assert(
    fc.property(question, fc.nat({ max: 400 }), (one, more) => {
      const debt = { ...one, terms: { ...one.terms!, correction: 'none' as const } };
      if (debt.terms.interest.kind === 'legal') return;
      const last = [debt.on, ...debt.credits.map(({ on }) => on)].toSorted().at(-1)!;
      expect(owedOn({ ...debt, on: addDays(last, more) }).total).toBeGreaterThanOrEqual(
        owedOn({ ...debt, on: last }).total,
      );
    }),
  );
});
