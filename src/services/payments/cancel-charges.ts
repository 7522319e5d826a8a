import { runInTransaction } from '../../db/statement.ts';
import type { DebtStatus } from '../../domain/debt-status.ts';
import { PaymentProviderError } from '../../ports/payment-provider.ts';
import { debtNow } from '../collection/clock.ts';
import { loadDebt } from '../collection/debt-context.ts';
import { applyReport } from './apply-report.ts';
import { type Charge, chargesOf, isOpen } from './charges.ts';
import type { PaymentDeps } from './deps.ts';

/** Paid by another charge, withdrawn or archived. A wrong person's debt may still be paid by the right one. */
export const closesCharges = (debt: { readonly status: DebtStatus; readonly wrongPerson: boolean }): boolean =>
  debt.status === 'PAID' || (debt.status === 'STOPPED' && !debt.wrongPerson);

const CANCELLED = `
  update charges set status = 'CANCELLED', ask_at = null, updated_at = now() where id = $1 and status = 'PENDING'`;
// The provider is down: the reconciliation takes it up at once.
const LATER = `update charges set ask_at = now() where id = $1 and status = 'PENDING'`;

/** Open codes of a debt that nobody is to pay any more, ended at the provider. */
export const cancelCharges =
  (deps: PaymentDeps) =>
  async ({ clientId, debtId }: { readonly clientId: string; readonly debtId: string }): Promise<void> => {
    const open = await deps.db.tenant(clientId).transactional(async (em) => {
      const debt = await loadDebt(em, debtId);
      return debt === null || !closesCharges(debt) ? [] : (await chargesOf(em, debtId)).filter(isOpen);
    });
    for (const charge of open) await cancelCharge(deps, clientId, charge);
  };

async function cancelCharge(deps: PaymentDeps, clientId: string, charge: Charge): Promise<void> {
  const { provider, credentials } = await deps.accountOf({ clientId, sandbox: charge.provider === 'sandbox' });
  const db = deps.db.tenant(clientId);
  const id = charge.providerPaymentId ?? '';
  try {
    await provider.cancelCharge(id, credentials);
    await db.transactional((em) => runInTransaction(em, CANCELLED, [charge.id]));
  } catch (error) {
    if (!(error instanceof PaymentProviderError)) throw error;
    if (error.kind !== 'conflict') {
      await db.transactional((em) => runInTransaction(em, LATER, [charge.id]));
      return;
    }
    // Paid meanwhile: a second payment, which the client has to know of.
    const report = await provider.getCharge(id, credentials);
    await db.transactional(async (em) => {
      const debt = await loadDebt(em, charge.debtId, { forUpdate: true });
      if (debt === null) return;
      const at = debtNow(debt.clockOffsetMs, deps.now().getTime());
      await applyReport({ em, deps, debt, report, at }, charge.id);
    });
  }
}
