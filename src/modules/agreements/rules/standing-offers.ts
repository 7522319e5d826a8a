import type { LocalDate } from '../../../kernel/calendar.ts';
import { type OfferableDebt, whyNotOffered } from './offered-debts.ts';
import type { DebtOfOffer } from './offers.ts';

/** What an offer relies on: it stands only while this is so. */
export interface DebtBasis {
  /** The amount of the debt, or the share of it that a broken agreement has left owed. */
  readonly originalCentavos: number;
  readonly dueDate: LocalDate;
  /** What was paid of the debt, and not given back. */
  readonly paidCentavos: number;
}

export type OfferedDebt = DebtOfOffer & DebtBasis;

export interface MadeOffer {
  readonly debts: readonly OfferedDebt[];
  readonly validUntil: LocalDate;
  readonly policyVersion: number;
  readonly acceptedAt: Date | null;
}

export interface PersonToday {
  readonly today: LocalDate;
  readonly debts: readonly (OfferableDebt & DebtBasis)[];
  /** The version by which the client last removed its policy; 0 when it never did. */
  readonly removedIn: number;
}

/**
 * Returns whether an offer can still be accepted. It never changes; it ends after its last day, when one of its debts may
 * not be offered any more, when money came or went back, when amount or due date were corrected, when a broken
 * agreement has left another amount owed, and when the client removes its policy. Another policy, and charges that grow,
 * leave the client's word as it was given.
 */
export function stands(offer: MadeOffer, { today, debts, removedIn }: PersonToday): boolean {
  if (offer.acceptedAt !== null || today > offer.validUntil || offer.policyVersion < removedIn) return false;
  return offer.debts.every((then) => {
    const now = debts.find(({ debtId }) => debtId === then.debtId);
    return (
      now !== undefined &&
      whyNotOffered(now) === null &&
      now.originalCentavos === then.originalCentavos &&
      now.dueDate === then.dueDate &&
      now.paidCentavos === then.paidCentavos
    );
  });
}
