import { addOutbox } from '../../../platform/database/add-outbox.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { readAgreement } from '../../agreements/queries/agreements.ts';
import { loadDebt } from '../../debts/use-cases/debt-context.ts';
import type { PaymentDeps } from './deps.ts';

/** Wakes the workflow that sends a refund which was just stored: that of the debt, or of the agreement whose money it is. */
export async function wakeForRefund(
  tx: Tx,
  { workflows }: Pick<PaymentDeps, 'workflows'>,
  { debtId, agreementId }: { readonly debtId: string; readonly agreementId: string | null },
): Promise<void> {
  const agreement = agreementId === null ? undefined : await readAgreement(tx, agreementId);
  if (agreement !== undefined) {
    await addOutbox(tx, workflows.wakeAgreement(agreement, 'paymentNoticed'));
    return;
  }
  const debt = await loadDebt(tx, debtId);
  if (debt !== null) await addOutbox(tx, workflows.wakeDebt(debt, 'paymentNoticed'));
}
