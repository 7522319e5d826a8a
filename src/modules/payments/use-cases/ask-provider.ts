import { addOutbox } from '../../../platform/database/add-outbox.ts';
import { type DebtContext, loadDebt } from '../../debts/use-cases/debt-context.ts';
import type { ProviderCharge } from '../ports/payment-provider.ts';
import { storeAnswer } from '../queries/reconciliation.ts';
import { applyReport } from './apply-report.ts';
import type { ChargeOrigin, PaymentDeps } from './deps.ts';
import type { Applied } from './store-payment-change.ts';

interface MadeCharge extends Omit<ChargeOrigin, 'clientId'> {
  readonly id: string;
  readonly providerPaymentId: string;
}

interface DebtOfCharge {
  readonly clientId: string;
  readonly debtId: string;
}

/** The moment of the answer by the clock of the debt. */
type MomentOf = (debt: DebtContext) => number;

/** Asks the account that made the charge for its present state. */
export async function askProvider(
  deps: PaymentDeps,
  clientId: string,
  charge: Omit<MadeCharge, 'id'>,
): Promise<ProviderCharge> {
  const { provider, credentials } = await deps.accountOf({ ...charge, clientId });
  return provider.getCharge(charge.providerPaymentId, credentials);
}

/** Asks about a charge without a notification, and applies the answer. A change wakes the debt's workflow. */
export async function askAndApply(
  deps: PaymentDeps,
  debt: DebtOfCharge,
  charge: MadeCharge,
  momentOf: MomentOf,
): Promise<Applied> {
  const report = await askProvider(deps, debt.clientId, charge);
  return applyAnswer(deps, { ...debt, chargeId: charge.id }, report, momentOf);
}

/** Applies an answer that no workflow has asked for. A change wakes the debt's workflow. */
export async function applyAnswer(
  deps: PaymentDeps,
  { clientId, debtId, chargeId }: DebtOfCharge & { readonly chargeId: string },
  report: ProviderCharge,
  momentOf: MomentOf,
): Promise<Applied> {
  return deps.db.tenant(clientId).transactional(async (tx) => {
    const applied = await applyReport(tx, deps, { chargeId, debtId, report, momentOf });
    await storeAnswer(tx, chargeId);
    const debt = applied === 'changed' ? await loadDebt(tx, debtId) : null;
    if (debt !== null) await addOutbox(tx, deps.workflows.wakeDebt(debt, 'paymentNoticed'));
    return applied;
  });
}
