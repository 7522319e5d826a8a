import { AppError } from '../../../kernel/errors.ts';
import { addOutbox } from '../../../platform/database/add-outbox.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { addRequestAudit, type RequestSource } from '../../accounts/queries/add-audit.ts';
import type { CollectionDeps } from '../../collection/deps.ts';
import { requireLaunchableClient } from '../../collection/staff/require-launchable-client.ts';
import {
  type CampaignToLaunch,
  lockCampaignToLaunch,
  markDebtsAsSandbox,
  queueDebts,
  startCampaign,
  takeTermsOfMovedDebts,
} from '../../debts/queries/campaign-changes.ts';
import { separateSandboxRows } from '../../debts/queries/continued-debts.ts';
import { completeCampaign } from '../../debts/use-cases/move-debt.ts';
import { addressLine, creditorName } from '../../messaging/use-cases/debt-facts.ts';
import { type ChannelReadiness, readChannelReadiness, requireReadyChannels } from './channel-readiness.ts';

export interface LaunchedCampaign {
  readonly queued: number;
  readonly campaignId: string;
  readonly status: 'RUNNING';
  readonly sandbox: boolean;
  readonly workflowId: string;
}

/** Launches a draft with all its debts, once. The outbox starts the campaign's workflow. */
export const launchCampaign =
  (deps: CollectionDeps) =>
  async (request: {
    readonly clientId: string;
    readonly campaignId: string;
    readonly sandbox: boolean;
    readonly source: RequestSource;
    /** Throws when the caller may not launch a campaign that contacts real people. */
    readonly beforeReal?: () => void;
  }): Promise<LaunchedCampaign> => {
    const { clientId, campaignId, source } = request;
    const asksSandbox = request.sandbox || deps.sandboxOnly;
    const db = deps.db.tenant(clientId);
    const lockDraft = async (tx: Tx): Promise<CampaignToLaunch & { readonly sandbox: boolean }> => {
      const campaign = await lockCampaignToLaunch(tx, campaignId);
      if (campaign === undefined) throw new AppError('not_found');
      if (campaign.status !== 'DRAFT') throw new AppError('campaign_not_draft');
      // An example belongs to the sandbox whatever the launch asks for, because its phones may belong to people.
      const sandbox = asksSandbox || campaign.sandbox === true;
      if (!sandbox) {
        request.beforeReal?.();
        await requireLaunchableClient(tx, deps, clientId, campaign);
      }
      return { ...campaign, sandbox };
    };
    // A channel may be asked, which must not happen while the campaign is locked.
    const draft = asksSandbox ? null : await db.transactional(lockDraft);
    const channels = draft === null || draft.sandbox ? null : await readiness(deps, clientId, draft);
    const launchedAt = deps.now();
    return db.transactional(async (tx) => {
      const { sandbox, ...campaign } = await lockDraft(tx);
      if (channels !== null) requireReadyChannels(campaign.channels, channels);
      const { queued, empty } = await queueDebts(tx, campaignId, sandbox);
      if (empty) throw new AppError('campaign_empty');
      await takeTermsOfMovedDebts(tx, campaignId);
      if (sandbox) {
        await markDebtsAsSandbox(tx, campaignId);
        await separateSandboxRows(tx, campaignId);
      }
      await startCampaign(tx, campaignId, { sandbox, launchedAt });
      const details = { queued, sandbox };
      await addRequestAudit(tx, { clientId, source, action: 'campaign_launched', target: campaignId, details });
      await addOutbox(tx, deps.workflows.startCampaign({ id: campaignId, clientId, sandbox }, launchedAt));
      // Messages may have moved every debt of the draft already. The campaign then runs again when the client resumes a
      // debt.
      if (queued === 0) await completeCampaign(tx, deps.workflows, campaignId);
      const workflowId = deps.workflows.campaignWorkflowId(campaignId);
      return { queued, campaignId, status: 'RUNNING', sandbox, workflowId };
    });
  };

export const readiness = (
  deps: Pick<CollectionDeps, 'db' | 'now' | 'sendersOf' | 'publicUrl'>,
  clientId: string,
  { channels, reminders, name, senderName, cnpj, address, contactEmail }: CampaignToLaunch,
): Promise<readonly ChannelReadiness[]> => {
  const creditor = {
    name: creditorName({ senderName, name }),
    cnpj,
    address: address === null ? null : addressLine(address),
    email: contactEmail,
  };
  return readChannelReadiness(deps, clientId, { channels, reminds: reminders !== null, creditor });
};
