import { AppError } from '../../../kernel/errors.ts';
import { toReais } from '../../../kernel/money.ts';
import type { PaymentProviderName } from '../../../kernel/payment-providers.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { addRequestAudit, type RequestSource } from '../../accounts/queries/add-audit.ts';
import { debtNow } from '../../debts/use-cases/clock.ts';
import { currentRowOf, loadDebt } from '../../debts/use-cases/debt-context.ts';
import { recordEntries } from '../../debts/use-cases/record-entries.ts';
import { PaymentProviderError } from '../ports/payment-provider.ts';
import { type Charge, readCharge } from '../queries/charges.ts';
import { type PaymentRow, paymentsOfDebt } from '../queries/debt-payments.ts';
import { insertRefund, refundsOfCharges } from '../queries/refunds.ts';
import { leftToRefund, refundUntil } from '../rules/refunds.ts';
import { lockAgreement } from './agreement-money.ts';
import { lockPayments } from './apply-report.ts';
import type { PaymentDeps } from './deps.ts';
import { type DebtPaymentView, paymentViews } from './read-debt-payments.ts';
import { wakeForRefund } from './wake-for-refund.ts';

export interface AskedRefund {
  readonly clientId: string;
  readonly debtId: string;
  /** The id of the refund. A repetition with the same id gives nothing back again. */
  readonly refundId: string;
  readonly amountCentavos: number;
  readonly reason: string;
  /** Null where the debt has one payment that can be given back. */
  readonly paymentId: string | null;
  readonly source: RequestSource;
}

type Deps = Pick<PaymentDeps, 'db' | 'now' | 'workflows' | 'accountOf'>;

const impossible = (detail: string): AppError => new AppError('refund_impossible', { detail });

/** A payment that a provider took, as the refund of it needs it. */
interface Refundable {
  readonly id: string;
  readonly agreementId: string | null;
  readonly provider: PaymentProviderName;
  readonly accountId: string | null;
}

/**
 * Stores a refund that the client's staff ask for and wakes the workflow that sends it. It is held against what was paid and
 * what goes back already under the lock of the debt, so that two calls at once never give back too much.
 */
export const askRefund =
  (deps: Deps) =>
  async (asked: AskedRefund): Promise<DebtPaymentView> => {
    const { clientId, debtId, refundId } = asked;
    const db = deps.db.tenant(clientId);
    const payment = await db.transactional((tx) => findPayment(tx, asked));
    const refundDays = await refundDaysOf(deps, clientId, payment);
    return db.transactional(async (tx) => {
      const charge = await lockCharge(tx, payment);
      const known = await refundsOfCharges(tx, [charge.id]);
      if (!known.some(({ id }) => id === refundId)) {
        if (charge.paidAt === null || refundUntil(charge.paidAt, refundDays) < deps.now()) {
          throw impossible(`A payment can be given back within ${refundDays} days.`);
        }
        const left = leftToRefund(charge, known);
        if (asked.amountCentavos > left) throw impossible(`Of this payment ${toReais(left)} can be given back.`);
        await bookRefund(deps, tx, asked, charge);
      }
      const view = (await paymentViews(tx, debtId)).find(({ paymentId }) => paymentId === charge.id);
      if (view === undefined) throw new AppError('not_found');
      return view;
    });
  };

async function findPayment(tx: Tx, { debtId, paymentId }: AskedRefund): Promise<Refundable> {
  if ((await currentRowOf(tx, debtId)) === undefined) throw new AppError('not_found');
  const rows = await paymentsOfDebt(tx, debtId);
  if (paymentId !== null) {
    const row = rows.find(({ id }) => id === paymentId);
    if (row === undefined) throw new AppError('not_found');
    const payment = refundableOf(row);
    if (payment !== null) return payment;
    throw impossible(
      row.paidCentavos === 0
        ? 'This payment has not come.'
        : 'No provider took this payment: give the money back by the way it came.',
    );
  }
  const [payment, ...others] = rows.flatMap((row) => refundableOf(row) ?? []);
  if (payment === undefined) throw impossible('No payment of this debt can be given back by a provider.');
  if (others.length > 0) {
    const message = 'The debt has several payments: name the one that is given back';
    throw new AppError('validation_failed', { errors: [{ pointer: '/paymentId', code: 'required', message }] });
  }
  return payment;
}

const refundableOf = ({ id, agreementId, provider, accountId, paidCentavos }: PaymentRow): Refundable | null =>
  provider === 'outside' || provider === 'agreement' || paidCentavos === 0
    ? null
    : { id, agreementId, provider, accountId };

/** For how long the account that took the payment gives money back. */
async function refundDaysOf(deps: Deps, clientId: string, payment: Refundable): Promise<number> {
  try {
    const { provider, credentials } = await deps.accountOf({ ...payment, clientId });
    const { refundDays } = provider.capabilities(credentials);
    if (refundDays !== null) return refundDays;
  } catch (error) {
    if (!(error instanceof PaymentProviderError)) throw error;
    throw impossible('The account that took this payment is not connected any more.');
  }
  throw impossible('The provider that took this payment gives nothing back.');
}

/** Locks the debts whose money it is and reads the payment again. */
async function lockCharge(tx: Tx, { id, agreementId }: Refundable): Promise<Charge> {
  const seen = await readCharge(tx, id);
  if (seen === undefined) throw new AppError('not_found');
  await (agreementId === null ? lockPayments(tx, seen.debtId) : lockAgreement(tx, agreementId));
  const charge = await readCharge(tx, id);
  if (charge?.agreementId !== agreementId) throw impossible('This payment has just become one of an agreement.');
  return charge;
}

async function bookRefund(deps: Deps, tx: Tx, asked: AskedRefund, charge: Charge): Promise<void> {
  const { clientId, debtId, refundId, amountCentavos, source } = asked;
  const debt = await loadDebt(tx, charge.debtId);
  if (debt === null) throw new AppError('not_found');
  const now = deps.now();
  await insertRefund(tx, {
    id: refundId,
    clientId,
    debtId: charge.debtId,
    chargeId: charge.id,
    kind: 'asked',
    state: 'pending',
    amountCentavos,
    // Nothing that may name a person is stored with a debt whose debtor was erased.
    reason: debt.erased ? null : asked.reason,
    askedBy: source.by,
    askAt: now,
    createdAt: now,
  });
  const amount = toReais(amountCentavos);
  await recordEntries(tx, charge.debtId, debtNow(debt.clockOffsetMs, now.getTime()), [
    { kind: 'payment_changed', paymentId: charge.id, change: 'refund_asked', refundId, amount },
  ]);
  const details = { paymentId: charge.id, refundId };
  await addRequestAudit(tx, { clientId, source, action: 'refund_asked', target: debtId, details });
  await wakeForRefund(tx, deps, charge);
}
