import type { LocalDate } from '../../../kernel/calendar.ts';
import { keptCentavos, type Paid } from '../../terms/rules/credits.ts';
import { type Centavos, type IndebtedFor, type Owed, owedOn } from '../../terms/rules/owed-on.ts';

/** What follows when a debtor has paid a part: the client decides, or the rest is collected as before. */
export const ON_PARTIAL = ['hold', 'continue'] as const;
export type OnPartial = (typeof ON_PARTIAL)[number];

/** One payment of a debt: the money that came, and the money that went back since. */
export interface Payment extends Paid {
  readonly id: string;
  /** 0 until the payment is confirmed; from then on the amount does not change. */
  readonly paidCentavos: number;
  /** The debtor's day as of which the money counts; null until the payment is confirmed. */
  readonly on: LocalDate | null;
  /** True when the creditor gave up what was open after it. */
  readonly waivesRest: boolean;
  /** The provider's moment of the newest state that was applied, in epoch milliseconds; null when it is not known. */
  readonly reportedAt: number | null;
}

/** All payments of one debt, by whichever of its rows they came. */
export interface DebtPayments {
  /** What is owed without any payment. */
  readonly indebted: IndebtedFor;
  /** True once payments have covered the debt. It stays true when money goes back. */
  readonly settled: boolean;
  /** What payments have to cover for the settlement to stand; null until payments have covered the debt. */
  readonly coveredCentavos: number | null;
  /** In the order in which those of one day count. */
  readonly payments: readonly Payment[];
}

/** The state of a confirmed payment as it is reported now. */
export interface ReportedState {
  readonly paidCentavos: number;
  readonly refundedCentavos: number;
  readonly chargedBack: boolean;
  readonly at: number | null;
}

/** What a payment means for its debt when it is seen first. */
export type PaymentOutcome = 'settled' | 'underpaid' | 'duplicate';

export interface PaymentChange {
  /** The debt after the change. */
  readonly debt: DebtPayments;
  /** The payment after the change. */
  readonly payment: Payment;
  /** Null for a payment that was known before. */
  readonly outcome: PaymentOutcome | null;
  /** What the creditor had of the other payments. */
  readonly othersCentavos: number;
  /** True when this change makes the payments cover the debt, which they did not before. */
  readonly covers: boolean;
  /** True when the refunded amount is another one than before. */
  readonly refunded: boolean;
  readonly chargeback: 'made' | 'reversed' | null;
}

const sumOf = (payments: readonly Payment[], part: (payment: Payment) => number): number =>
  payments.reduce((sum, payment) => sum + part(payment), 0);

/**
 * Returns what counts of a payment as recovered. Payments of a debt that they do not cover yet count once it is covered;
 * a second payment counts as long as the creditor has it. So the figure is what the bank has of the settled debts.
 */
export const recoveredCentavos = ({ settled }: Pick<DebtPayments, 'settled'>, payment: Payment): number =>
  settled ? keptCentavos(payment) : 0;

/** Returns the payments that count, each with what counts of it. */
const counted = (payments: readonly Payment[], amountOf: (payment: Payment) => number) =>
  payments
    .flatMap((payment) => {
      const { id, on, waivesRest } = payment;
      const amountCentavos = amountOf(payment);
      return on === null || amountCentavos === 0 ? [] : [{ id, on, amountCentavos, waivesRest }];
    })
    .toSorted((one, other) => (one.on === other.on ? 0 : one.on < other.on ? -1 : 1));

/** Returns what is open after the last of the payments, on its day. */
const openAfter = (
  { indebted, payments }: Pick<DebtPayments, 'indebted' | 'payments'>,
  amountOf: (payment: Payment) => number = keptCentavos,
): Owed => {
  const credits = counted(payments, amountOf);
  return owedOn({ ...indebted, credits, on: credits.at(-1)?.on ?? indebted.dueDate });
};

/**
 * Returns whether the payments that did not go back cover so much. A payment that was refunded in part still covers what
 * it paid, because the creditor gave that part back of its own accord.
 */
export const coverSoMuch = (payments: readonly Paid[], centavos: number): boolean =>
  payments.reduce((sum, payment) => sum + (keptCentavos(payment) > 0 ? payment.paidCentavos : 0), 0) >= centavos;

/** Returns whether the settlement of a debt stands, so that its receipt is true. */
export const isCovered = ({ coveredCentavos, payments }: DebtPayments): boolean =>
  coveredCentavos !== null && coverSoMuch(payments, coveredCentavos);

/** Returns how the money that the creditor still has of each payment is credited. Money that was not owed is credited to nothing. */
export function creditedParts({ indebted, payments }: DebtPayments): ReadonlyMap<string, Centavos> {
  const { parts } = openAfter({ indebted, payments });
  return new Map(counted(payments, keptCentavos).map(({ id }, at) => [id, parts[at]!.credited]));
}

/** Returns what of the charges is given up by the payments that give up the rest. */
export const waivedCentavos = (debt: DebtPayments): number =>
  openAfter(debt).parts.reduce((sum, { waived }) => sum + centavosOf(waived), 0);

/** What a receipt says of payments: how they were credited, what was given up, and what they have left open. */
export interface Received {
  readonly credited: Centavos;
  readonly waivedCentavos: number;
  readonly open: Owed;
  /** The day as of which the last of them counts. */
  readonly on: LocalDate;
}

/** Returns what the payments have closed of the debt: what is credited to it, and what was given up after them. */
export const closedCentavos = (debt: DebtPayments): number =>
  openAfter(debt).parts.reduce((sum, { credited, waived }) => sum + centavosOf(credited) + centavosOf(waived), 0);

const NO_CENTAVOS: Centavos = { interest: 0, fine: 0, correction: 0, principal: 0 };

const plus = (one: Centavos, other: Centavos): Centavos => ({
  interest: one.interest + other.interest,
  fine: one.fine + other.fine,
  correction: one.correction + other.correction,
  principal: one.principal + other.principal,
});

const centavosOf = ({ principal, fine, interest, correction }: Centavos): number =>
  principal + fine + interest + correction;

/**
 * Returns what the receipt of one payment states. That of a part states this payment alone, and what it left open; that
 * of the payment that settled the debt states all that the creditor has of those before. What has gone back of the
 * payment itself counts, because it came. Returns null when no day is known for it.
 */
export function receivedBy({ indebted, payments }: DebtPayments, id: string, of: 'part' | 'all'): Received | null {
  const all = counted(payments, (payment) => (payment.id === id ? payment.paidCentavos : keptCentavos(payment)));
  const at = all.findIndex((one) => one.id === id);
  const credits = of === 'part' ? all.slice(0, at + 1) : all;
  const on = credits.at(-1)?.on;
  if (at === -1 || on === undefined) return null;
  const open = owedOn({ ...indebted, credits, on });
  const stated = of === 'part' ? open.parts.slice(-1) : open.parts;
  return {
    credited: stated.reduce((sum, { credited }) => plus(sum, credited), NO_CENTAVOS),
    waivedCentavos: stated.reduce((sum, { waived }) => sum + centavosOf(waived), 0),
    open,
    on,
  };
}

/** Returns what is open on a day with the payments up to it. */
export const openOn = ({ indebted, payments }: DebtPayments, on: LocalDate): Owed =>
  owedOn({ ...indebted, credits: counted(payments, keptCentavos), on });

/** What the money of a debt asks of its client. */
export interface MoneyQuestions {
  /** A second payment leaves the creditor with more than the debt, so that a payment is to be returned. */
  readonly duplicate: boolean;
  /** The payments that settled the debt were more than it. */
  readonly overpaid: boolean;
  /** A paid debt was returned so much that it is no longer covered. */
  readonly refunded: boolean;
}

/** `isSecond` tells which payments came when the debt was settled already. */
export function moneyQuestions(
  { coveredCentavos, payments }: DebtPayments,
  isSecond: (id: string) => boolean,
): MoneyQuestions {
  if (coveredCentavos === null) return { duplicate: false, overpaid: false, refunded: false };
  const kept = sumOf(payments, keptCentavos);
  const keptSecond = sumOf(payments, (payment) => (isSecond(payment.id) ? keptCentavos(payment) : 0));
  const hasReturns = payments.some((one) => one.paidCentavos > 0 && (one.refundedCentavos > 0 || one.chargedBack));
  return {
    duplicate: keptSecond > 0 && kept > coveredCentavos,
    overpaid: kept - keptSecond > coveredCentavos,
    refunded: hasReturns && kept < coveredCentavos,
  };
}

/** What has gone back of a payment when it is seen first does not count against its outcome: that follows it. */
const withWhole = (debt: DebtPayments, id: string): Owed =>
  openAfter(debt, (payment) => (payment.id === id ? payment.paidCentavos : keptCentavos(payment)));

/**
 * Applies the reported state of one payment. `counts` says how it counts when it is seen first. A state that is older than the one that was applied last changes nothing
 * and returns null. A state without a moment cannot be ordered, so it takes back nothing that was reported before.
 */
export function applyState(
  debt: DebtPayments,
  id: string,
  state: ReportedState,
  counts: Pick<Payment, 'on' | 'waivesRest'>,
): PaymentChange | null {
  const before = debt.payments.find((payment) => payment.id === id);
  if (before === undefined) return null;
  if (state.at !== null && before.reportedAt !== null && state.at < before.reportedAt) return null;
  const isNew = before.paidCentavos === 0;
  const paidCentavos = isNew ? state.paidCentavos : before.paidCentavos;
  const payment: Payment = {
    ...(isNew ? counts : before),
    id,
    paidCentavos,
    refundedCentavos:
      state.at === null ? Math.max(before.refundedCentavos, state.refundedCentavos) : state.refundedCentavos,
    chargedBack: state.chargedBack || (state.at === null && before.chargedBack),
    reportedAt: state.at ?? before.reportedAt,
  };
  const others = debt.payments.filter((one) => one.id !== id);
  const othersCentavos = sumOf(others, keptCentavos);
  const payments = debt.payments.map((one) => (one.id === id ? payment : one));
  const account = isNew && !debt.settled ? withWhole({ ...debt, payments }, id) : null;
  const outcome = !isNew ? null : account === null ? 'duplicate' : account.total === 0 ? 'settled' : 'underpaid';
  const after: DebtPayments = {
    ...debt,
    settled: debt.settled || outcome === 'settled',
    coveredCentavos: account !== null && outcome === 'settled' ? account.paid - account.excess : debt.coveredCentavos,
    payments,
  };
  return {
    debt: after,
    payment,
    outcome,
    othersCentavos,
    covers: !isCovered(debt) && isCovered(after),
    refunded: payment.refundedCentavos !== before.refundedCentavos,
    chargeback: payment.chargedBack === before.chargedBack ? null : payment.chargedBack ? 'made' : 'reversed',
  };
}
