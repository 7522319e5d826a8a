import { ownerOfDebt } from '../../debts/use-cases/owner-of-debt.ts';
import type { AskedOfAgreement } from './agreement-on-page.ts';
import { addNotice } from './checkout-notices.ts';
import type { PaymentDeps } from './deps.ts';
import { payAsDebtor } from './pay-in-sandbox.ts';

/** Handles the payment button of a sandbox page. Returns the id of the notice, or null when nothing was paid. */
export const payOnPage =
  (deps: PaymentDeps) =>
  async (debtId: string, asked: AskedOfAgreement = 'next'): Promise<string | null> => {
    const clientId = await ownerOfDebt(deps.db, debtId);
    const paid = await payAsDebtor(deps)({ clientId, debtId, asked });
    if (!paid) return null;
    return deps.db.tenant(clientId).transactional((tx) => addNotice(tx, { clientId, debtId, notice: 'pay' }));
  };
