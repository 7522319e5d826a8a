import type { EntityManager } from '@mikro-orm/postgresql';
import { type AuditAction, addRequestAudit, type RequestSource } from '../../db/audit.ts';
import { addOutbox, addOutboxRows } from '../../db/outbox.ts';
import { runInTransaction } from '../../db/statement.ts';
import type { CampaignStatus } from '../../domain/campaign-status.ts';
import { statusesBefore } from '../../domain/debt-status.ts';
import { AppError } from '../../domain/errors.ts';
import type { CollectionDeps } from '../collection/deps.ts';
import { completeCampaign } from '../debts/move-debt.ts';
import { waitForGates } from '../shared/pause-lock.ts';

export type CampaignChange = 'pause' | 'resume' | 'archive';

const CHANGES: Readonly<
  Record<
    CampaignChange,
    { readonly from: readonly CampaignStatus[]; readonly to: CampaignStatus; readonly action: AuditAction }
  >
> = {
  pause: { from: ['RUNNING'], to: 'PAUSED', action: 'campaign_paused' },
  resume: { from: ['PAUSED'], to: 'RUNNING', action: 'campaign_resumed' },
  archive: { from: ['DRAFT', 'RUNNING', 'PAUSED', 'COMPLETED'], to: 'ARCHIVED', action: 'campaign_archived' },
};

const STATUS = 'select status from campaigns where id = $1';
const LOCK_CAMPAIGN = `${STATUS} for no key update`;
const CHANGE = 'update campaigns set status = $2, updated_at = now() where id = $1 and status = any ($3) returning id';

/**
 * A pause takes effect at the gate, which refuses every contact. A resumption or an archiving wakes every collection
 * workflow, which then reads the new state.
 */
export const changeCampaign =
  (deps: CollectionDeps) =>
  async (request: {
    readonly clientId: string;
    readonly campaignId: string;
    readonly change: CampaignChange;
    readonly source: RequestSource;
  }): Promise<void> => {
    const { clientId, campaignId, change, source } = request;
    const { from, to, action } = CHANGES[change];
    await deps.db.tenant(clientId).transactional(async (em) => {
      if (change !== 'resume') await waitForGates(em, campaignId);
      const [campaign] = await runInTransaction<{ status: CampaignStatus }>(em, STATUS, [campaignId]);
      if (campaign === undefined) throw new AppError('not_found');
      if (campaign.status === to) return;
      // A launch locks the draft before its debts, so this follows the same order. No other process works on a draft.
      if (campaign.status === 'DRAFT') await runInTransaction(em, LOCK_CAMPAIGN, [campaignId]);
      // The debts are locked before the campaign, because a debt that ends takes its locks in that order.
      if (change === 'archive') await stopDebts(em, deps, campaignId);
      const changed = await runInTransaction(em, CHANGE, [campaignId, to, from]);
      if (changed.length === 0) {
        const [now] = await runInTransaction<{ status: CampaignStatus }>(em, STATUS, [campaignId]);
        if (now?.status === to) return;
        throw new AppError('campaign_state', {
          detail: `A campaign in status ${now?.status} does not allow this change.`,
        });
      }
      const details = { from: campaign.status };
      await addRequestAudit(em, { clientId, source, action, target: campaignId, details });
      if (change === 'pause') return;
      if (campaign.status === 'DRAFT') return;
      await addOutboxRows(em, deps.workflows.wakeAll({ campaignId }, deps.now()));
      if (change === 'archive') await addOutbox(em, deps.workflows.wakeCampaign(campaignId));
      if (change === 'resume') await completeCampaign(em, deps.workflows, campaignId);
    });
  };

// Each event is dated by the debt's own clock, and `greatest` keeps the timeline from going back.
const STOP = `
  with before as (
    select id, status from debts where campaign_id = $1 and status = any ($2) order by id for no key update
  ), stopped as (
    update debts set status = 'STOPPED', next_contact_at = null, paused_at = null, updated_at = now(),
      last_event_at = greatest(last_event_at, $3::timestamptz + make_interval(secs => clock_offset_ms / 1000.0))
    from before where debts.id = before.id
    returning debts.id, debts.client_id, debts.last_event_at, before.status
  )
  insert into debt_events (client_id, debt_id, at, kind, data)
  select client_id, id, last_event_at, 'status_changed', jsonb_build_object('from', status, 'to', 'STOPPED')
  from stopped order by id`;

const stopDebts = (em: EntityManager, deps: CollectionDeps, campaignId: string): Promise<object[]> =>
  runInTransaction(em, STOP, [campaignId, statusesBefore('archived'), deps.now()]);
