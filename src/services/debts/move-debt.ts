import type { EntityManager } from '@mikro-orm/postgresql';
import { addOutbox } from '../../db/outbox.ts';
import { runInTransaction } from '../../db/statement.ts';
import {
  type DebtEvent,
  type DebtStatus,
  isLive,
  LIVE_DEBT_STATUSES,
  nextDebtStatus,
} from '../../domain/debt-status.ts';
import type { CollectionWorkflows } from '../../ports/collection-workflows.ts';
import { recordEvents } from './timeline.ts';

export interface DebtMove {
  readonly from: DebtStatus;
  readonly to: DebtStatus;
}

const LOCK_DEBT = `select status, campaign_id as "campaignId" from debts where id = $1 for no key update`;
// A debt that is not live has no next contact and does not wait for the end of a pause.
const MOVE = `
  update debts set status = $2, updated_at = now(),
    next_contact_at = case when $3 then next_contact_at end, paused_at = case when $3 then paused_at end
  where id = $1`;

/**
 * The only way to change the status of a debt: an event moves it, and the timeline records the change. Returns null when
 * the event does not apply to the current status.
 */
export async function moveDebt(
  em: EntityManager,
  workflows: CollectionWorkflows,
  debtId: string,
  event: DebtEvent,
  at: number,
): Promise<DebtMove | null> {
  const [debt] = await runInTransaction<{ status: DebtStatus; campaignId: string }>(em, LOCK_DEBT, [debtId]);
  if (debt === undefined) return null;
  const from = debt.status;
  const to = nextDebtStatus(from, event);
  if (to === null) return null;
  if (to !== from) {
    await runInTransaction(em, MOVE, [debtId, to, isLive(to)]);
    await recordEvents(em, debtId, at, [{ kind: 'status_changed', data: { from, to } }]);
    if (isLive(from) && !isLive(to)) await completeCampaign(em, workflows, debt.campaignId);
  }
  return { from, to };
}

const LOCK_CAMPAIGN = `select 1 from campaigns where id = $1 and status = 'RUNNING' for no key update`;
const COMPLETE = `
  update campaigns set status = 'COMPLETED', updated_at = now()
  where id = $1 and status = 'RUNNING'
    and not exists (select 1 from debts where campaign_id = $1 and status = any ($2))
  returning id`;

/** When two debts end at once, the second waits for the first one's lock and then sees that no live debt is left. */
export async function completeCampaign(
  em: EntityManager,
  workflows: CollectionWorkflows,
  campaignId: string,
): Promise<void> {
  const locked = await runInTransaction(em, LOCK_CAMPAIGN, [campaignId]);
  if (locked.length === 0) return;
  const completed = await runInTransaction(em, COMPLETE, [campaignId, LIVE_DEBT_STATUSES]);
  if (completed.length > 0) await addOutbox(em, workflows.wakeCampaign(campaignId));
}
