import type { LocalDate } from '../../../kernel/calendar.ts';
import { toReais } from '../../../kernel/money.ts';
import { nextPaymentStatus } from '../../../kernel/payment-status.ts';
import type { RevokedReason } from '../../../kernel/revoked-reasons.ts';
import {
  applyState,
  type DebtPayments,
  isCovered,
  type MoneyQuestions,
  moneyQuestions,
  openOn,
  type PaymentChange,
  type PaymentOutcome,
  type ReportedState,
  waivedCentavos,
} from '../../debts/rules/debt-payments.ts';
import type { TimelineEntry } from '../../debts/rules/timeline-entry.ts';
import { keptCentavos } from '../../terms/rules/credits.ts';
import {
  type Charges,
  type CreditedColumns,
  changedCredit,
  chargedSoFar,
  creditedColumns,
  minus,
  NOT_CREDITED,
  withCredits,
} from './credited-parts.ts';
import {
  type ChargeColumns,
  cameWithSettling,
  chargesRecovered,
  hasSettled,
  type KnownCharge,
  type KnownDebt,
  paymentsOf,
  recoveredOf,
} from './known-debt.ts';
import { type ReportedPayment, reportProblem, wasPaid } from './payment-report.ts';
import type { UnaskedReturn } from './refunds.ts';

/** What is known of a payment beside its amounts. */
export interface PaymentFacts {
  /** When the money came; null when that is not known. */
  readonly paidAt: Date | null;
  readonly endToEndId: string | null;
  /** The debtor's day on which it came. */
  readonly day: LocalDate;
  /** True when the creditor gives up what is open after it. */
  readonly waivesRest?: boolean;
  /** A return that nobody asked for here and that is told with this report. */
  readonly returned?: UnaskedReturn | null;
}

/** What is stored because of an answer about a charge. */
export interface Decision {
  readonly columns: Partial<ChargeColumns>;
  /** Stands on the timeline of the charge's own row, and moves no money. */
  readonly entry: TimelineEntry | null;
  /** Null when no money has come or gone back. */
  readonly money: MovedMoney | null;
}

/** What follows for the debt, whose current row has the entries. */
export interface MovedMoney {
  /** Null for a payment that was known before. */
  readonly outcome: PaymentOutcome | null;
  /** Stand on the timeline before and after a change of the status. */
  readonly before: readonly TimelineEntry[];
  readonly after: readonly TimelineEntry[];
  readonly recoveredCentavos: number;
  /** The parts of it that were credited to something else than the principal. */
  readonly recovered: Charges;
  /** What is charged beside the principal and was not counted yet. */
  readonly charged: Charges;
  /** How the money of the debt's other payments is credited by now, where that has changed. */
  readonly others: readonly (CreditedColumns & { readonly id: string })[];
  /** What becomes of the receipt of the settled debt; null when it stays as it is. */
  readonly receipt: 'restored' | RevokedReason | null;
  /** What becomes of the receipt of this payment, when it was a part. */
  readonly receiptOfPart: MovedMoney['receipt'];
  readonly asks: MoneyQuestions;
  /** False when no question about money can stand in the inbox. */
  readonly mayHaveAsked: boolean;
}

const NOTHING: Decision = { columns: {}, entry: null, money: null };

/**
 * Compares what the provider reports about a charge with what is stored, so that a repeated report, or an older one after
 * a newer one, changes nothing.
 */
export function decideReport(
  debt: KnownDebt,
  charge: KnownCharge,
  report: ReportedPayment & PaymentFacts & { readonly updatedAt: Date | null },
  now: Date,
): Decision {
  const { id: paymentId, amountCentavos } = charge;
  const problem = reportProblem({ reference: paymentId, amountCentavos }, report);
  if (problem !== null) {
    if (problem === charge.problem) return NOTHING;
    return { ...NOTHING, columns: { problem }, entry: { kind: 'payment_changed', paymentId, problem } };
  }
  if (wasPaid(report)) {
    const { paidAmountCentavos: paidCentavos, refundedCentavos, chargedBack, updatedAt } = report;
    const state = { paidCentavos, refundedCentavos, chargedBack, at: updatedAt?.getTime() ?? null };
    return decidePayment(debt, charge, state, report, now);
  }
  const status = nextPaymentStatus(charge.status, report.status);
  if (status === charge.status) return NOTHING;
  return {
    ...NOTHING,
    // A charge that is no longer pending is not asked about again.
    columns: { status, problem: null, ...(status === 'PENDING' ? {} : { askAt: null }) },
    entry: status === 'REJECTED' ? { kind: 'payment_changed', paymentId, status } : null,
  };
}

/** A payment that is seen first when the debt is paid counts last of its day, from the beginning. */
const countingLast = (debt: KnownDebt, { id, paidCentavos }: KnownCharge): KnownDebt => {
  const isSecond = paidCentavos === 0 && (debt.isPaid || debt.charges.some(hasSettled));
  if (!isSecond) return debt;
  return { ...debt, charges: debt.charges.map((one) => (one.id === id ? { ...one, duplicate: true } : one)) };
};

/** Decides what a payment, or its return, means for its debt. */
export function decidePayment(
  debt: KnownDebt,
  charge: KnownCharge,
  state: ReportedState,
  facts: PaymentFacts,
  now: Date,
): Decision {
  const before = paymentsOf(countingLast(debt, charge));
  const { waivesRest = false } = facts;
  const change = applyState(before, charge.id, state, { on: countsOn(charge, state, facts), waivesRest });
  if (change === null) return NOTHING;
  const { outcome, refunded, chargeback } = change;
  const credited = creditedColumns(change.debt);
  const columns = {
    ...(outcome === null ? {} : firstColumns(change, facts, now)),
    ...returnColumns(charge, change, now),
    ...changedCredit(charge, credited),
  };
  if (outcome === null && !refunded && chargeback === null) return { ...NOTHING, columns };
  const isSecond = (id: string) =>
    debt.charges.some((one) => {
      if (one.id !== id || cameWithSettling(one, debt.charges)) return false;
      return id === charge.id && outcome !== null ? outcome === 'duplicate' : one.duplicate;
    });
  const money: MovedMoney = {
    outcome,
    before:
      outcome === null
        ? []
        : [firstEntry(before, charge, change, credited.get(charge.id) ?? NOT_CREDITED, facts.paidAt ?? now)],
    after: returnEntries(charge.id, change, facts.returned ?? null),
    // What counted before counts no more. Payments of a debt that has just been settled count together.
    recoveredCentavos: recoveredOf(change.debt) - recoveredOf(before),
    recovered: minus(chargesRecovered(change.debt, credited), chargesRecovered(before, creditedColumns(before))),
    charged: minus(chargedSoFar(withCredits(debt.charges, credited)), chargedSoFar(debt.charges)),
    others: debt.charges.flatMap((one) => {
      const changed = one.id === charge.id ? undefined : changedCredit(one, credited);
      return changed === undefined ? [] : [{ id: one.id, ...changed }];
    }),
    receipt: receiptAfter(before, change),
    receiptOfPart: charge.underpaidAt === null ? null : receiptOfPartAfter(before, change),
    asks: moneyQuestions(change.debt, isSecond),
    mayHaveAsked: before.payments.some(({ paidCentavos }) => paidCentavos > 0),
  };
  return { columns, entry: null, money };
}

/**
 * The day as of which a payment counts. A code that was paid while it was valid settles what it asked for, so its money
 * counts as of the day of which it asked.
 */
const countsOn = (
  { askedOn, amountCentavos }: KnownCharge,
  { paidCentavos }: ReportedState,
  { day }: PaymentFacts,
): LocalDate => (askedOn !== null && paidCentavos >= amountCentavos ? askedOn : day);

/** A payment is seen first once, because its charge stores the paid amount. */
function firstColumns(
  { outcome, payment: { paidCentavos, on, waivesRest }, othersCentavos, debt }: PaymentChange,
  { paidAt, endToEndId }: PaymentFacts,
  now: Date,
): Partial<ChargeColumns> {
  return {
    ...(outcome === 'underpaid' ? { underpaidAt: now } : { status: 'APPROVED', approvedAt: now, underpaidAt: null }),
    duplicate: outcome === 'duplicate',
    paidCentavos,
    paidAt: paidAt ?? now,
    endToEndId,
    settledCentavos: outcome === 'settled' ? paidCentavos + othersCentavos : null,
    coveredCentavos: outcome === 'settled' ? debt.coveredCentavos : null,
    creditedOn: on,
    waivesRest,
    problem: null,
    askAt: null,
  };
}

function returnColumns(
  charge: KnownCharge,
  { payment: { refundedCentavos, reportedAt }, refunded, chargeback }: PaymentChange,
  now: Date,
): Partial<ChargeColumns> {
  const isNewer = reportedAt !== (charge.providerUpdatedAt?.getTime() ?? null);
  if (!refunded && chargeback === null && !isNewer) return {};
  return {
    refundedCentavos,
    chargedBackAt: chargeback === null ? charge.chargedBackAt : chargeback === 'made' ? now : null,
    providerUpdatedAt: reportedAt === null ? null : new Date(reportedAt),
  };
}

function firstEntry(
  before: DebtPayments,
  charge: KnownCharge,
  { outcome, payment: { paidCentavos, on }, debt: after, covers }: PaymentChange,
  { fineCentavos, interestCentavos, correctionCentavos }: CreditedColumns,
  paidAt: Date,
): TimelineEntry {
  const waived = waivedCentavos(after) - waivedCentavos(before);
  const payment = {
    paymentId: charge.id,
    amount: toReais(paidCentavos),
    ...(fineCentavos > 0 ? { fine: toReais(fineCentavos) } : {}),
    ...(interestCentavos > 0 ? { interest: toReais(interestCentavos) } : {}),
    ...(correctionCentavos > 0 ? { correction: toReais(correctionCentavos) } : {}),
    ...(waived > 0 ? { waived: toReais(waived) } : {}),
    ...(charge.method === null ? {} : { method: charge.method, paidAt: paidAt.toISOString() }),
  };
  if (outcome === 'duplicate') {
    // The payments before it went back, so this one pays the debt and is not to be refunded.
    return { kind: 'payment_duplicate', ...payment, ...(covers ? { covers } : {}) };
  }
  const openCentavos = on === null ? 0 : openOn(before, on).total;
  if (outcome === 'underpaid') {
    // A replaced code may ask for another amount than the debt by now.
    const expected = charge.method === null && charge.supersededAt === null ? charge.amountCentavos : openCentavos;
    return { kind: 'payment_changed', ...payment, problem: 'underpaid', expectedAmount: toReais(expected) };
  }
  const over = paidCentavos - openCentavos;
  return { kind: 'payment_approved', ...payment, ...(over > 0 ? { overpaidAmount: toReais(over) } : {}) };
}

/** A refund, a chargeback or its reversal is shown. The status of the debt stays, and nobody is contacted. */
function returnEntries(
  paymentId: string,
  { payment, refunded, chargeback }: PaymentChange,
  returned: UnaskedReturn | null,
): TimelineEntry[] {
  const until = returned?.contestUntil ?? null;
  const changed = {
    kind: 'payment_changed',
    paymentId,
    ...(returned === null ? {} : { returnKind: returned.kind }),
    ...(until === null ? {} : { contestUntil: until.toISOString() }),
  } as const;
  const refundedAmount = toReais(payment.refundedCentavos);
  return [
    ...(refunded ? [{ ...changed, change: 'refunded', refundedAmount } as const] : []),
    ...(chargeback === 'made' ? [{ ...changed, change: 'charged_back' } as const] : []),
    ...(chargeback === 'reversed' ? [{ ...changed, change: 'chargeback_reversed' } as const] : []),
  ];
}

/** The receipt is valid while the payments that did not go back cover the debt. */
function receiptAfter(before: DebtPayments, change: PaymentChange): MovedMoney['receipt'] {
  // A debt that has just been settled has no receipt yet.
  if (!before.settled || isCovered(before) === isCovered(change.debt)) return null;
  return change.covers ? 'restored' : returnedBy(change);
}

/** The receipt of a part is valid while the creditor has some of it. */
function receiptOfPartAfter(before: DebtPayments, change: PaymentChange): MovedMoney['receipt'] {
  const had = before.payments.some((payment) => payment.id === change.payment.id && keptCentavos(payment) > 0);
  const has = keptCentavos(change.payment) > 0;
  if (had === has) return null;
  return has ? 'restored' : returnedBy(change);
}

const returnedBy = ({ chargeback }: PaymentChange): RevokedReason => (chargeback === 'made' ? 'chargeback' : 'refund');
