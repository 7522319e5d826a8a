import type { CampaignStatus } from '../../../kernel/campaign-status.ts';
import { statusesBefore } from '../../../kernel/debt-status.ts';
import { AppError } from '../../../kernel/errors.ts';
import { addOutbox, addOutboxRows } from '../../../platform/database/add-outbox.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { type AuditAction, addRequestAudit, type RequestSource } from '../../accounts/queries/add-audit.ts';
import { waitForGates } from '../../accounts/queries/pause-locks.ts';
import type { CollectionDeps } from '../../collection/deps.ts';
import { campaignWithUnplanned } from '../../collection/queries/contact-plan.ts';
import {
  changeCampaignStatus,
  hasAgreements,
  lockCampaign,
  readCampaignStatus,
  stopDebts,
} from '../../debts/queries/campaign-changes.ts';
import { lockImports } from '../../debts/queries/imports.ts';
import { closeInboxItemsOfStopped } from '../../debts/queries/inbox-items.ts';
import { reasonsEndedBy } from '../../debts/rules/inbox-reasons.ts';
import { endForgotten } from '../../debts/use-cases/inbox-items.ts';
import { completeCampaign } from '../../debts/use-cases/move-debt.ts';
import { wakeAgreementsOfCampaign } from './wake-agreements.ts';

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
    await deps.db.tenant(clientId).transactional(async (tx) => {
      // An import takes the same lock first, so that no debt comes in after the others were stopped.
      if (change === 'archive') await lockImports(tx, clientId);
      if (change !== 'resume') await waitForGates(tx, campaignId);
      const campaign = await readCampaignStatus(tx, campaignId);
      if (campaign === undefined) throw new AppError('not_found');
      if (campaign.status === to) return;
      // A launch locks the draft before its debts, so this follows the same order. No other process works on a draft.
      if (campaign.status === 'DRAFT') await lockCampaign(tx, campaignId);
      // The debts are locked before the campaign, because a debt that ends takes its locks in that order.
      if (change === 'archive') {
        await stopDebts(tx, campaignId, { from: statusesBefore('archived'), at: deps.now() });
        if (await hasAgreements(tx, campaignId)) {
          throw new AppError('debt_state', { detail: 'Debts of this campaign have agreements: cancel them first.' });
        }
        await closeInboxItemsOfStopped(tx, campaignId, reasonsEndedBy('STOPPED'));
        await endForgotten(tx, deps.workflows, { campaignId });
      }
      if ((await changeCampaignStatus(tx, campaignId, { from, to })) === undefined) {
        const now = await readCampaignStatus(tx, campaignId);
        if (now?.status === to) return;
        throw new AppError('campaign_state', {
          detail: `A campaign in status ${now?.status} does not allow this change.`,
        });
      }
      const details = { from: campaign.status };
      await addRequestAudit(tx, { clientId, source, action, target: campaignId, details });
      if (change === 'pause') return;
      if (campaign.status === 'DRAFT') return;
      await addOutboxRows(tx, deps.workflows.wakeAll({ campaignId }, deps.now()));
      if (change === 'archive') await addOutbox(tx, deps.workflows.wakeCampaign(campaignId));
      if (change === 'resume') {
        // A notice that the pause has refused is sent now, if it is still due.
        await wakeAgreementsOfCampaign(tx, deps.workflows, campaignId);
        await takeImported(tx, deps, campaignId);
        await completeCampaign(tx, deps.workflows, campaignId);
      }
    });
  };

/** Debts that came in during the pause are planned now, by a workflow that may have ended before they came. */
async function takeImported(tx: Tx, deps: CollectionDeps, campaignId: string): Promise<void> {
  const campaign = await campaignWithUnplanned(tx, campaignId);
  if (campaign === undefined) return;
  const { clientId, sandbox, launchedAt } = campaign;
  const now = deps.now();
  const ref = { id: campaignId, clientId, sandbox: sandbox === true };
  await addOutbox(tx, deps.workflows.takeDebts(ref, launchedAt ?? now, now));
}
