import type { LocalDate } from '../../../kernel/calendar.ts';
import { creditedParts, type DebtPayments } from '../../debts/rules/debt-payments.ts';

/** How the money of a payment is credited, as its row stores it. */
export interface CreditedColumns {
  readonly principalCentavos: number;
  readonly fineCentavos: number;
  readonly interestCentavos: number;
  readonly correctionCentavos: number;
}

/** What a code asks for beside the principal. */
export interface AskedParts {
  readonly askedFineCentavos: number;
  readonly askedInterestCentavos: number;
  readonly askedCorrectionCentavos: number;
}

/** Centavos beside the principal. */
export interface Charges {
  readonly fine: number;
  readonly interest: number;
  readonly correction: number;
}

export const NO_CHARGES: Charges = { fine: 0, interest: 0, correction: 0 };

export const NOT_CREDITED: CreditedColumns = {
  principalCentavos: 0,
  fineCentavos: 0,
  interestCentavos: 0,
  correctionCentavos: 0,
};

/** Returns the columns of every confirmed payment; what went back is credited to nothing. */
export function creditedColumns(debt: DebtPayments): ReadonlyMap<string, CreditedColumns> {
  const parts = creditedParts(debt);
  return new Map(
    debt.payments.flatMap(({ id, on }) => {
      if (on === null) return [];
      const { principal = 0, fine = 0, interest = 0, correction = 0 } = parts.get(id) ?? {};
      return [
        [
          id,
          {
            principalCentavos: principal,
            fineCentavos: fine,
            interestCentavos: interest,
            correctionCentavos: correction,
          },
        ] as const,
      ];
    }),
  );
}

/** Returns how a payment is credited now, when that is not what is stored. */
export function changedCredit(
  stored: CreditedColumns & { readonly id: string },
  credited: ReadonlyMap<string, CreditedColumns>,
): CreditedColumns | undefined {
  const now = credited.get(stored.id);
  const isStored =
    now === undefined ||
    (stored.principalCentavos === now.principalCentavos &&
      stored.fineCentavos === now.fineCentavos &&
      stored.interestCentavos === now.interestCentavos &&
      stored.correctionCentavos === now.correctionCentavos);
  return isStored ? undefined : now;
}

export const withCredits = <Charge extends { readonly id: string }>(
  charges: readonly Charge[],
  credited: ReadonlyMap<string, CreditedColumns>,
): Charge[] => charges.map((charge) => ({ ...charge, ...credited.get(charge.id) }));

export const chargesOf = (credited: readonly CreditedColumns[]): Charges => ({
  fine: credited.reduce((sum, { fineCentavos }) => sum + fineCentavos, 0),
  interest: credited.reduce((sum, { interestCentavos }) => sum + interestCentavos, 0),
  correction: credited.reduce((sum, { correctionCentavos }) => sum + correctionCentavos, 0),
});

export const hasCharges = ({ fine, interest, correction }: Charges): boolean =>
  fine !== 0 || interest !== 0 || correction !== 0;

/** The counters of a campaign's day. */
export const chargedCounts = ({ fine, interest, correction }: Charges) => ({
  chargedFineCentavos: fine,
  chargedInterestCentavos: interest,
  chargedCorrectionCentavos: correction,
});

export const minus = (charges: Charges, less: Charges): Charges => ({
  fine: charges.fine - less.fine,
  interest: charges.interest - less.interest,
  correction: charges.correction - less.correction,
});

type Counted = CreditedColumns &
  AskedParts & { readonly askedOn: LocalDate | null; readonly creditedOn: LocalDate | null };

const most = (one: Charges, other: Charges): Charges => ({
  fine: Math.max(one.fine, other.fine),
  interest: Math.max(one.interest, other.interest),
  correction: Math.max(one.correction, other.correction),
});

/**
 * Returns the most that was charged of each part so far: by a code, with what had been paid by its day, or by all
 * payments together. A renewed code counts what it adds.
 */
export const chargedSoFar = (charges: readonly Counted[]): Charges =>
  charges.reduce<Charges>((sum, { askedOn, askedFineCentavos, askedInterestCentavos, askedCorrectionCentavos }) => {
    if (askedOn === null) return sum;
    const before = chargesOf(charges.filter(({ creditedOn }) => creditedOn !== null && creditedOn < askedOn));
    return most(sum, {
      fine: before.fine + askedFineCentavos,
      interest: before.interest + askedInterestCentavos,
      correction: before.correction + askedCorrectionCentavos,
    });
  }, chargesOf(charges));
