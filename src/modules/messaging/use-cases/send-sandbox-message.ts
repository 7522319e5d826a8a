import { randomUUID } from 'node:crypto';
import { addRequestAudit, type RequestSource } from '../../accounts/queries/add-audit.ts';
import { markAsSandboxDebt } from '../../debts/queries/debts.ts';
import type { SharedDeps } from '../../deps.ts';
import { storeReceived } from './receive-message.ts';
import { requireSandboxDebt } from './require-sandbox-debt.ts';

/** Simulates a message from the debtor's phone, which is received like any other message. */
export const sendSandboxMessage =
  (deps: Pick<SharedDeps, 'db' | 'now' | 'workflows' | 'sandboxOnly'>) =>
  async (request: {
    readonly clientId: string;
    readonly debtId: string;
    readonly text: string;
    readonly source: RequestSource;
  }): Promise<void> => {
    const { clientId, debtId, text, source } = request;
    await deps.db.tenant(clientId).transactional(async (tx) => {
      await requireSandboxDebt(tx, deps, debtId);
      // On a deployment with sandbox adapters only, a debt of a draft is a sandbox debt before the launch marks it as
      // one.
      await markAsSandboxDebt(tx, debtId);
      const message = { clientId, debtId, channel: 'sandbox', channelMessageId: `played_${randomUUID()}`, text };
      await storeReceived(tx, deps, message);
      await addRequestAudit(tx, { clientId, source, action: 'sandbox_message_sent', target: debtId });
    });
  };
