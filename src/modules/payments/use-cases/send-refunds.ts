import { debtNow } from '../../debts/use-cases/clock.ts';
import { PaymentProviderError, type ProviderCharge, type ProviderReversal } from '../ports/payment-provider.ts';
import {
  askRefundAgain,
  changeRefund,
  OWNERS_OF_DUE_REFUNDS,
  type OwnerOfRefunds,
  refundsOfCharges,
  type TakenRefund,
  takeDueRefunds,
} from '../queries/refunds.ts';
import { lostTrace, refundWaitMs, tracedBy } from '../rules/refunds.ts';
import { applyAnswer } from './apply-answer.ts';
import { lockPayments } from './apply-report.ts';
import type { PaymentDeps } from './deps.ts';
import { tellOfFailedRefund } from './follow-reversals.ts';

/** Longer than a provider may take for the few refunds of one debt. */
const LEASE_MS = 5 * 60_000;

/**
 * Sends the refunds of a debt, or of an agreement, that are due, and applies what the provider then says of the payment. A
 * provider that does not answer is asked again later, ever less often, by the reconciliation.
 */
export async function sendDueRefunds(deps: PaymentDeps, clientId: string, owner: OwnerOfRefunds): Promise<number> {
  const now = deps.now();
  const leasedUntil = new Date(now.getTime() + LEASE_MS);
  const taken = await deps.db.tenant(clientId).transactional((tx) => takeDueRefunds(tx, owner, now, leasedUntil));
  // One after the other: the trace of each is known before the next one is sent.
  for (const refund of taken.toSorted((one, other) => one.createdAt.getTime() - other.createdAt.getTime())) {
    await sendRefund(deps, clientId, refund);
  }
  return taken.length;
}

async function sendRefund(deps: PaymentDeps, clientId: string, refund: TakenRefund): Promise<void> {
  try {
    const { provider, credentials } = await deps.accountOf({ ...refund, clientId });
    const read = (): Promise<ProviderCharge> => provider.getCharge(refund.providerPaymentId, credentials);
    const before = await read();
    const known = await traceOf(deps, clientId, refund, before);
    if (known !== null || refund.providerRefundId !== null) {
      await applyRefund(deps, clientId, refund, before, known);
      return;
    }
    const { id: refundId, providerPaymentId, endToEndId, amountCentavos } = refund;
    const made = await provider.refund({ refundId, providerPaymentId, endToEndId, amountCentavos, credentials });
    // What was made is not forgotten when the next question fails.
    await deps.db.tenant(clientId).transactional((tx) => changeRefund(tx, refundId, { providerRefundId: made.id }));
    await applyRefund(deps, clientId, refund, await read(), made);
  } catch (error) {
    if (!(error instanceof PaymentProviderError)) throw error;
    await (isFinal(error) ? refuseRefund(deps, clientId, refund, error) : askAgain(deps, clientId, refund));
  }
}

/** The provider will never give so much back of this payment. */
const isFinal = ({ kind }: PaymentProviderError): boolean =>
  kind === 'rejected' || kind === 'conflict' || kind === 'unsupported';

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
  if (traced !== null || refund.tries <= 1) return traced;
  const all = await deps.db.tenant(clientId).transactional((tx) => refundsOfCharges(tx, [refund.chargeId]));
  return lostTrace(refund, all, reversals);
}

/** Applies what the provider says of the payment by the way that all its answers take. */
async function applyRefund(
  deps: PaymentDeps,
  clientId: string,
  refund: TakenRefund,
  report: ProviderCharge,
  told: ProviderReversal | null,
): Promise<void> {
  const db = deps.db.tenant(clientId);
  if (told !== null && refund.providerRefundId !== told.id) {
    await db.transactional((tx) => changeRefund(tx, refund.id, { providerRefundId: told.id }));
  }
  // A provider may answer about a refund before it lists it.
  const isListed = tracedBy({ ...refund, providerRefundId: told?.id ?? refund.providerRefundId }, report.reversals);
  const reversals = told === null || isListed !== null ? report.reversals : [...report.reversals, told];
  const now = deps.now().getTime();
  const of = { clientId, debtId: refund.debtOfCharge, chargeId: refund.chargeId };
  await applyAnswer(deps, of, { ...report, reversals }, ({ clockOffsetMs }) => debtNow(clockOffsetMs, now));
  await askAgain(deps, clientId, refund);
}

/** Stores that a refund is refused for good; its timeline tells it, and what it has held back can be given back again. */
const refuseRefund = (
  deps: PaymentDeps,
  clientId: string,
  refund: TakenRefund,
  { kind: failure }: PaymentProviderError,
): Promise<void> =>
  deps.db.tenant(clientId).transactional(async (tx) => {
    await lockPayments(tx, refund.debtOfCharge);
    const [stored] = (await refundsOfCharges(tx, [refund.chargeId])).filter(({ id }) => id === refund.id);
    if (stored?.state !== 'pending') return;
    await changeRefund(tx, refund.id, { state: 'failed', askAt: null, failure });
    await tellOfFailedRefund({ tx, deps }, refund.debtOfCharge, refund);
  });

const OWNERS_PER_RUN = 100;

/** Sends the refunds that nobody has sent, so that a dead process or provider loses none. Returns how many it took. */
export async function reconcileRefunds(deps: PaymentDeps): Promise<number> {
  const due = await deps.db.runUnscoped(OWNERS_OF_DUE_REFUNDS, { dueBy: deps.now(), most: OWNERS_PER_RUN });
  let sent = 0;
  for (const { clientId, debtId, agreementId } of due) {
    sent += await sendDueRefunds(deps, clientId, agreementId === null ? { debtId } : { agreementId });
  }
  return sent;
}
