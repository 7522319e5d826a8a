import { debtNow } from '../../debts/use-cases/clock.ts';
import { loadDebt } from '../../debts/use-cases/debt-context.ts';
import { PaymentProviderError, type ProviderCharge } from '../ports/payment-provider.ts';
import { cancelPendingCharge } from '../queries/charges.ts';
import { type DueCharge, STORE_ANSWERED_QUESTION, STORE_FAILED_QUESTION } from '../queries/reconciliation.ts';
import { reportProblem, wasPaid } from '../rules/payment-report.ts';
import { questionsEnd, questionWaitMs } from '../rules/reconciliation.ts';
import { applyAnswer, askProvider } from './ask-provider.ts';
import { cancelAtProvider, closesCharges } from './cancel-charges.ts';
import type { PaymentDeps } from './deps.ts';
import { recordProblem } from './record-problem.ts';

/** A charge that a run has taken. */
export interface TakenCharge extends DueCharge {
  readonly leasedUntil: Date;
}

/** `failure`: why the charge could not be asked about; it is asked again, ever less often. */
export type Outcome =
  | { readonly kind: 'answered'; readonly changed: boolean }
  | { readonly kind: 'failed'; readonly failure: unknown };

/** Asks the provider about one charge, or cancels it, and stores when to ask again. Throws when nothing can be stored. */
export async function askAboutCharge(deps: PaymentDeps, charge: TakenCharge): Promise<Outcome> {
  try {
    const changed = mustBeCancelled(charge) ? await cancel(deps, charge) : await ask(deps, charge);
    await storeEnd(deps, { ...charge, failures: 0 }, STORE_ANSWERED_QUESTION);
    return { kind: 'answered', changed };
  } catch (failure) {
    if (isRefusal(failure)) await showRefusal(deps, charge);
    await storeEnd(deps, { ...charge, failures: charge.failures + 1 }, STORE_FAILED_QUESTION);
    return { kind: 'failed', failure };
  }
}

const isRefusal = (failure: unknown): boolean =>
  failure instanceof PaymentProviderError && failure.kind === 'unauthorized';

/** The debt was closed, or the code was replaced before it was made. */
const mustBeCancelled = ({ superseded, debtStatus, wrongPerson }: TakenCharge): boolean =>
  superseded || closesCharges({ status: debtStatus, wrongPerson });

async function cancel(deps: PaymentDeps, charge: TakenCharge): Promise<false> {
  await cancelAtProvider(deps, charge.clientId, charge);
  return false;
}

async function ask(deps: PaymentDeps, charge: TakenCharge): Promise<boolean> {
  const report = await askProvider(deps, charge.clientId, charge);
  if (isStillPending(charge, report)) return false;
  const now = deps.now().getTime();
  const { clientId, debtId, id: chargeId } = charge;
  const momentOf = ({ clockOffsetMs }: { readonly clockOffsetMs: number }) => debtNow(clockOffsetMs, now);
  return (await applyAnswer(deps, { clientId, debtId, chargeId }, report, momentOf)) === 'changed';
}

/** The usual answer, which changes nothing. It needs no lock of the debt. */
const isStillPending = ({ id, amountCentavos }: TakenCharge, report: ProviderCharge): boolean =>
  report.status === 'PENDING' && !wasPaid(report) && reportProblem({ reference: id, amountCentavos }, report) === null;

/** Only a charge that is still pending has a next question. */
async function storeEnd(
  deps: PaymentDeps,
  charge: TakenCharge,
  statement: typeof STORE_ANSWERED_QUESTION | typeof STORE_FAILED_QUESTION,
): Promise<void> {
  const { id: chargeId, clientId, leasedUntil } = charge;
  const now = deps.now().getTime();
  if (questionsEnd(charge, now)) {
    await deps.db.tenant(clientId).transactional((em) => cancelPendingCharge(em, chargeId));
    return;
  }
  const nextAskAt = new Date(now + questionWaitMs(charge, now));
  await deps.db.writePrepared({ clientId }, statement, { chargeId, leasedUntil, nextAskAt });
}

/** The client has to learn of it, because a payment of this charge cannot be confirmed. */
async function showRefusal(deps: PaymentDeps, { id, clientId, debtId }: TakenCharge): Promise<void> {
  await deps.db.tenant(clientId).transactional(async (em) => {
    const debt = await loadDebt(em, debtId, { forUpdate: true });
    if (debt === null) return;
    const at = debtNow(debt.clockOffsetMs, deps.now().getTime());
    await recordProblem(em, { id, debtId }, 'provider_unauthorized', at);
  });
}
