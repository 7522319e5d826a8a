import type { LocalDate } from '../../../../kernel/calendar.ts';
import { offeredDebts, whyNotOffered } from '../../../agreements/rules/offered-debts.ts';
import { bestOffer, type DebtOfOffer } from '../../../agreements/rules/offers.ts';
import type { OffersPolicy } from '../../../agreements/rules/offers-policy.ts';
import type { RehearsedDebt } from './rehearsed-debt.ts';

/** What could be offered about the campaign's debts on the day of the launch, in centavos. */
export interface RehearsedOffers {
  readonly debts: number;
  readonly owed: number;
  /** What would be paid of it by the offers with the best discount. */
  readonly withBestDiscount: number;
}

type Offered = Pick<RehearsedDebt, 'debtId' | 'personKey' | 'isOwn' | 'offerable'>;

/** An offer is about all debts of a person, so that those of other campaigns count for its limits, and not in the sums. */
export function rehearsedOffers(policy: OffersPolicy, debts: readonly Offered[], today: LocalDate): RehearsedOffers {
  const own = new Set(debts.flatMap(({ debtId, isOwn }) => (isOwn ? [debtId] : [])));
  const offered = [...Map.groupBy(debts, ({ personKey }) => personKey).values()]
    .flatMap((ofPerson) => offeredToPerson(policy, ofPerson, today))
    .filter(({ debtId }) => own.has(debtId));
  const owed = offered.reduce((sum, { owedCentavos }) => sum + owedCentavos, 0);
  const discount = offered.reduce((sum, { discountCentavos }) => sum + discountCentavos, 0);
  return { debts: offered.length, owed, withBestDiscount: owed - discount };
}

function offeredToPerson(policy: OffersPolicy, ofPerson: readonly Offered[], today: LocalDate): DebtOfOffer[] {
  const debts = ofPerson.flatMap(({ offerable }) => offerable ?? []);
  const first = debts.find((debt) => whyNotOffered(debt) === null);
  if (first === undefined) return [];
  const offered = offeredDebts(policy, debts, first.debtId);
  return offered.reason === null ? (bestOffer({ policy, debts: offered.debts, today }) ?? []) : [];
}
