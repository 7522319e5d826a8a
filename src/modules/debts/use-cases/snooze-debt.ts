import { AppError } from '../../../kernel/errors.ts';
import { addRequestAudit, type RequestSource } from '../../accounts/queries/add-audit.ts';
import type { SharedDeps } from '../../deps.ts';
import { snoozeInboxItems } from '../queries/inbox-items.ts';
import { loadDebt } from './debt-context.ts';

interface Snooze {
  readonly clientId: string;
  readonly debtId: string;
  /** Null ends the snooze. */
  readonly until: Date | null;
  readonly source: RequestSource;
}

/**
 * Hides the open inbox items of a debt until a moment, in real time also for a sandbox debt. What is asked later is a new
 * item or ends the snooze of its item, so it is not hidden.
 */
export const snoozeDebt =
  ({ db }: Pick<SharedDeps, 'db'>) =>
  async ({ clientId, debtId, until, source }: Snooze): Promise<void> =>
    db.tenant(clientId).transactional(async (tx) => {
      // Items are opened and closed under the same lock.
      const debt = await loadDebt(tx, debtId, { forUpdate: true });
      if (debt === null) throw new AppError('not_found');
      const snoozed = await snoozeInboxItems(tx, debtId, until);
      if (snoozed.length === 0) throw new AppError('debt_state', { detail: 'This debt waits for no decision.' });
      const details = { until: until?.toISOString() ?? null, items: snoozed.length };
      await addRequestAudit(tx, { clientId, source, action: 'debt_snoozed', target: debtId, details });
    });
