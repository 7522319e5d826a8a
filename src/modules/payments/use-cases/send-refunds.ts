import { DAY } from '../../../kernel/calendar.ts';
import { debtNow } from '../../debts/use-cases/clock.ts';
import { PaymentProviderError, type ProviderCharge } from '../ports/payment-provider.ts';
import {
  askRefundAgain,
  changeRefund,
  DUE_REFUNDS_OF_AGREEMENT,
  DUE_REFUNDS_OF_DEBT,
  refundsOfCharges,
  type TakenRefund,
  takeDueRefunds,
} from '../queries/refunds.ts';
import type { ProviderReversal } from '../rules/refunds.ts';
import { lostTrace, type RefundFailure, refundWaitMs, standingOf, tracedBy } from '../rules/refunds.ts';
import { applyAnswer } from './apply-answer.ts';
import { lockPayments } from './apply-report.ts';
import type { PaymentDeps } from './deps.ts';
import { tellOfFailedRefund } from './follow-reversals.ts';
import { AccountNotKept } from './payment-accounts.ts';

/** Longer than a provider may take for the few refunds of one payment. */
const LEASE_MS = 5 * 60_000;
/** A provider that refuses its account, or does not know the payment, may change its mind for so long. */
const GIVE_UP_MS = 7 * DAY;

export interface PaymentWithRefunds {
  readonly clientId: string;
  readonly chargeId: string;
  readonly debtId: string;
}

/**
 * Sends the refunds of a debt, or of an agreement, that are due, and applies what the provider then says of the payment. A
 * provider that does not answer is asked again later, ever less often, by the reconciliation.
 */
export async function sendDueRefunds(
  deps: PaymentDeps,
  clientId: string,
  owner: { readonly debtId: string } | { readonly agreementId: string },
): Promise<void> {
  const dueBy = deps.now();
  const due =
    'debtId' in owner
      ? await deps.db.readPrepared({ clientId }, DUE_REFUNDS_OF_DEBT, { debtId: owner.debtId, dueBy })
      : await deps.db.readPrepared({ clientId }, DUE_REFUNDS_OF_AGREEMENT, { agreementId: owner.agreementId, dueBy });
  for (const payment of due) await sendRefundsOf(deps, payment);
}

/** Sends the refunds of one payment that are due. Returns why the provider did not answer for the last of them, if so. */
export async function sendRefundsOf(
  deps: PaymentDeps,
  { clientId, chargeId, debtId }: PaymentWithRefunds,
): Promise<PaymentProviderError | null> {
  let failure: PaymentProviderError | null = null;
  for (;;) {
    const now = deps.now();
    const leasedUntil = new Date(now.getTime() + LEASE_MS);
    const taken = await deps.db.tenant(clientId).transactional(async (tx) => {
      await lockPayments(tx, debtId);
      return takeDueRefunds(tx, chargeId, now, leasedUntil);
    });
    if (taken.length === 0) return failure;
    for (const refund of taken) failure = await sendRefund(deps, clientId, refund);
  }
}

async function sendRefund(
  deps: PaymentDeps,
  clientId: string,
  refund: TakenRefund,
): Promise<PaymentProviderError | null> {
  try {
    const { provider, credentials } = await deps.accountOf({ ...refund, clientId });
    const read = (): Promise<ProviderCharge> => provider.getCharge(refund.providerPaymentId, credentials);
    const before = await read();
    const known = await traceOf(deps, clientId, refund, before);
    if (known !== null || refund.providerRefundId !== null) {
      await applyRefund(deps, clientId, refund, before, known);
      return null;
    }
    const { id: refundId, providerPaymentId, endToEndId, amountCentavos } = refund;
    const made = await provider.refund({ refundId, providerPaymentId, endToEndId, amountCentavos, credentials });
    // What was made is not forgotten when the next question fails.
    await deps.db.tenant(clientId).transactional((tx) => changeRefund(tx, refundId, { providerRefundId: made.id }));
    await applyRefund(deps, clientId, { ...refund, providerRefundId: made.id }, await read(), made);
    return null;
  } catch (error) {
    if (!(error instanceof PaymentProviderError)) throw error;
    const failure = failureBy(error, deps.now().getTime() - refund.createdAt.getTime());
    await (failure === null ? askAgain(deps, clientId, refund) : failRefund(deps, clientId, refund, failure));
    return error;
  }
}

/** Returns why a refund has failed for good; null while it may still be made. */
function failureBy(error: PaymentProviderError, ageMs: number): RefundFailure | null {
  if (error instanceof AccountNotKept) return 'account_gone';
  if (error.kind === 'rejected' || error.kind === 'conflict' || error.kind === 'unsupported') return 'refused';
  if (ageMs < GIVE_UP_MS) return null;
  if (error.kind === 'unauthorized') return 'credentials_refused';
  return error.kind === 'not_found' ? 'payment_unknown' : null;
}

const askAgain = (deps: PaymentDeps, clientId: string, { id, tries }: TakenRefund) =>
  deps.db
    .tenant(clientId)
    .transactional((tx) => askRefundAgain(tx, id, new Date(deps.now().getTime() + refundWaitMs(tries))));

/** What the provider knows of a refund before it is sent: it may have been made by a call whose answer was lost. */
async function traceOf(
  deps: PaymentDeps,
  clientId: string,
  refund: TakenRefund,
  { reversals }: ProviderCharge,
): Promise<ProviderReversal | null> {
  const traced = tracedBy(refund, reversals);
  if (traced !== null || refund.tries <= 1 || refund.providerRefundId !== null) return traced;
  return lostTrace(refund, await knownOf(deps, clientId, refund), reversals);
}

const knownOf = (deps: PaymentDeps, clientId: string, { chargeId }: TakenRefund) =>
  deps.db.tenant(clientId).transactional((tx) => refundsOfCharges(tx, [chargeId]));

/** Applies what the provider says of the payment by the way that all its answers take. */
async function applyRefund(
  deps: PaymentDeps,
  clientId: string,
  refund: TakenRefund,
  report: ProviderCharge,
  answered: ProviderReversal | null,
): Promise<void> {
  const db = deps.db.tenant(clientId);
  if (answered !== null && refund.providerRefundId !== answered.id) {
    await db.transactional((tx) => changeRefund(tx, refund.id, { providerRefundId: answered.id }));
  }
  const named = { ...refund, providerRefundId: answered?.id ?? refund.providerRefundId };
  const standing = standingOf(named, await knownOf(deps, clientId, refund), report, answered);
  const isListed = standing === null || report.reversals.includes(standing);
  const reversals = isListed ? report.reversals : [...report.reversals, standing];
  const now = deps.now().getTime();
  const of = { clientId, debtId: refund.debtOfCharge, chargeId: refund.chargeId };
  await applyAnswer(deps, of, { ...report, reversals }, ({ clockOffsetMs }) => debtNow(clockOffsetMs, now));
  await askAgain(deps, clientId, refund);
}

/** Stores that a refund has failed for good; its timeline tells it, and what it has held back can be given back again. */
const failRefund = (deps: PaymentDeps, clientId: string, refund: TakenRefund, failure: RefundFailure): Promise<void> =>
  deps.db.tenant(clientId).transactional(async (tx) => {
    await lockPayments(tx, refund.debtOfCharge);
    const stored = (await refundsOfCharges(tx, [refund.chargeId])).find(({ id }) => id === refund.id);
    if (stored?.state !== 'pending') return;
    await changeRefund(tx, refund.id, { state: 'failed', askAt: null, failure });
    await tellOfFailedRefund({ tx, deps }, refund.debtOfCharge, refund);
  });
