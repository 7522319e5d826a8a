import { addRequestAudit, type RequestSource } from '../../db/audit.ts';
import type { ClientAddress } from '../../db/entities/client.ts';
import { addOutbox } from '../../db/outbox.ts';
import { runInTransaction } from '../../db/statement.ts';
import type { CampaignStatus } from '../../domain/campaign-status.ts';
import { AppError } from '../../domain/errors.ts';
import type { Connection } from '../../domain/launch-needs.ts';
import type { CollectionDeps } from '../collection/deps.ts';
import { completeCampaign } from '../debts/move-debt.ts';

export interface LaunchedCampaign {
  readonly queued: number;
  readonly campaignId: string;
  readonly status: 'RUNNING';
  readonly sandbox: boolean;
  readonly workflowId: string;
}

interface CampaignToLaunch {
  readonly status: CampaignStatus;
  readonly cnpj: string | null;
  readonly address: ClientAddress | null;
  readonly verified: boolean;
  readonly confirmed: boolean;
}

const LOCK_CAMPAIGN = `
  select c.status, o.cnpj, o.address, o.verified_at is not null as verified,
    o.email_confirmed_at is not null as confirmed
  from campaigns c join clients o on o.id = c.client_id where c.id = $1 for no key update of c`;
const QUEUE = `
  update debts set status = 'QUEUED', sandbox = $2, updated_at = now()
  where campaign_id = $1 and status = 'IMPORTED'`;
const COUNT_QUEUED = `
  with queued as (${QUEUE} returning 1)
  select count(*)::int as queued, not exists (select 1 from debts where campaign_id = $1) as empty from queued`;
// A debt that a message moved out of IMPORTED before the launch must not be resumed later as a real debt.
const SIMULATE_REST = `
  update debts set sandbox = true, updated_at = now() where campaign_id = $1 and not sandbox and status <> 'PAID'`;
const RUN = `
  update campaigns set status = 'RUNNING', sandbox = $2, launched_at = $3, updated_at = now() where id = $1`;

/** Turns a draft into a running campaign with all its debts, once. The outbox starts the campaign's workflow. */
export const launchCampaign =
  (deps: CollectionDeps) =>
  async (request: {
    readonly clientId: string;
    readonly campaignId: string;
    readonly sandbox: boolean;
    readonly source: RequestSource;
  }): Promise<LaunchedCampaign> => {
    const { clientId, campaignId, source } = request;
    const sandbox = request.sandbox || deps.sandboxOnly;
    const launchedAt = deps.now();
    return deps.db.tenant(clientId).transactional(async (em) => {
      const [campaign] = await runInTransaction<CampaignToLaunch>(em, LOCK_CAMPAIGN, [campaignId]);
      if (campaign === undefined) throw new AppError('not_found');
      if (campaign.status !== 'DRAFT') throw new AppError('campaign_not_draft');
      if (!sandbox) await requireLaunchableClient(deps, clientId, campaign);
      const [row] = await runInTransaction<{ queued: number; empty: boolean }>(em, COUNT_QUEUED, [campaignId, sandbox]);
      const { queued, empty } = row ?? { queued: 0, empty: true };
      if (empty) throw new AppError('campaign_empty');
      if (sandbox) await runInTransaction(em, SIMULATE_REST, [campaignId]);
      await runInTransaction(em, RUN, [campaignId, sandbox, launchedAt]);
      const details = { queued, sandbox };
      await addRequestAudit(em, { clientId, source, action: 'campaign_launched', target: campaignId, details });
      await addOutbox(em, deps.workflows.startCampaign({ id: campaignId, clientId, sandbox }, launchedAt));
      // Messages may have moved every debt of the draft already. The campaign then runs again when the client resumes a debt.
      if (queued === 0) await completeCampaign(em, deps.workflows, campaignId);
      const workflowId = deps.workflows.campaignWorkflowId(campaignId);
      return { queued, campaignId, status: 'RUNNING', sandbox, workflowId };
    });
  };

const CONNECTION_NAMES: Readonly<Record<Connection, string>> = {
  channel: 'messaging channel',
  payment_provider: 'payment provider',
};

/** Real people are contacted only for a company that the operator has verified and that they can identify (CDC 42-A). */
async function requireLaunchableClient(
  deps: CollectionDeps,
  clientId: string,
  client: CampaignToLaunch,
): Promise<void> {
  if (!client.confirmed) throw new AppError('email_not_confirmed');
  if (!client.verified) throw new AppError('client_not_verified');
  const missing = [
    ...(client.cnpj === null ? ['CNPJ'] : []),
    ...(client.address === null ? ['address'] : []),
    ...(await deps.missingConnections(clientId)).map((connection) => CONNECTION_NAMES[connection]),
  ];
  if (missing.length > 0) throw new AppError('creditor_incomplete', { detail: `Missing: ${missing.join(', ')}.` });
}
