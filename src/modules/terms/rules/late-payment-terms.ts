import type { LocalDate } from '../../../kernel/calendar.ts';
import type { FieldProblem } from '../../../kernel/errors.ts';

export const INTEREST_KINDS = ['none', 'monthly', 'legal'] as const;
export type InterestKind = (typeof INTEREST_KINDS)[number];

export const CORRECTIONS = ['none', 'ipca'] as const;
export type Correction = (typeof CORRECTIONS)[number];

/** What a client charges for late payment, as `/api/terms` takes and shows it. A stored version never changes. */
export interface LatePaymentTerms {
  /** The debts that fall due on this day or later take this version, until a later version begins. */
  readonly effectiveFrom: LocalDate;
  /** Percent of the principal, charged once; at most two decimals. */
  readonly finePercent: number;
  readonly interest: {
    readonly kind: InterestKind;
    /** Percent a month, at most two decimals; null unless the kind is `monthly`. */
    readonly percent: number | null;
  };
  readonly correction: Correction;
  /** So many days after the day from which days count nothing is charged. */
  readonly graceDays: number;
  /** True when days count from the next business day after a due date that is none. */
  readonly businessDayShift: boolean;
  /** Where the contract with the debtor says so. */
  readonly clause: string | null;
}

/** A version that was stored. */
export interface StoredTerms extends LatePaymentTerms {
  readonly id: string;
}

export interface LegalLimit {
  readonly maxPercent: number;
  readonly source: string;
}

export const LEGAL_LIMITS = {
  fine: { maxPercent: 2, source: 'Código de Defesa do Consumidor, art. 52, § 1º' },
  /**
   * The Usury Law forbids more than twice the legal rate, which changes every month. 1 % a month is what courts accept
   * everywhere as agreed interest for delay, so that it is the limit here.
   */
  monthlyInterest: { maxPercent: 1, source: 'Decreto 22.626/1933, art. 1º, and Código Civil, art. 406' },
} as const satisfies Record<string, LegalLimit>;

export const MAX_GRACE_DAYS = 30;
export const CLAUSE_LENGTH = { least: 10, most: 500 } as const;

/** Returns a percentage in hundredths of a percent; null for a negative one, and for one with more than two decimals. */
export const basisPoints = (percent: number): number | null => {
  const points = Math.round(percent * 100);
  // 1.15 * 100 is 114.99999999999999, so only the division back shows whether the decimal number was exact.
  return points / 100 === percent && points >= 0 ? points : null;
};

/** Converts a percentage that was checked when it was stored. */
export const pointsOf = (percent: number): bigint => BigInt(Math.round(percent * 100));

const problem = (pointer: string, code: string, message: string): FieldProblem => ({ pointer, code, message });

/** Returns what is wrong with a percentage that has a legal limit, or null. */
export function percentProblem(
  percent: number,
  { maxPercent, source }: LegalLimit,
): Pick<FieldProblem, 'code' | 'message'> | null {
  if (percent > maxPercent) {
    return { code: 'above_legal_limit', message: `At most ${maxPercent} percent is lawful: ${source}` };
  }
  return basisPoints(percent) === null
    ? { code: 'invalid_value', message: 'A percentage is not negative and has at most two decimals' }
    : null;
}

/** Tells whether the terms ever add anything to a principal. */
export const charges = ({
  finePercent,
  interest,
  correction,
}: Pick<LatePaymentTerms, 'finePercent' | 'interest' | 'correction'>): boolean =>
  finePercent > 0 || interest.kind === 'legal' || (interest.percent ?? 0) > 0 || correction !== 'none';

/** Returns what kind and percentage of an interest forbid each other, or null. */
export function interestProblem({ kind, percent }: LatePaymentTerms['interest']): FieldProblem | null {
  if (kind === 'monthly' && percent === null) {
    return problem('/interest/percent', 'required', 'Monthly interest needs its percentage');
  }
  return kind !== 'monthly' && (percent ?? 0) !== 0
    ? problem('/interest/percent', 'invalid_value', 'Only monthly interest has a percentage')
    : null;
}

/** Returns that the clause is missing of what is charged, or null. */
export const clauseProblem = (
  terms: Pick<LatePaymentTerms, 'finePercent' | 'interest' | 'correction' | 'clause'>,
): FieldProblem | null =>
  charges(terms) && terms.clause === null
    ? problem('/clause', 'required', 'What is charged needs the clause of the contract that says so')
    : null;

/**
 * Returns the version that a debt takes: the one with the latest beginning that is not after the due date. Of two that
 * begin on the same day the one that was stored later counts, because a version can only be corrected by another one.
 */
export const termsFor = <Version extends Pick<LatePaymentTerms, 'effectiveFrom'>>(
  inOrderOfStoring: readonly Version[],
  dueDate: LocalDate,
): Version | null =>
  inOrderOfStoring.reduce<Version | null>(
    (best, version) =>
      version.effectiveFrom <= dueDate && (best === null || version.effectiveFrom >= best.effectiveFrom)
        ? version
        : best,
    null,
  );
