import type { EntityManager } from '@mikro-orm/postgresql';
import { addOutbox } from '../../db/add-outbox.ts';
import { storeAnswer } from '../../db/queries/reconciliation.ts';
import type { ProviderCharge } from '../../ports/payment-provider.ts';
import { type DebtContext, loadDebt } from '../debts/debt-context.ts';
import { type Applied, applyReport } from './apply-report.ts';
import type { ChargeOrigin, PaymentDeps } from './deps.ts';

/** An answer of the provider clears these problems. */
const TEMPORARY_PROBLEMS = ['provider_unavailable', 'provider_unauthorized'];

interface MadeCharge extends Omit<ChargeOrigin, 'clientId'> {
  readonly id: string;
  readonly providerPaymentId: string;
}

/** Asks the account that made the charge for its present state. */
export async function askProvider(
  deps: PaymentDeps,
  clientId: string,
  charge: Omit<MadeCharge, 'id'>,
): Promise<ProviderCharge> {
  const { provider, credentials } = await deps.accountOf({ ...charge, clientId });
  return provider.getCharge(charge.providerPaymentId, credentials);
}

export const markAsked = (em: EntityManager, chargeId: string) => storeAnswer(em, chargeId, TEMPORARY_PROBLEMS);

/** Asks about a charge without a notification, and applies the answer. A change wakes the debt's workflow. */
export async function askAndApply(
  deps: PaymentDeps,
  { clientId, debtId }: { readonly clientId: string; readonly debtId: string },
  charge: MadeCharge,
  momentOf: (debt: DebtContext) => number,
): Promise<Applied> {
  const report = await askProvider(deps, clientId, charge);
  return deps.db.tenant(clientId).transactional(async (em) => {
    const debt = await loadDebt(em, debtId, { forUpdate: true });
    if (debt === null) return 'unchanged';
    await markAsked(em, charge.id);
    const applied = await applyReport({ em, deps, debt, report, at: momentOf(debt) }, charge.id);
    if (applied === 'changed') await addOutbox(em, deps.workflows.wakeDebt(debt, 'paymentNoticed'));
    return applied;
  });
}
