import type { AgreementInput, CampaignInput, CollectionInput, ListingsInput } from '../../../workflows/contract.ts';
import {
  accountMailWorkflowId,
  agreementWorkflowId,
  campaignWorkflowId,
  collectionWorkflowId,
  listingsWorkflowId,
  phoneRequestWorkflowId,
} from '../../../workflows/ids.ts';
import type { CampaignRef, CollectionWorkflows } from '../../kernel/ports/collection-workflows.ts';

/**
 * How long Temporal's visibility index may lack a new workflow. The second signal reaches the workflows that were not
 * in the index at the first.
 */
const VISIBILITY_LAG_MS = 10_000;

/**
 * How long the signal about imported debts waits for further imports: an integration that posts its debts one by one
 * causes one signal, one scoring and one planning for all of this time.
 */
const GATHER_MS = 3_000;

/**
 * Signals every running collection of a campaign or of a client to check its state; Temporal does the fan-out. Agreements
 * are about debts of several campaigns, so that Temporal finds them by their client alone.
 */
export const wakeAllCollections: CollectionWorkflows['wakeAll'] = (target, now) => {
  const isOfCampaign = 'campaignId' in target;
  const workflows = isOfCampaign ? (['collect-debt'] as const) : (['collect-debt', 'follow-agreement'] as const);
  return workflows.flatMap((workflow) =>
    [0, VISIBILITY_LAG_MS].map((laterMs) => ({
      kind: 'batch_signal' as const,
      workflow,
      workflowId: isOfCampaign ? `every-of-${target.campaignId}` : `every-of-${target.clientId}`,
      signal: 'stateChanged',
      payload: { ...target },
      dedupeKey: null,
      availableAt: new Date(now.getTime() + laterMs),
    })),
  );
};

export interface CollectionWorkflowOptions {
  readonly sandboxMaxWaitMs: number;
  /** How far the clock of the service is ahead of real time. */
  readonly clockOffsetMs?: number;
}

export function createCollectionWorkflows({
  sandboxMaxWaitMs,
  clockOffsetMs: serviceOffsetMs = 0,
}: CollectionWorkflowOptions): CollectionWorkflows {
  const maxWaitMs = (sandbox: boolean) => (sandbox ? sandboxMaxWaitMs : null);
  const inputOf = ({ id, clientId, sandbox }: CampaignRef, launchedAt: Date): CampaignInput => ({
    clientId,
    campaignId: id,
    sandbox,
    maxWaitMs: maxWaitMs(sandbox),
    launchedAt: launchedAt.getTime(),
  });
  return {
    campaignWorkflowId,

    startCampaign: (campaign, launchedAt, { restarted } = {}) => ({
      kind: 'start',
      workflow: 'run-campaign',
      workflowId: campaignWorkflowId(campaign.id),
      signal: null,
      payload: { ...inputOf(campaign, launchedAt), ...(restarted === true ? { restarted } : {}) },
      dedupeKey: null,
    }),

    takeDebts: (campaign, launchedAt, now) => ({
      kind: 'signal_with_start',
      workflow: 'run-campaign',
      workflowId: campaignWorkflowId(campaign.id),
      signal: 'stateChanged',
      // A run that this starts looks for debts without a plan, and plans nothing a second time.
      payload: { ...inputOf(campaign, launchedAt), restarted: true, fannedOut: true },
      dedupeKey: `takeDebts:${campaign.id}`,
      availableAt: new Date(now.getTime() + Math.min(GATHER_MS, campaign.sandbox ? sandboxMaxWaitMs : GATHER_MS)),
    }),

    wakeCampaign: (id) => ({
      kind: 'signal',
      workflow: 'run-campaign',
      workflowId: campaignWorkflowId(id),
      signal: 'stateChanged',
      payload: {},
      dedupeKey: `stateChanged:${id}`,
    }),

    wakeDebt: ({ id, clientId, campaignId, sandbox, clockOffsetMs, clockHeld }, signal, cause) => {
      const input: Omit<CollectionInput, 'carried'> = {
        clientId,
        campaignId,
        debtId: id,
        sandbox,
        maxWaitMs: maxWaitMs(sandbox),
        offsetMs: serviceOffsetMs + clockOffsetMs,
        firstAt: null,
        ...(clockHeld === true ? { clockHeld } : {}),
      };
      return {
        kind: 'signal_with_start',
        workflow: 'collect-debt',
        workflowId: collectionWorkflowId(id),
        signal,
        payload: { ...input, ...(cause === undefined ? {} : { cause }) },
        dedupeKey: `${signal}:${id}`,
      };
    },

    wakeAgreement: ({ id, clientId, sandbox, clockOffsetMs, clockHeld }, signal) => {
      const input: Omit<AgreementInput, 'carried'> = {
        clientId,
        agreementId: id,
        sandbox,
        maxWaitMs: maxWaitMs(sandbox),
        offsetMs: serviceOffsetMs + clockOffsetMs,
        ...(clockHeld === true ? { clockHeld } : {}),
      };
      return {
        kind: 'signal_with_start',
        workflow: 'follow-agreement',
        workflowId: agreementWorkflowId(id),
        signal,
        payload: { ...input },
        dedupeKey: `${signal}:${id}`,
      };
    },

    followListings: ({ id, clientId, sandbox, clockOffsetMs }) => {
      const input: ListingsInput = {
        clientId,
        debtId: id,
        maxWaitMs: maxWaitMs(sandbox),
        offsetMs: serviceOffsetMs + clockOffsetMs,
      };
      return {
        kind: 'signal_with_start',
        workflow: 'follow-listings',
        workflowId: listingsWorkflowId(id),
        signal: 'stateChanged',
        payload: { ...input },
        dedupeKey: `listings:${id}`,
      };
    },

    sandboxMaxWaitMs,

    wakeAll: wakeAllCollections,

    askForPhone: ({ clientId, requestId }) => ({
      kind: 'start',
      workflow: 'ask-for-phone',
      workflowId: phoneRequestWorkflowId(requestId),
      signal: null,
      payload: { clientId, requestId },
      dedupeKey: null,
    }),

    mailClient: (request) => ({
      kind: 'start',
      workflow: 'send-account-mail',
      workflowId: accountMailWorkflowId(request.requestId),
      signal: null,
      payload: { ...request },
      dedupeKey: `account-mail:${request.requestId}`,
    }),
  };
}
