import type { FieldProblem } from '../../../kernel/errors.ts';
import { pointsOf } from '../../terms/rules/late-payment-terms.ts';

/** The largest discount of debts that are late by so many days, ends included. */
export interface DiscountBand {
  readonly fromDays: number;
  /** Null for a band without an end. */
  readonly toDays: number | null;
  readonly maxDiscountPercent: number;
}

/** Whether a discount counts on fine, interest and correction alone, or on the principal too. */
export const DISCOUNTS_ON = ['charges', 'all'] as const;
export type DiscountOn = (typeof DISCOUNTS_ON)[number];

/** What an agreement becomes when it is broken: the debts as they were, or the rest that was agreed. */
export const AFTER_BREACH = ['restore', 'keep'] as const;
export type AfterBreach = (typeof AFTER_BREACH)[number];

/** What a client offers to its debtors, as `/api/offers/policy` takes and shows it; amounts are centavos here. */
export interface OffersPolicy {
  readonly bands: readonly DiscountBand[];
  readonly discountOn: DiscountOn;
  readonly minEntryPercent: number;
  readonly minInstalmentCentavos: number;
  /** The entry is one of them. */
  readonly maxInstalments: number;
  readonly maxDaysToFirst: number;
  /** For how many days an offer can be accepted. */
  readonly holdDays: number;
  /** How often a proposal of the debtor is answered by an offer before a person has to look. */
  readonly maxOffers: number;
  /** Above this amount together a person decides; null when there is no such amount. */
  readonly personAboveCentavos: number | null;
  readonly breach: { readonly afterDays: number; readonly then: AfterBreach };
  /** How often the debtor may move an instalment. */
  readonly graceMoves: number;
}

/** Five years: the longest plan of the Consumer Code (art. 104-A). */
export const MAX_INSTALMENTS = 60;
export const BREACH_DAYS = { least: 5, most: 60 } as const;
export const MAX_GRACE_MOVES = 3;
/** Far more than a policy needs; a century of days is later than any prescription. */
export const LIMITS = { bands: 50, days: 36_500, daysToFirst: 90, holdDays: 90, offers: 50 } as const;

/** What a debt of an offer owes today. */
export interface OwedDebt {
  readonly debtId: string;
  readonly dueDate: string;
  readonly daysLate: number;
  readonly principalCentavos: number;
  /** Fine, interest and correction. */
  readonly chargesCentavos: number;
}

export const owedCentavos = ({ principalCentavos, chargesCentavos }: OwedDebt): number =>
  principalCentavos + chargesCentavos;

/** Returns a share of an amount, rounded down. */
export const shareDown = (centavos: number, percent: number): number =>
  Number((BigInt(centavos) * pointsOf(percent)) / 10_000n);

/** Returns a share of an amount, rounded up. */
export const shareUp = (centavos: number, percent: number): number =>
  Number((BigInt(centavos) * pointsOf(percent) + 9_999n) / 10_000n);

/** Returns the part of a debt of which the policy gives a discount. */
export const discountable = ({ discountOn }: Pick<OffersPolicy, 'discountOn'>, debt: OwedDebt): number =>
  discountOn === 'charges' ? debt.chargesCentavos : owedCentavos(debt);

/** Returns the largest discount of one debt. A debt that is in no band gets none. */
export function largestDiscount(policy: Pick<OffersPolicy, 'bands' | 'discountOn'>, debt: OwedDebt): number {
  const band = policy.bands.find(
    ({ fromDays, toDays }) => debt.daysLate >= fromDays && (toDays === null || debt.daysLate <= toDays),
  );
  return band === undefined ? 0 : shareDown(discountable(policy, debt), band.maxDiscountPercent);
}

/** Returns what contradicts itself; types, bounds, percentages and amounts are checked before. */
export function offersPolicyProblems({
  bands,
  discountOn,
}: Pick<OffersPolicy, 'bands' | 'discountOn'>): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const add = (pointer: string, message: string) => problems.push({ pointer, code: 'invalid_value', message });
  bands.forEach(({ fromDays, toDays, maxDiscountPercent }, at) => {
    const end = toDays ?? Number.POSITIVE_INFINITY;
    if (end < fromDays) add(`/bands/${at}/toDays`, 'The band ends before it begins');
    if (discountOn === 'all' && maxDiscountPercent === 100) {
      add(`/bands/${at}/maxDiscountPercent`, 'A discount of everything leaves nothing to agree on');
    }
    const overlaps = bands
      .slice(0, at)
      .some((other) => other.fromDays <= end && fromDays <= (other.toDays ?? Number.POSITIVE_INFINITY));
    if (overlaps) add(`/bands/${at}/fromDays`, 'The band overlaps another one');
  });
  return problems;
}
