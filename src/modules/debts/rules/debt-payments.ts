import { keptCentavos } from '../../terms/rules/credits.ts';

/** What follows when a debtor has paid a part: the client decides, or the rest is collected as before. */
export const ON_PARTIAL = ['hold', 'continue'] as const;
export type OnPartial = (typeof ON_PARTIAL)[number];

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

/**
 * Returns whether the payments that did not go back cover the debt, so that its receipt is true. A payment that was
 * refunded in part still covers what it paid, because the creditor gave that part back of its own accord.
 */
export const isCovered = ({ amountCentavos, payments }: DebtPayments): boolean =>
  sumOf(payments, (payment) => (keptCentavos(payment) > 0 ? payment.paidCentavos : 0)) >= amountCentavos;

const outcomeOf = ({ amountCentavos, settled, payments }: DebtPayments, id: string, paid: number): PaymentOutcome => {
  if (settled) return 'duplicate';
  const others = payments.filter((payment) => payment.id !== id);
  return paid + sumOf(others, keptCentavos) >= amountCentavos ? 'settled' : 'underpaid';
};

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
  const outcome = isNew ? outcomeOf(debt, id, paidCentavos) : null;
  return {
    debt: {
      ...debt,
      settled: debt.settled || outcome === 'settled',
      payments: debt.payments.map((one) => (one.id === id ? payment : one)),
    },
    payment,
    outcome,
    refunded: payment.refundedCentavos !== before.refundedCentavos,
    chargeback: payment.chargedBack === before.chargedBack ? null : payment.chargedBack ? 'made' : 'reversed',
  };
}
