import type { LocalDate } from '../../../kernel/calendar.ts';
import { type Credit, inOrderOfDays } from '../../terms/rules/credits.ts';
import { type IndebtedFor, owedOn } from '../../terms/rules/owed-on.ts';

export interface SharedMoney {
  /** What each debt gets, in the order of the debts. */
  readonly shares: readonly number[];
  /** What is more than all debts have open. */
  readonly excess: number;
}

/** Credits money to one debt after the other, each up to what it has open. */
export function creditInOrder(openCentavos: readonly number[], amountCentavos: number): SharedMoney {
  let excess = amountCentavos;
  const shares = openCentavos.map((open) => {
    const share = Math.min(open, excess);
    excess -= share;
    return share;
  });
  return { shares, excess };
}

/** A debt of an agreement that ends, with what was credited to it before the agreement. */
export interface RestoredDebt extends IndebtedFor {
  readonly credits: readonly Credit[];
}

/**
 * Returns what a debt owes as if there had been no agreement, on the day of money that comes to it, or on that of its
 * latest credit.
 */
export function openAsBefore(debt: RestoredDebt, on: LocalDate): number {
  const last = [...debt.credits.map((credit) => credit.on), on].toSorted().at(-1)!;
  return owedOn({ ...debt, on: last }).total;
}

/**
 * Returns the credits of each debt when discount and dates fall away: every payment of the agreement is a part payment
 * of its day, credited to the first debt that owes something on that day as if there had been no agreement.
 */
export function restoredCredits(debtsInOrder: readonly RestoredDebt[], payments: readonly Credit[]) {
  const credits = debtsInOrder.map((debt) => [...debt.credits]);
  let excess = 0;
  for (const { on, amountCentavos } of inOrderOfDays(payments)) {
    const open = debtsInOrder.map((debt, at) => openAsBefore({ ...debt, credits: credits[at]! }, on));
    const money = creditInOrder(open, amountCentavos);
    money.shares.forEach((share, at) => {
      if (share > 0) credits[at]!.push({ on, amountCentavos: share });
    });
    excess += money.excess;
  }
  return { credits, excess };
}
