/** Arbitrary debts under arbitrary terms, for the properties of what is owed. */
import fc from 'fast-check';
import { addDays } from '../src/kernel/calendar.ts';
import { MAX_CENTAVOS } from '../src/kernel/money.ts';
import { loadPolicy } from '../src/modules/policy/use-cases/load-policy.ts';
import type { Credit } from '../src/modules/terms/rules/credits.ts';
import type { IndexSeries } from '../src/modules/terms/rules/index-series.ts';
import type { LatePaymentTerms } from '../src/modules/terms/rules/late-payment-terms.ts';
import type { OwedQuestion } from '../src/modules/terms/rules/owed-on.ts';

const calendar = { holidays: loadPolicy().holidays, states: ['SP', 'RJ'] as const };

export const MONTHS = Array.from({ length: 36 }, (_, at) => {
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

/** A debt with up to six payments. */
export const question: fc.Arbitrary<OwedQuestion> = fc
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

export const withoutPayments = question.map((one) => ({ ...one, credits: [] as Credit[] }));
