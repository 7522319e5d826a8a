import { AppError } from '../../../kernel/errors.ts';
import type { PaymentMethod } from '../../../kernel/payment-methods.ts';
import { addOutbox } from '../../../platform/database/add-outbox.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { addRequestAudit, type RequestSource } from '../../accounts/queries/add-audit.ts';
import { openOn } from '../../debts/rules/debt-payments.ts';
import { debtNow } from '../../debts/use-cases/clock.ts';
import type { DebtContext } from '../../debts/use-cases/debt-context.ts';
import { insertOutsidePayment, readCharge } from '../queries/charges.ts';
import { decidePayment, type PaymentFacts } from '../rules/decide-payment.ts';
import { dayOfWaiver, paymentsOf } from '../rules/known-debt.ts';
import { applyAgreementPayment, lockAgreement } from './agreement-money.ts';
import { dayOfMoney, knownDebt, lockPayments, type PaymentsOfDebt, storeDecision } from './apply-report.ts';
import type { PaymentDeps } from './deps.ts';

export interface OutsidePayment {
  readonly clientId: string;
  readonly debtId: string;
  /** The id of the payment. A repetition with the same id records nothing again. */
  readonly paymentId: string;
  readonly amountCentavos: number;
  readonly paidAt: Date;
  readonly method: PaymentMethod;
  readonly note: string | null;
  /** Whether what is open after it is given up; by default where it covers the open principal. */
  readonly rest: 'waive' | 'keep' | null;
  /** The number of a Pix between banks, where it is known. */
  readonly endToEndId?: string | null;
  readonly source: RequestSource;
}

export type SettleDeps = Pick<PaymentDeps, 'db' | 'now' | 'policy' | 'receipts' | 'workflows'>;

/**
 * Records a payment that the client received elsewhere. It counts like any payment: it settles the debt, is too small or
 * is a second one. The debt's workflow then cancels its codes and issues the receipt. Of a debt that has an agreement it
 * pays the next instalments.
 */
export const settleDebt =
  (deps: SettleDeps) =>
  async (payment: OutsidePayment): Promise<void> => {
    const { clientId, debtId, paymentId } = payment;
    await deps.db.tenant(clientId).transactional(async (tx) => {
      const before = await lockPayments(tx, debtId);
      if (before === null) throw new AppError('not_found');
      if ((await readCharge(tx, paymentId)) !== undefined) return;
      await recordOutsidePayment(tx, deps, before, payment);
    });
  };

/** Records the payment of a debt whose rows are locked. */
export async function recordOutsidePayment(
  tx: Tx,
  deps: SettleDeps,
  before: PaymentsOfDebt,
  { clientId, debtId, source, endToEndId = null, ...payment }: OutsidePayment,
): Promise<void> {
  const { paymentId, amountCentavos, paidAt, method } = payment;
  const momentOf = (row: DebtContext): number => debtNow(row.clockOffsetMs, deps.now().getTime());
  // Nothing that may name a person is stored with a debt whose debtor was erased.
  const { current } = before;
  const note = current.erased ? null : payment.note;
  const createdAt = deps.now();
  const isAgreed = current.status === 'AGREEMENT';
  if (isAgreed && payment.rest === 'waive') {
    throw new AppError('debt_state', {
      detail: 'This debt is part of an agreement: cancel it to give up the rest.',
    });
  }
  // What is given up of a rest that an agreement has left is given up of this debt, and not of the others of the agreement.
  const isOfAgreement = isAgreed || payment.rest !== 'waive';
  const agreementId = isOfAgreement ? (current.agreed?.agreementId ?? null) : null;
  const charge = await insertOutsidePayment(tx, {
    id: paymentId,
    clientId,
    debtId: current.id,
    agreementId,
    amountCentavos,
    method,
    note,
    endToEndId,
    paidAt,
    createdAt,
  });
  const locked = agreementId === null ? null : await lockAgreement(tx, agreementId);
  if (locked !== null) {
    await applyAgreementPayment({ tx, deps, momentOf }, locked, charge, paidAt);
    const details = { paymentId, method, agreementId };
    await addRequestAudit(tx, { clientId, source, action: 'payment_recorded', target: debtId, details });
    await addOutbox(tx, deps.workflows.wakeAgreement(locked.agreement, 'paymentNoticed'));
    return;
  }
  const known = { ...before, charges: [charge, ...before.charges] };
  const state = { paidCentavos: amountCentavos, refundedCentavos: 0, chargedBack: false, at: null };
  const debt = knownDebt(deps, known);
  const day = dayOfMoney(current, paidAt);
  const coversPrincipal = openOn(paymentsOf(debt), day).principal <= amountCentavos;
  const decide = (counts: Pick<PaymentFacts, 'day' | 'waivesRest'>) =>
    decidePayment(debt, charge, state, { paidAt, endToEndId, ...counts }, createdAt);
  const decided = decide({ day, waivesRest: coversPrincipal && payment.rest !== 'keep' });
  // The client that gives up a part of the principal gives up what is open now, after the payments of every day.
  const givesUpMore = payment.rest === 'waive' && decided.money?.outcome === 'underpaid';
  const decision = givesUpMore ? decide({ day: dayOfWaiver(known.charges, day), waivesRest: true }) : decided;
  await storeDecision({ tx, deps, momentOf }, known, charge, decision, { isAnswer: false });
  const details = { paymentId, method, outcome: decision.money?.outcome ?? null };
  await addRequestAudit(tx, { clientId, source, action: 'payment_recorded', target: debtId, details });
  await addOutbox(tx, deps.workflows.wakeDebt(current, 'paymentNoticed'));
}
