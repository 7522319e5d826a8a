import { addRequestAudit, type RequestSource } from '../../accounts/queries/add-audit.ts';
import type { PaymentDeps } from './deps.ts';
import { payInSandbox } from './pay-in-sandbox.ts';

/** Simulates a payment of the client's own sandbox debt and records it in the audit log. */
export const payAsClient =
  (deps: PaymentDeps) =>
  async (request: {
    readonly clientId: string;
    readonly debtId: string;
    readonly source: RequestSource;
  }): Promise<void> => {
    const { clientId, debtId, source } = request;
    const paid = await payInSandbox(deps)({ clientId, debtId });
    if (!paid) return;
    await deps.db
      .tenant(clientId)
      .transactional((tx) => addRequestAudit(tx, { clientId, source, action: 'sandbox_paid', target: debtId }));
  };
