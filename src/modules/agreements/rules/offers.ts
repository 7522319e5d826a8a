import { addDays, dateOf, daysBetween, type LocalDate, partsOf } from '../../../kernel/calendar.ts';
import type { DebtorCalendar } from '../../terms/rules/counted-days.ts';
import { type Instalment, instalmentAmounts, maxInstalmentsOf, planInstalments } from './instalments.ts';
import {
  discountable,
  largestDiscount,
  type OffersPolicy,
  type OwedDebt,
  owedCentavos,
  shareDown,
  shareUp,
} from './offers-policy.ts';

export interface DebtOfOffer {
  readonly debtId: string;
  readonly owedCentavos: number;
  readonly discountCentavos: number;
}

export const OFFER_KINDS = ['cash', 'instalments'] as const;
export type OfferKind = (typeof OFFER_KINDS)[number];

/** An offer never changes: one that ended is followed by new ones. */
export interface Offer {
  /** The number by which the debtor accepts it in words. */
  readonly number: number;
  readonly kind: OfferKind;
  /** In the order in which money is credited to them. */
  readonly debts: readonly DebtOfOffer[];
  readonly totalCentavos: number;
  readonly discountCentavos: number;
  readonly entryCentavos: number;
  readonly instalments: readonly Instalment[];
  /** The last day on which it can be accepted. */
  readonly validUntil: LocalDate;
}

export interface OfferContext {
  readonly policy: OffersPolicy;
  /** In the order in which money is credited to them. */
  readonly debts: readonly OwedDebt[];
  readonly today: LocalDate;
  readonly calendar: DebtorCalendar;
  /** The number of the first offer that is made now. */
  readonly nextNumber: number;
}

type Asked = Pick<OfferContext, 'policy' | 'debts' | 'today'>;

const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + amount, 0);

/**
 * Shares a discount over debts in proportion to what each may get. The last takes the rest, as far as it may; what is
 * more goes to the debts before it, so that no debt gets more than its own limit.
 */
export function shareDiscount(discount: number, limits: readonly number[]): number[] {
  const all = BigInt(sumOf(limits));
  const shares = limits.map((limit) => (all === 0n ? 0 : Number((BigInt(discount) * BigInt(limit)) / all)));
  let rest = discount - sumOf(shares);
  for (let at = shares.length - 1; at >= 0 && rest > 0; at--) {
    const more = Math.min(rest, limits[at]! - shares[at]!);
    shares[at]! += more;
    rest -= more;
  }
  return shares;
}

interface Plan {
  readonly discount: number;
  readonly limits: readonly number[];
  readonly count: number;
  readonly entry: number | null;
  readonly first: LocalDate;
  readonly validUntil: LocalDate;
}

function makeOffer({ debts, calendar }: OfferContext, number: number, plan: Plan): Offer {
  const shares = shareDiscount(plan.discount, plan.limits);
  const total = sumOf(debts.map(owedCentavos)) - plan.discount;
  const instalments = planInstalments(total, plan.count, plan.entry, plan.first, calendar);
  return {
    number,
    kind: plan.count === 1 ? 'cash' : 'instalments',
    debts: debts.map((debt, at) => ({
      debtId: debt.debtId,
      owedCentavos: owedCentavos(debt),
      discountCentavos: shares[at]!,
    })),
    totalCentavos: total,
    discountCentavos: plan.discount,
    entryCentavos: instalments[0]!.amountCentavos,
    instalments,
    validUntil: plan.validUntil,
  };
}

/** Up to so many instalments are few: they get half of the largest discount, and more of them get none. */
const FEW = 3;

/** Returns the smallest entry of the policy; null when it asks for none, and all instalments are alike. */
export const smallestEntry = (
  { minEntryPercent, minInstalmentCentavos }: OffersPolicy,
  total: number,
): number | null =>
  minEntryPercent === 0 ? null : Math.min(total, Math.max(minInstalmentCentavos, shareUp(total, minEntryPercent)));

/**
 * Of several debts a discount leaves at least one centavo of each, because only a payment settles a debt. One debt of which
 * nothing would be left is offered nothing.
 */
const leavingSome = (debts: readonly OwedDebt[], discounts: readonly number[]): number[] =>
  debts.map((debt, at) => (debts.length === 1 ? discounts[at]! : Math.min(discounts[at]!, owedCentavos(debt) - 1)));

const leavesNothing = (debts: readonly OwedDebt[], discounts: readonly number[]): boolean =>
  sumOf(discounts) >= sumOf(debts.map(owedCentavos));

const largestOf = ({ policy, debts }: Asked): number[] => debts.map((debt) => largestDiscount(policy, debt));

const limitsOf = (asked: Asked): number[] => leavingSome(asked.debts, largestOf(asked));

/** Returns the plan that the policy makes of a number of instalments, or null when it makes none of so many. */
function planOf(asked: Asked, limits: readonly number[], count: number, wishedDay?: LocalDate): Plan | null {
  const { policy, debts, today } = asked;
  if (count === 1 && leavesNothing(debts, largestOf(asked))) return null;
  const largest = sumOf(limits);
  const discount = count === 1 ? largest : count <= FEW ? Math.floor(largest / 2) : 0;
  const total = sumOf(debts.map(owedCentavos)) - discount;
  const entry = smallestEntry(policy, total);
  if (total < 1 || count > maxInstalmentsOf(total, entry, policy.minInstalmentCentavos, policy.maxInstalments)) {
    return null;
  }
  return { discount, limits, count, entry, ...daysOf(policy, today, wishedDay) };
}

const earlier = (one: LocalDate, other: LocalDate): LocalDate => (one < other ? one : other);

/** Whoever accepts on the last day is not late with the first instalment on the same day. */
function daysOf(
  { holdDays, maxDaysToFirst }: OffersPolicy,
  today: LocalDate,
  wishedDay: LocalDate | undefined,
): Pick<Plan, 'first' | 'validUntil'> {
  const held = addDays(today, holdDays);
  const latest = addDays(today, maxDaysToFirst);
  const first = earlier(latest, wishedDay === undefined ? held : nextSuch(wishedDay, today));
  return { first, validUntil: earlier(held, first) };
}

/** A day that is over by the clock of the offers means the same day of the next month that has not passed it. */
function nextSuch(wishedDay: LocalDate, today: LocalDate): LocalDate {
  if (wishedDay >= today) return wishedDay;
  const { year, month } = partsOf(today);
  const { day } = partsOf(wishedDay);
  const inThisMonth = dateOf(year, month, day);
  return inThisMonth >= today ? inThisMonth : dateOf(year, month + 1, day);
}

function plansOf(context: Asked, wishedDay?: LocalDate): Plan[] {
  const limits = limitsOf(context);
  const counts = Math.max(1, context.policy.maxInstalments);
  return Array.from({ length: counts }, (_, at) => planOf(context, limits, at + 1, wishedDay)).filter(
    (plan) => plan !== null,
  );
}

/** Returns the numbers of instalments, ascending, in which the policy lets the debts be paid. */
export const possibleCounts = (asked: Asked): number[] => plansOf(asked).map(({ count }) => count);

/**
 * Returns the offers that are made when a debtor asks for the first time: at once with the best discount, in few
 * instalments, and in as many as the policy allows.
 */
export function makeOffers(context: OfferContext): Offer[] {
  const plans = plansOf(context);
  const cash = plans.find(({ count }) => count === 1);
  const few = plans.findLast(({ count }) => count > 1 && count <= FEW);
  const many = plans.findLast(({ count }) => count > FEW);
  return [cash, few, many]
    .filter((plan) => plan !== undefined)
    .map((plan, at) => makeOffer(context, context.nextNumber + at, plan));
}

/** Returns what the offer with the best discount asks of each debt, or null when the policy makes no offer of them. */
export function bestOffer(asked: Asked): DebtOfOffer[] | null {
  const limits = limitsOf(asked);
  const plan = planOf(asked, limits, 1) ?? plansOf(asked).at(0);
  if (plan === undefined) return null;
  const shares = shareDiscount(plan.discount, limits);
  return asked.debts.map((debt, at) => ({
    debtId: debt.debtId,
    owedCentavos: owedCentavos(debt),
    discountCentavos: shares[at]!,
  }));
}

/**
 * Returns every offer that the policy allows today, by its number of instalments. All have the number of the next one,
 * because only one of them is made. The first payment is on the wished day, as far as the policy waits for it.
 */
export const possibleOffers = (context: OfferContext, wishedDay?: LocalDate): Offer[] =>
  plansOf(context, wishedDay).map((plan) => makeOffer(context, context.nextNumber, plan));

export interface StaffOffer {
  readonly discountPercent: number;
  readonly instalments: number;
  readonly entryPercent: number;
  readonly firstDueDate: LocalDate;
}

/** What of an offer by staff the policy does not allow. An owner may confirm it all the same. */
export type OutsidePolicy = 'discount' | 'instalments' | 'entry' | 'smallest_instalment' | 'first_due_date';

/**
 * Makes an offer by staff, and says what of it is outside the policy. Returns null for one that cannot be: that leaves
 * nothing to pay, or an instalment of nothing.
 */
export function makeStaffOffer(
  context: OfferContext,
  staff: StaffOffer,
): { readonly offer: Offer; readonly outside: readonly OutsidePolicy[] } | null {
  const { policy, debts, today } = context;
  const bases = debts.map((debt) => discountable(policy, debt));
  const wanted = bases.map((base) => shareDown(base, staff.discountPercent));
  if (leavesNothing(debts, wanted)) return null;
  const discount = sumOf(leavingSome(debts, wanted));
  const limits = limitsOf(context);
  const isAllowed = discount <= sumOf(limits);
  const total = sumOf(debts.map(owedCentavos)) - discount;
  const entry = staff.entryPercent === 0 ? null : shareUp(total, staff.entryPercent);
  const amounts = instalmentAmounts(total, staff.instalments, entry);
  if (amounts.some((amount) => amount < 1)) return null;
  const offer = makeOffer(context, context.nextNumber, {
    discount,
    limits: isAllowed ? limits : leavingSome(debts, bases),
    count: staff.instalments,
    entry,
    first: staff.firstDueDate,
    validUntil: addDays(today, Math.min(policy.holdDays, daysBetween(today, staff.firstDueDate))),
  });
  const isLater = staff.instalments > 1;
  const checks: readonly (readonly [OutsidePolicy, boolean])[] = [
    ['discount', !isAllowed],
    ['instalments', staff.instalments > policy.maxInstalments],
    ['entry', isLater && amounts[0]! < shareUp(total, policy.minEntryPercent)],
    ['smallest_instalment', isLater && amounts.some((amount) => amount < policy.minInstalmentCentavos)],
    ['first_due_date', staff.firstDueDate > addDays(today, policy.maxDaysToFirst)],
  ];
  return { offer, outside: checks.flatMap(([name, isOutside]) => (isOutside ? [name] : [])) };
}
