import { PaymentProviderError } from '../ports/payment-provider.ts';
import { askNoLaterThan, unsettledCharges } from '../queries/reconciliation.ts';
import { askAndApply } from './apply-answer.ts';
import type { PaymentDeps } from './deps.ts';

/** Only the latest codes are worth a request, because a debtor hardly pays an older one. */
const MAX_CHARGES = 5;

/**
 * Asks the provider about the unpaid codes of a debt whose debtor claims to have paid, and applies the answers. A
 * change wakes the debt's workflow. When the provider is down, the debtor does not wait: the reconciliation asks again
 * later.
 */
export const checkClaimOfPayment =
  (deps: PaymentDeps) =>
  async ({ clientId, debtId, now }: { clientId: string; debtId: string; now: number }): Promise<void> => {
    const db = deps.db.tenant(clientId);
    const charges = await db.transactional((tx) => unsettledCharges(tx, debtId, MAX_CHARGES));
    for (const charge of charges) {
      try {
        await askAndApply(deps, { clientId, debtId }, charge, () => now);
      } catch (error) {
        if (!(error instanceof PaymentProviderError)) throw error;
        // The reconciliation repeats the question until the provider answers.
        await db.transactional((tx) => askNoLaterThan(tx, charge.id, deps.now()));
      }
    }
  };
