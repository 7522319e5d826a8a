import type { FieldProblem } from '../../../kernel/errors.ts';
import { formatReais, MAX_CENTAVOS } from '../../../kernel/money.ts';
import { possibleCounts, smallestEntry } from './offers.ts';
import type { OffersPolicy, OwedDebt } from './offers-policy.ts';

/**
 * Returns what of a policy no debt can ever get, with an example. Whoever owes anything may always pay it at once, so that
 * only instalments can be promised and never given: an entry of everything, or a smallest instalment that is too large
 * for what is offered without a person. The example owes as much as a debt may, and nothing of it is discounted, because
 * whatever that gets no instalments, nothing gets any.
 */
export function unusablePolicy(policy: OffersPolicy): FieldProblem[] {
  const { bands, maxInstalments, minInstalmentCentavos, personAboveCentavos } = policy;
  if (maxInstalments < 2) return [];
  const total = Math.min(personAboveCentavos ?? MAX_CENTAVOS, MAX_CENTAVOS);
  const examples = [1, ...bands.flatMap(({ fromDays, toDays }) => [Math.max(1, fromDays), (toDays ?? fromDays) + 1])];
  const isUsable = examples.some((daysLate) =>
    possibleCounts({ policy, debts: [example(total, daysLate)], today: '2026-01-01' }).some((count) => count > 1),
  );
  if (isUsable) return [];
  const entry = smallestEntry(policy, total) ?? Math.floor(total / 2);
  const message = `No debt would ever get instalments. For example, of ${formatReais(total)} an entry of ${formatReais(
    entry,
  )} leaves ${formatReais(total - entry)} for the second instalment, and the smallest is ${formatReais(
    minInstalmentCentavos,
  )}. Set maxInstalments to 1, or lower minEntryPercent or minInstalment, or raise personAbove`;
  return [{ pointer: '/maxInstalments', code: 'never_offered', message }];
}

const example = (principalCentavos: number, daysLate: number): OwedDebt => ({
  debtId: 'example',
  dueDate: '2026-01-01',
  daysLate,
  principalCentavos,
  chargesCentavos: 0,
});
