/**
 * `node bench/quotes.ts` computes what is owed of 10,000 debts that are up to three years late, by the Taxa Legal with
 * and without a correction. The goal is one second.
 */
import { addDays } from '../src/kernel/calendar.ts';
import { owedOfDebt } from '../src/modules/debts/use-cases/owed.ts';
import { loadPolicy } from '../src/modules/policy/use-cases/load-policy.ts';
import { CORRECTIONS } from '../src/modules/terms/rules/late-payment-terms.ts';
import { TERMS } from '../testing/late-payment-terms.ts';
import { report } from './support/report.ts';

const QUOTES = 10_000;
const FIRST_DUE = '2024-09-02';
const ON = '2027-09-01';

const MONTHS = Array.from({ length: 37 }, (_, at) => {
  const month = at + 8;
  return `${2024 + Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`;
});
const indices = Object.fromEntries(
  MONTHS.flatMap((month, at) => [
    [`29543:${month}`, 755_714 + 1_013 * at],
    [`433:${month}`, 410_000 + 10_000 * at],
  ]),
);
const { holidays } = loadPolicy();

for (const correction of CORRECTIONS) {
  const terms = { ...TERMS, id: 'terms', interest: { kind: 'legal' as const, percent: null }, correction };
  const start = performance.now();
  let interest = 0;
  for (let debt = 0; debt < QUOTES; debt += 1) {
    const owed = owedOfDebt(
      {
        amountCentavos: 100_000 + debt,
        dueDate: addDays(FIRST_DUE, debt % 60),
        terms,
        // The context of each debt brings values of its own.
        indices: { ...indices },
        credits: [],
        debtorPhone: '+5511980000001',
        phones: ['+5511980000001'],
        clockOffsetMs: 0,
      },
      ON,
      holidays,
    );
    if (owed.missing.length > 0) throw new Error(`a month is missing: ${owed.missing.join(', ')}`);
    interest += owed.interest;
  }
  const seconds = (performance.now() - start) / 1000;
  if (interest === 0) throw new Error('no interest was charged');
  report(
    `${QUOTES} quotes of three years by the Taxa Legal, correction ${correction}: ${seconds.toFixed(2)} s (goal 1)`,
    {
      name: `quotes by the Taxa Legal, correction ${correction}`,
      value: seconds,
      unit: 's',
      better: 'less',
      goal: { of: 'value', limit: 1 },
    },
  );
}
