import { isLive } from '../../../kernel/debt-status.ts';
import { clearPlanOutdated, waitCountsFrom } from '../../debts/queries/campaign-settings.ts';
import type { DebtTask } from '../../debts/rules/debt-task.ts';
import { momentOf } from '../../debts/use-cases/clock.ts';
import { loadDebt, lockDebts } from '../../debts/use-cases/debt-context.ts';
import { ledgerKeyOf, lockPersons } from '../../messaging/use-cases/contact-ledger.ts';
import type { CollectionDeps } from '../deps.ts';
import { planAfterContact } from './plan-next-contact.ts';

/**
 * After the settings of its campaign have changed, plans the next contact of a debt by the new ones: the wait counts from
 * the same moment as before. The gate decides about the contact itself in any case.
 */
export async function planAgain(deps: CollectionDeps, { clientId, debtId, clock }: DebtTask): Promise<void> {
  await deps.db.tenant(clientId).transactional(async (tx) => {
    const seen = await loadDebt(tx, debtId);
    if (seen === null) return;
    await lockPersons(tx, [ledgerKeyOf(seen, deps.personKeys)]);
    await lockDebts(tx, [debtId]);
    const debt = await loadDebt(tx, debtId);
    if (debt?.isPlanOutdated !== true) return;
    await clearPlanOutdated(tx, debtId);
    if (!isLive(debt.status) || debt.erased) return;
    const now = momentOf(clock, debt, deps.now().getTime());
    const from = debt.step === 0 ? null : await waitCountsFrom(tx, debtId);
    await planAfterContact(tx, deps, debt, clock, Math.min(now, from?.getTime() ?? now));
  });
}
