import { addNotice } from './checkout-notices.ts';
import type { PaymentDeps } from './deps.ts';
import { ownerOfDebt } from './owner-of-debt.ts';
import { payInSandbox } from './pay-in-sandbox.ts';

/** The button of a sandbox debt's page. Gives the id of the notice for the page, null where nothing was paid. */
export const payOnPage =
  (deps: PaymentDeps) =>
  async (debtId: string): Promise<string | null> => {
    const clientId = await ownerOfDebt(deps.db, debtId);
    const paid = await payInSandbox(deps)({ clientId, debtId });
    if (!paid) return null;
    return deps.db.tenant(clientId).transactional((em) => addNotice(em, { clientId, debtId, notice: 'pay' }));
  };
