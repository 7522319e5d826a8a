import type { LocalDate } from '../../../kernel/calendar.ts';

/** What came of one payment, and what went back since. */
export interface Paid {
  readonly paidCentavos: number;
  readonly refundedCentavos: number;
  readonly chargedBack: boolean;
}

/** Returns the part of a payment that the creditor still has. */
export const keptCentavos = ({ paidCentavos, refundedCentavos, chargedBack }: Paid): number =>
  chargedBack ? 0 : Math.max(0, paidCentavos - refundedCentavos);

/** Money that counts against a debt as of a day, whenever it became known. */
export interface Credit {
  /**
   * The day on which the money came. For a code that asked for the whole total and was paid while it was valid it is the
   * day of which the code asked the total, so that the payment settles what it asked for.
   */
  readonly on: LocalDate;
  readonly amountCentavos: number;
  /** True when the creditor gives up what is still open after this credit. */
  readonly waivesRest?: boolean;
}

/** Returns what counts of payments: what was refunded or charged back does not count any more. */
export const creditsOf = (payments: readonly (Paid & Pick<Credit, 'on' | 'waivesRest'>)[]): Credit[] =>
  payments.flatMap((payment) => {
    const amountCentavos = keptCentavos(payment);
    const { on, waivesRest = false } = payment;
    return amountCentavos === 0 ? [] : [{ on, amountCentavos, waivesRest }];
  });

/** Returns the credits in the order in which they count; those of one day keep their order. */
export const inOrderOfDays = <One extends Pick<Credit, 'on'>>(credits: readonly One[]): One[] =>
  [...credits].sort((left, right) => (left.on === right.on ? 0 : left.on < right.on ? -1 : 1));

export const COMPONENTS = ['interest', 'fine', 'correction', 'principal'] as const;
export type Component = (typeof COMPONENTS)[number];
export type Components = Readonly<Record<Component, bigint>>;

/** Interest comes before the principal by the Civil Code, art. 354; the place of the others is the contract's. */
const ORDER: readonly Component[] = COMPONENTS;

/** A creditor who waives charges gives quittance of the principal, which the same article allows. */
const ORDER_OF_WAIVER: readonly Component[] = ['principal', 'interest', 'fine', 'correction'];

const NOTHING: Components = { interest: 0n, fine: 0n, correction: 0n, principal: 0n };

/** How one credit is divided: every centavo of it is credited to a component or left over. */
export interface Division {
  readonly credited: Components;
  readonly waived: Components;
  readonly excess: bigint;
}

export function divideCredit(open: Components, { amountCentavos, waivesRest = false }: Credit): Division {
  const credited = { ...NOTHING };
  let left = BigInt(amountCentavos);
  for (const component of waivesRest ? ORDER_OF_WAIVER : ORDER) {
    const part = left < open[component] ? left : open[component];
    credited[component] = part;
    left -= part;
  }
  const waived = { ...NOTHING };
  if (waivesRest) for (const component of COMPONENTS) waived[component] = open[component] - credited[component];
  return { credited, waived, excess: left };
}
