import {
  continueAsNew,
  defineQuery,
  ParentClosePolicy,
  setHandler,
  startChild,
  workflowInfo,
} from '@temporalio/workflow';
import type { LaterDebts, PlannedDebt, PlanPage } from '../../activities/contract.ts';
import { createClock } from '../clock.ts';
import { collectDebt } from '../collection/collect-debt.ts';
import { type CampaignInput, SEARCH_ATTRIBUTES, stateChanged, WORKFLOWS } from '../contract.ts';
import { collectionWorkflowId, consoleLinks } from '../ids.ts';
import { allTriesFailed, createOperatorFlag, OPERATOR_RETRY_MS } from '../operator.ts';
import { planCollection, reviewCampaign, scoreCampaign } from '../proxies.ts';

export interface CampaignProgress {
  readonly started: number;
  readonly fannedOut: boolean;
}

export const campaignProgress = defineQuery<CampaignProgress>('progress');

/**
 * Starts the collection of each debt, best score first, and then waits until no live debt is left. Debts that come into
 * the campaign meanwhile are started in the same way.
 */
export async function runCampaign(input: CampaignInput): Promise<void> {
  const { clientId, campaignId } = input;
  const clock = createClock({ offsetMs: 0, maxWaitMs: input.maxWaitMs });
  let started = input.started ?? 0;
  let fannedOut = input.fannedOut ?? false;
  let changed = false;
  setHandler(stateChanged, () => {
    changed = true;
  });
  setHandler(campaignProgress, () => ({ started, fannedOut }));

  const operator = createOperatorFlag(input.needsOperator);
  /**
   * Retries until the activity succeeds: when all tries have failed, the operator flag is set, and the tries start
   * again. Returns null when the history has become long meanwhile, so that the run has to continue as new first.
   */
  async function retryUntilResolved<T>(run: () => Promise<T>): Promise<T | null> {
    for (;;) {
      try {
        const result = await run();
        operator.set(false);
        return result;
      } catch (error) {
        if (!allTriesFailed(error)) throw error;
        operator.set(true);
        changed = false;
        await clock.waitUntil(clock.now() + OPERATOR_RETRY_MS, () => changed, 'All tries failed: see the runbook');
        if (workflowInfo().continueAsNewSuggested) return null;
      }
    }
  }

  /**
   * A run without `after` begins with the scores and the first page again, which changes nothing twice. With `behind` it
   * plans the debts behind that position.
   */
  const goOn = (after: string | null, later: LaterDebts = {}): Promise<never> => {
    const { after: _, behind: __, ...same } = input;
    return continueAsNew<typeof runCampaign>({
      ...same,
      started,
      fannedOut,
      needsOperator: operator.isRaised(),
      ...later,
      ...(after === null ? {} : { after }),
    });
  };

  /** Scores, plans and starts all queued debts, or the later ones. */
  async function startDebts(from: string | null, later: LaterDebts = {}): Promise<void> {
    let after = from;
    const plan = (next: string | null) =>
      retryUntilResolved(() => planCollection({ clientId, campaignId, after: next, ...later }));
    const score = () => scoreCampaign({ clientId, campaignId, ...later }).then(() => true);
    if (after === null && (await retryUntilResolved(score)) === null) return goOn(null, later);
    let planned = plan(after);
    for (;;) {
      const page = await planned;
      if (page === null) return goOn(after, later);
      after = page.next;
      // The next page is planned while the debts of this page are started.
      if (after !== null) planned = plan(after);
      await Promise.all(page.debts.map((debt) => startCollection(input, debt, page)));
      started += page.debts.length;
      if (after === null) return;
      if (workflowInfo().continueAsNewSuggested) {
        // The next run plans this page again. Planning is idempotent, and this run must not end with an activity in
        // flight.
        await planned;
        return goOn(after, later);
      }
    }
  }

  if (!fannedOut) {
    await startDebts(input.after ?? null);
    fannedOut = true;
  } else if (input.behind !== undefined) {
    await startDebts(input.after ?? null, { behind: input.behind });
  }

  for (;;) {
    changed = false;
    const review = await retryUntilResolved(() => reviewCampaign({ clientId, campaignId }));
    if (review === null) return goOn(null);
    if (review.over) return;
    // Each import signals the workflow after its commit, so that one which comes during this step causes another review.
    if (review.later !== undefined) await startDebts(null, review.later);
    await clock.waitFor(() => changed);
    if (workflowInfo().continueAsNewSuggested) return goOn(null);
  }
}

async function startCollection(
  campaign: CampaignInput,
  { debtId, firstAt }: PlannedDebt,
  { clockOffsetMs: offsetMs = 0, clockHeld, consoleUrl }: PlanPage,
): Promise<void> {
  const { clientId, campaignId, sandbox, maxWaitMs } = campaign;
  const begins = {
    ...(campaign.restarted === true ? { mayHaveEnded: true } : {}),
    ...(clockHeld === true ? { clockHeld } : {}),
  };
  try {
    await startChild(collectDebt, {
      workflowId: collectionWorkflowId(debtId),
      args: [{ clientId, campaignId, debtId, sandbox, maxWaitMs, offsetMs, firstAt, ...begins }],
      parentClosePolicy: ParentClosePolicy.ABANDON,
      typedSearchAttributes: [
        { key: SEARCH_ATTRIBUTES.clientId, value: clientId },
        { key: SEARCH_ATTRIBUTES.campaignId, value: campaignId },
        { key: SEARCH_ATTRIBUTES.debtId, value: debtId },
        { key: SEARCH_ATTRIBUTES.sandbox, value: sandbox },
      ],
      staticSummary: WORKFLOWS['collect-debt'].summary,
      ...consoleLinks(consoleUrl, { debtId, campaignId }),
    });
  } catch (error) {
    // A payment or a message has already started the workflow.
    if (!(error instanceof Error) || error.name !== 'WorkflowExecutionAlreadyStartedError') throw error;
  }
}
