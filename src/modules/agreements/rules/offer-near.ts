import type { LocalDate } from '../../../kernel/calendar.ts';
import { type DebtorCalendar, nextBusinessDay } from '../../terms/rules/counted-days.ts';
import type { Instalment } from './instalments.ts';
import { type Offer, type OfferContext, possibleOffers } from './offers.ts';

/** What a debtor says is possible, in place of what was offered. At least one member is there. */
export interface Proposal {
  readonly monthlyCentavos?: number;
  /** A number of instalments. */
  readonly count?: number;
  /** The day of the first payment. */
  readonly firstDay?: LocalDate;
  /** What was offered is too dear. */
  readonly isCheaper?: boolean;
}

interface Shown {
  readonly instalments: readonly Instalment[];
  readonly validUntil: LocalDate;
}

/** What the debtor would pay each month: the instalments behind the entry. */
const monthly = ({ instalments }: Pick<Offer, 'instalments'>): number =>
  (instalments[1] ?? instalments[0]!).amountCentavos;

/** Returns the one that is smallest; of two that are as small, the one that is paid off first. */
const leastBy = <T extends Pick<Offer, 'instalments'>>(offers: readonly T[], measure: (offer: T) => number): T | null =>
  offers.reduce<T | null>((best, offer) => (best === null || measure(offer) < measure(best) ? offer : best), null);

/**
 * Returns the offer among those that stand which is what the debtor wishes, so that none is made a second time: the one
 * with so many instalments; for whom several were too dear, the one of them with the smallest instalment.
 */
export function standingNear<T extends Shown & Pick<Offer, 'totalCentavos'>>(
  context: OfferContext,
  {
    standing,
    shown,
  }: {
    readonly standing: readonly T[];
    /** Those of them that our last message has listed. */
    readonly shown: readonly T[];
  },
  { monthlyCentavos, count, firstDay, isCheaper }: Proposal,
): T | null {
  if (monthlyCentavos !== undefined || firstDay !== undefined) return null;
  if (count !== undefined) {
    const day = shown.length === 1 ? shown[0]!.instalments[0]!.dueDate : null;
    const alike = standing.filter(
      ({ instalments }) => instalments.length === count && (day === null || instalments[0]!.dueDate === day),
    );
    return leastBy(alike, ({ totalCentavos }) => totalCentavos);
  }
  if (isCheaper !== true || shown.length < 2) return null;
  const smallest = leastBy(shown, monthly)!;
  return possibleOffers(context).some((offer) => monthly(offer) < monthly(smallest)) ? null : smallest;
}

/**
 * Answers a proposal by the nearest offer that the policy allows: by the one whose instalments come nearest to an amount,
 * or that has the nearest number of instalments, with the first payment on the wished day as far as the policy waits for
 * it. What is too dear is followed by the next smaller instalment. What the debtor does not speak of stays as in the offer
 * that was shown alone. Returns null when a person has to look: the policy has nothing cheaper.
 */
export function offerNear(context: OfferContext, proposal: Proposal, shown: readonly Shown[] = []): Offer | null {
  const [only] = shown.length === 1 ? shown : [];
  const offers = possibleOffers(context, proposal.firstDay ?? firstDayOf(only, context.calendar));
  const { monthlyCentavos, count, isCheaper } = proposal;
  if (monthlyCentavos !== undefined) return leastBy(offers, (offer) => Math.abs(monthly(offer) - monthlyCentavos));
  if (count === undefined && isCheaper === true) {
    if (only === undefined) return leastBy(offers, monthly);
    const cheaper = offers.filter((offer) => monthly(offer) < monthly(only));
    return leastBy(cheaper, (offer) => -monthly(offer));
  }
  const wanted = count ?? only?.instalments.length ?? 1;
  return leastBy(offers, ({ instalments }) => Math.abs(instalments.length - wanted));
}

/** The day that an offer was made for, where no business day has moved it, so that no date moves the ones after it. */
function firstDayOf(offer: Shown | undefined, calendar: DebtorCalendar): LocalDate | undefined {
  if (offer === undefined) return undefined;
  const { dueDate } = offer.instalments[0]!;
  return nextBusinessDay(calendar, offer.validUntil) === dueDate ? offer.validUntil : dueDate;
}
