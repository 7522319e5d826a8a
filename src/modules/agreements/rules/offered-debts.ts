import type { LocalDate } from '../../../kernel/calendar.ts';
import { type DebtStatus, OWED_DEBT_STATUSES } from '../../../kernel/debt-status.ts';
import { type OffersPolicy, type OwedDebt, owedCentavos } from './offers-policy.ts';

export const NO_OFFER_REASONS = [
  'no_policy',
  'disputed',
  'prescribed',
  'hardship',
  'opted_out',
  'needs_person',
  'state',
] as const;
export type NoOfferReason = (typeof NO_OFFER_REASONS)[number];

/** One debt of the person with the client, as it is today. */
export interface OfferableDebt extends OwedDebt {
  readonly status: DebtStatus | 'AGREEMENT';
  /** The place in the order of import, which decides between debts that fell due on one day. */
  readonly importedAs: number;
  readonly prescribed: boolean;
  readonly hardship: boolean;
  readonly optedOut: boolean;
  /** News of the person's death came, about which a person of the staff has not decided yet. */
  readonly died: boolean;
  /** The operator has cancelled the client for good, so that nobody could decide about a new agreement. */
  readonly clientCancelled: boolean;
}

/** Returns why a debt may not be offered an agreement, or null when it may. */
export function whyNotOffered(debt: OfferableDebt): NoOfferReason | null {
  const { status } = debt;
  if (debt.clientCancelled) return 'state';
  if (status === 'AGREEMENT' || status === 'IMPORTED' || !OWED_DEBT_STATUSES.includes(status)) return 'state';
  if (status === 'DISPUTED') return 'disputed';
  if (debt.prescribed) return 'prescribed';
  if (debt.hardship) return 'hardship';
  if (debt.optedOut || status === 'OPTED_OUT') return 'opted_out';
  if (debt.died) return 'needs_person';
  // Nothing is collected before the debt is late, and there is nothing to negotiate either.
  return debt.daysLate < 1 || owedCentavos(debt) < 1 ? 'state' : null;
}

interface InOrder {
  readonly dueDate: LocalDate;
  readonly importedAs: number;
}

/** Returns debts in the order in which money is credited to them: the oldest due date, then the order of import. */
export const inPaymentOrder = <Debt extends InOrder>(debts: readonly Debt[]): Debt[] =>
  debts.toSorted((left, right) =>
    left.dueDate === right.dueDate ? left.importedAs - right.importedAs : left.dueDate < right.dueDate ? -1 : 1,
  );

export type OfferedDebts =
  | { readonly reason: null; readonly debts: readonly OfferableDebt[] }
  | { readonly reason: NoOfferReason };

/**
 * Returns all debts of the person that may be offered together when offers for one of them are asked for. The debts that
 * may not be offered are left out, unless the one that was asked for is among them.
 */
export function offeredDebts(
  policy: OffersPolicy | null,
  debtsOfPerson: readonly OfferableDebt[],
  debtId: string,
): OfferedDebts {
  if (policy === null) return { reason: 'no_policy' };
  const asked = debtsOfPerson.find((debt) => debt.debtId === debtId);
  const reason = asked === undefined ? 'state' : whyNotOffered(asked);
  if (reason !== null) return { reason };
  const debts = inPaymentOrder(debtsOfPerson.filter((debt) => whyNotOffered(debt) === null));
  const together = debts.reduce((sum, debt) => sum + owedCentavos(debt), 0);
  const limit = policy.personAboveCentavos;
  return limit !== null && together > limit ? { reason: 'needs_person' } : { reason: null, debts };
}
