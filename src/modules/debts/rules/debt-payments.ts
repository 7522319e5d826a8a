/** One payment of a debt: the money that came, and the money that went back since. */
export interface Payment {
  readonly id: string;
  /** 0 until the payment is confirmed; from then on the amount does not change. */
  readonly paidCentavos: number;
  readonly refundedCentavos: number;
  readonly chargedBack: boolean;
  /** The provider's moment of the newest state that was applied, in epoch milliseconds; null when it is not known. */
  readonly reportedAt: number | null;
}

/** All payments of one debt, by whichever of its rows they came. */
export interface DebtPayments {
  readonly amountCentavos: number;
  /** True once payments have covered the debt. It stays true when money goes back. */
  readonly settled: boolean;
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

/** Returns the part of a payment that the creditor still has. */
export const keptCentavos = ({
  paidCentavos,
  refundedCentavos,
  chargedBack,
}: Pick<Payment, 'paidCentavos' | 'refundedCentavos' | 'chargedBack'>): number =>
  chargedBack ? 0 : Math.max(0, paidCentavos - refundedCentavos);

const sumOf = (payments: readonly Payment[], part: (payment: Payment) => number): number =>
  payments.reduce((sum, payment) => sum + part(payment), 0);

/**
 * Returns what counts of a payment as recovered. Payments of a debt that they do not cover yet count once it is covered;
 * a second payment counts as long as the creditor has it. So the figure is what the bank has of the settled debts.
 */
export const recoveredCentavos = ({ settled }: Pick<DebtPayments, 'settled'>, payment: Payment): number =>
  settled ? keptCentavos(payment) : 0;

/**
 * Returns whether the payments that did not go back cover the debt, so that its receipt is true. A payment that was
 * refunded in part still covers what it paid, because the creditor gave that part back of its own accord.
 */
export const isCovered = ({ amountCentavos, payments }: DebtPayments): boolean =>
  sumOf(payments, (payment) => (keptCentavos(payment) > 0 ? payment.paidCentavos : 0)) >= amountCentavos;

const outcomeOf = ({ amountCentavos, settled }: DebtPayments, paid: number, others: number): PaymentOutcome => {
  if (settled) return 'duplicate';
  return paid + others >= amountCentavos ? 'settled' : 'underpaid';
};

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
  { amountCentavos, settled, payments }: DebtPayments,
  isSecond: (id: string) => boolean,
): MoneyQuestions {
  const kept = sumOf(payments, keptCentavos);
  const keptSecond = sumOf(payments, (payment) => (isSecond(payment.id) ? keptCentavos(payment) : 0));
  const hasReturns = payments.some((one) => one.paidCentavos > 0 && (one.refundedCentavos > 0 || one.chargedBack));
  return {
    duplicate: keptSecond > 0 && kept > amountCentavos,
    overpaid: kept - keptSecond > amountCentavos,
    refunded: settled && hasReturns && kept < amountCentavos,
  };
}

/**
 * Applies the reported state of one payment. A state that is older than the one that was applied last changes nothing
 * and returns null. A state without a moment cannot be ordered, so it takes back nothing that was reported before.
 */
export function applyState(debt: DebtPayments, id: string, state: ReportedState): PaymentChange | null {
  const before = debt.payments.find((payment) => payment.id === id);
  if (before === undefined) return null;
  if (state.at !== null && before.reportedAt !== null && state.at < before.reportedAt) return null;
  const isNew = before.paidCentavos === 0;
  const paidCentavos = isNew ? state.paidCentavos : before.paidCentavos;
  const payment: Payment = {
    id,
    paidCentavos,
    refundedCentavos:
      state.at === null ? Math.max(before.refundedCentavos, state.refundedCentavos) : state.refundedCentavos,
    chargedBack: state.chargedBack || (state.at === null && before.chargedBack),
    reportedAt: state.at ?? before.reportedAt,
  };
  const others = debt.payments.filter((one) => one.id !== id);
  const othersCentavos = sumOf(others, keptCentavos);
  const outcome = isNew ? outcomeOf(debt, paidCentavos, othersCentavos) : null;
  const after = {
    ...debt,
    settled: debt.settled || outcome === 'settled',
    payments: debt.payments.map((one) => (one.id === id ? payment : one)),
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
