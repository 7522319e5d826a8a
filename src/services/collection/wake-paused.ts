import { addOutboxRows } from '../../db/outbox.ts';
import { runInTransaction } from '../../db/statement.ts';
import type { DebtRef } from '../../ports/collection-workflows.ts';
import type { CollectionDeps } from './deps.ts';

const DEBTS_PER_RUN = 1_000;

const READ = `
  select d.id, d.client_id as "clientId", d.campaign_id as "campaignId", d.sandbox, d.clock_offset_ms as "clockOffsetMs"
  from debts d join campaigns c on c.id = d.campaign_id join clients o on o.id = d.client_id
  where d.paused_at is not null and c.status = 'RUNNING' and o.status in ('ONBOARDING', 'ACTIVE')
  order by d.paused_at limit ${DEBTS_PER_RUN}`;

/** Wakes debts one by one that the batch signal of a resumption missed, because Temporal's visibility index lags behind. */
export const wakePaused = (deps: Pick<CollectionDeps, 'db' | 'workflows'>) => async (): Promise<{ woken: number }> => {
  const em = deps.db.system();
  return em.transactional(async (tx) => {
    const debts = await runInTransaction<DebtRef>(tx, READ);
    await addOutboxRows(
      tx,
      debts.map((debt) => deps.workflows.wakeDebt(debt, 'stateChanged')),
    );
    return { woken: debts.length };
  });
};
