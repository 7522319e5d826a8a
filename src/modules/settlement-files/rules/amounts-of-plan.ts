import type { LocalDate } from '../../../kernel/calendar.ts';
import { fittingAmounts, type MatchableDebt, type PaidByFile } from './matchable-debt.ts';

interface AmountsOfDay {
  readonly day: LocalDate;
  readonly amounts: readonly number[];
}

const ownerOf = ({ id, agreementId }: MatchableDebt): string => agreementId ?? id;

/**
 * The amounts that fit each debt, with what the file has paid before. Many rows ask for the same debt and day, and rows are
 * matched day by day: so those of a debt's last day are remembered until the file pays the debt or its agreement.
 */
export class AmountsOfPlan {
  readonly #paid = new Map<string, PaidByFile[]>();
  readonly #known = new Map<string, Map<string, AmountsOfDay>>();

  fit(debt: MatchableDebt, { amountCentavos, paidAt }: PaidByFile): boolean {
    return this.of(debt, paidAt).includes(amountCentavos);
  }

  of(debt: MatchableDebt, paidAt: Date): readonly number[] {
    if (debt.amounts === null) return [];
    const owner = ownerOf(debt);
    const day = debt.amounts.dayOf(paidAt);
    const ofOwner = this.#known.get(owner) ?? new Map<string, AmountsOfDay>();
    const known = ofOwner.get(debt.id);
    if (known?.day === day) return known.amounts;
    const amounts = fittingAmounts(debt, paidAt, this.#paid.get(owner) ?? []);
    this.#known.set(owner, ofOwner.set(debt.id, { day, amounts }));
    return amounts;
  }

  pay(debt: MatchableDebt, { amountCentavos, paidAt }: PaidByFile): void {
    const owner = ownerOf(debt);
    this.#paid.set(owner, [...(this.#paid.get(owner) ?? []), { amountCentavos, paidAt }]);
    this.#known.delete(owner);
  }
}
