import { addOutbox } from '../../db/outbox.ts';
import { askNoLaterThan, type UnsettledCharge, unsettledCharges } from '../../db/queries/reconciliation.ts';
import { PaymentProviderError } from '../../ports/payment-provider.ts';
import { loadDebt } from '../debts/debt-context.ts';
import { applyReport } from './apply-report.ts';
import type { PaymentDeps } from './deps.ts';
import { markAsked } from './settle-payment.ts';

/** Only the latest codes are worth a request, because a debtor hardly pays an older one. */
const MAX_CHARGES = 5;

/**
 * Asks the provider about the unpaid codes of a debt whose debtor claims to have paid, and applies the answers. A
 * change wakes the debt's workflow. When the provider is down, the debtor does not wait: the reconciliation asks again
 * later.
 */
export const askProvider =
  (deps: PaymentDeps) =>
  async ({ clientId, debtId, now }: { clientId: string; debtId: string; now: number }): Promise<void> => {
    const db = deps.db.tenant(clientId);
    const charges = await db.transactional((em) => unsettledCharges(em, debtId, MAX_CHARGES));
    for (const charge of charges) {
      try {
        await ask(deps, { clientId, debtId, now }, charge);
      } catch (error) {
        if (!(error instanceof PaymentProviderError)) throw error;
        // The reconciliation repeats the question until the provider answers.
        await db.transactional((em) => askNoLaterThan(em, charge.id, deps.now()));
      }
    }
  };

async function ask(
  deps: PaymentDeps,
  { clientId, debtId, now }: { clientId: string; debtId: string; now: number },
  charge: UnsettledCharge,
): Promise<void> {
  const { provider, credentials } = await deps.accountOf({ clientId, sandbox: charge.provider === 'sandbox' });
  const report = await provider.getCharge(charge.providerPaymentId, credentials);
  await deps.db.tenant(clientId).transactional(async (em) => {
    const debt = await loadDebt(em, debtId, { forUpdate: true });
    if (debt === null) return;
    await markAsked(em, charge.id);
    const applied = await applyReport({ em, deps, debt, report, at: now }, charge.id);
    if (applied === 'changed') await addOutbox(em, deps.workflows.wakeDebt(debt, 'paymentNoticed'));
  });
}
