import { AppError } from '../../../kernel/errors.ts';
import { addRequestAudit, type RequestSource } from '../../accounts/queries/add-audit.ts';
import { loadDebt } from '../../debts/use-cases/debt-context.ts';
import { PaymentProviderError } from '../ports/payment-provider.ts';
import { chargesOfDebt } from '../queries/charges.ts';
import type { PaymentDeps } from './deps.ts';
import { findOrMakeCharge } from './find-or-make-charge.ts';

interface DebtRequest {
  readonly clientId: string;
  readonly debtId: string;
}

/**
 * Simulates the debtor's bank: it pays the code whatever the status of the debt, and a notification follows. Returns
 * false when nothing could be paid.
 */
export const payAsDebtor =
  (deps: PaymentDeps) =>
  async ({
    clientId,
    debtId,
    asked = 'next',
  }: DebtRequest & {
    /** Of a debt that has an agreement: which of its codes. */
    readonly asked?: 'next' | 'rest';
  }): Promise<boolean> => {
    const found = await deps.db.tenant(clientId).transactional(async (tx) => {
      const debt = await loadDebt(tx, debtId);
      return debt === null ? null : { debt, charges: await chargesOfDebt(tx, debtId) };
    });
    if (found === null || !(found.debt.sandbox || deps.sandboxOnly)) throw new AppError('not_found');
    const charge = await findOrMakeCharge(deps)({ clientId, debtId, ofAgreement: asked, evenIfClosed: true });
    // A paid debt has no open code. Paying its settled code again changes nothing.
    const settled = found.charges.find(({ status }) => status === 'APPROVED');
    const paid = charge?.providerPaymentId ?? settled?.providerPaymentId;
    return paid !== null && paid !== undefined && (await pay(deps, paid));
  };

/** Simulates a payment of the client's own sandbox debt and records it in the audit log. */
export const payInSandbox =
  (deps: PaymentDeps) =>
  async (request: {
    readonly clientId: string;
    readonly debtId: string;
    readonly source: RequestSource;
  }): Promise<void> => {
    const { clientId, debtId, source } = request;
    const paid = await payAsDebtor(deps)({ clientId, debtId });
    if (!paid) return;
    await deps.db
      .tenant(clientId)
      .transactional((tx) => addRequestAudit(tx, { clientId, source, action: 'sandbox_paid', target: debtId }));
  };

async function pay(deps: PaymentDeps, providerPaymentId: string): Promise<boolean> {
  try {
    await deps.bank.pay(providerPaymentId);
    return true;
  } catch (error) {
    // The payment was refunded or charged back since, so the second payment of the code changes nothing.
    if (!(error instanceof PaymentProviderError) || error.kind !== 'conflict') throw error;
    return false;
  }
}
