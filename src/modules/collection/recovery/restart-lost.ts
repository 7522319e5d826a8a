import { DAY } from '../../../kernel/calendar.ts';
import type { RunState } from '../../../kernel/ports/workflow-runs.ts';
import { readCampaignStatus } from '../../debts/queries/campaign-changes.ts';
import { completeCampaign } from '../../debts/use-cases/move-debt.ts';
import type { Pause, RunsDeps } from '../deps.ts';
import {
  campaignsWithWorkflows,
  clientsWithLateDebts,
  type LateDebt,
  lateAgreements,
  lateDebts,
  type Wanted,
} from '../queries/lost-workflows.ts';
import {
  type FoundCampaign,
  MAX_LISTED,
  type RestartDraft,
  type RestartReport,
  type RestartTask,
} from '../rules/restart-report.ts';
import { holdAfterEnd } from './hold-if-ended.ts';
import { restartForWaiting } from './restart-for-waiting.ts';
import { restartWithoutDebt } from './restart-without-debt.ts';

/** The workflow of a campaign that ended longer ago needs nobody: it is found when an operator looks for it. */
const ENDED_WITHIN_MS = 2 * DAY;

interface Search {
  /** Undefined for all campaigns. */
  readonly campaignId: string | undefined;
  readonly now: number;
  readonly marginMs: number;
  readonly pause: Pause;
}

/**
 * Starts the workflows of running campaigns that have none: each plans and starts the debts that are still queued, and
 * waits for the end. Notices ends that were missed, in the database and by a workflow, and imports that a workflow missed.
 */
async function restartCampaigns(
  deps: RunsDeps,
  { campaignId, now, marginMs, pause }: Search,
): Promise<FoundCampaign[]> {
  const found = await deps.db.system().transactional((tx) =>
    campaignsWithWorkflows(tx, {
      campaignId: campaignId ?? null,
      changedBefore: new Date(now - marginMs),
      endedSince: new Date(now - ENDED_WITHIN_MS),
    }),
  );
  const done: FoundCampaign[] = [];
  for (const campaign of found) {
    const { id, clientId, status, sandbox, launchedAt, hasWork, unplanned } = campaign;
    await pause(0);
    if (status === 'RUNNING' && !hasWork) {
      await deps.db.tenant(clientId).transactional((tx) => completeCampaign(tx, deps.workflows, id));
      done.push({ campaignId: id, did: 'completed' });
      continue;
    }
    const ref = { id, clientId, sandbox: sandbox === true };
    const request = deps.workflows.startCampaign(ref, launchedAt ?? new Date(now), { restarted: true });
    const { kind } = await deps.runs.latest(request.workflowId);
    if (status === 'RUNNING' && kind !== 'running') {
      await deps.runs.startOrSignal(request, 'stateChanged');
      done.push({ campaignId: id, did: 'started' });
    }
    if (kind === 'running' && (status !== 'RUNNING' || Boolean(unplanned))) {
      await deps.runs.signal(request.workflowId, 'stateChanged');
      done.push({ campaignId: id, did: status === 'RUNNING' ? 'woken' : 'told' });
    }
  }
  return done;
}

/**
 * Far longer than the outbox and a busy worker need. Only the number of questions to Temporal depends on it: a debt whose
 * workflow runs is left alone, however late it is.
 */
const MARGIN_MS = 15 * 60_000;
/** A running workflow that is this late may wait for a signal that was lost with a database. An operator wakes it. */
const WOKEN_AFTER_MS = 60 * 60_000;

/** The debts of one client before it is the next client's turn. */
const TURN = 50;
/** How many questions Temporal answers at a time. */
const AT_A_TIME = 10;
/** One activity starts at most this many; the workflow then asks for the next ones. */
const MAX_STARTS = 2_000;

const emptyReport = (): RestartDraft => ({
  refused: null,
  asked: 0,
  running: 0,
  woken: 0,
  started: 0,
  heldCount: 0,
  held: [],
  campaigns: [],
  more: false,
});

/**
 * Starts campaigns and collections whose workflows are lost, because somebody terminated them or Temporal's data is gone.
 * Temporal says which ones run, so that a worker that is behind is not taken for a loss. Clients take turns, and starts
 * keep the pace of first contacts, because each of them may contact at once.
 */
export const restartLost =
  (deps: RunsDeps) =>
  async ({ atOnce = false, campaignId }: RestartTask, pause: Pause): Promise<RestartReport> => {
    const report = emptyReport();
    const now = deps.now().getTime();
    if (campaignId !== undefined) report.refused = await refusalOf(deps, campaignId);
    if (report.refused !== null) return report;
    const marginMs = atOnce ? 0 : MARGIN_MS;
    report.campaigns.push(...(await restartCampaigns(deps, { campaignId, now, marginMs, pause })));
    const wanted: Wanted = {
      campaignId: campaignId ?? null,
      overdueSince: atOnce ? null : new Date(now - MARGIN_MS),
      sandboxMaxWaitMs: deps.sandboxMaxWaitMs,
    };
    const search = { wanted, wakeBefore: atOnce ? now - WOKEN_AFTER_MS : null, pause };
    await restartForWaiting(deps, report, search);
    if (campaignId === undefined) await restartWithoutDebt(deps, report, search);
    for await (const debts of alternatingClients(deps, wanted)) {
      await pause(0);
      const states = await inGroups(debts, (debt) => deps.runs.latest(workflowIdOf(deps, debt)));
      for (const [index, debt] of debts.entries()) {
        const wake = atOnce && isLate(debt, now);
        await handle(deps, report, debt, { state: states[index]!, wake, pause });
      }
      if (report.started >= MAX_STARTS) {
        report.more = true;
        break;
      }
    }
    await restartAgreements(deps, report, { wanted, atOnce, pause });
    const { started, heldCount } = report;
    if (started + heldCount > 0) {
      deps.note('lost collections were found', { started: String(started), held: String(heldCount) });
    }
    return report;
  };

/** Starts the workflows of agreements that have none. Each may remind its debtor at once, so that they keep the pace too. */
async function restartAgreements(
  deps: RunsDeps,
  report: RestartDraft,
  { wanted, atOnce, pause }: { readonly wanted: Wanted; readonly atOnce: boolean; readonly pause: Pause },
): Promise<void> {
  const late = await deps.db.system().transactional((tx) => lateAgreements(tx, wanted));
  for (const agreement of late) {
    await pause(0);
    const request = deps.workflows.wakeAgreement(agreement, 'stateChanged');
    const { kind } = await deps.runs.latest(request.workflowId);
    report.asked += 1;
    if (kind === 'running') {
      report.running += 1;
      if (!atOnce) continue;
      report.woken += 1;
      await deps.runs.signal(request.workflowId, 'stateChanged');
      continue;
    }
    await pause(1_000 / deps.contactsPerSecond);
    await deps.runs.startOrSignal(request, 'stateChanged');
    report.started += 1;
  }
}

async function refusalOf(deps: RunsDeps, campaignId: string): Promise<RestartReport['refused']> {
  const campaign = await deps.db.system().transactional((tx) => readCampaignStatus(tx, campaignId));
  if (campaign === undefined) return 'unknown_campaign';
  return campaign.status === 'RUNNING' ? null : 'campaign_not_running';
}

const workflowIdOf = ({ workflows }: RunsDeps, debt: LateDebt): string =>
  workflows.wakeDebt(debt, 'stateChanged').workflowId;

/** The clock of a sandbox debt runs ahead, so only its last change says how late it is. */
const isLate = ({ sandbox, nextContactAt, updatedAt }: LateDebt, now: number): boolean =>
  ((sandbox ? null : nextContactAt) ?? updatedAt).getTime() < now - WOKEN_AFTER_MS;

/** Yields the debts of one client after the other, some at a time, until none is left. */
async function* alternatingClients(deps: RunsDeps, wanted: Wanted): AsyncGenerator<LateDebt[]> {
  const search = deps.db.system();
  const clients = await search.transactional((tx) => clientsWithLateDebts(tx, wanted));
  let turns = clients.map((clientId) => ({ clientId, after: null as string | null }));
  while (turns.length > 0) {
    const next: typeof turns = [];
    for (const turn of turns) {
      const debts = await search.transactional((tx) => lateDebts(tx, wanted, { ...turn, limit: TURN }));
      if (debts.length > 0) yield debts;
      if (debts.length === TURN) next.push({ ...turn, after: debts.at(-1)!.id });
    }
    turns = next;
  }
}

async function inGroups<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let from = 0; from < items.length; from += AT_A_TIME) {
    results.push(...(await Promise.all(items.slice(from, from + AT_A_TIME).map(work))));
  }
  return results;
}

async function handle(
  deps: RunsDeps,
  report: RestartDraft,
  debt: LateDebt,
  { state, wake, pause }: { readonly state: RunState; readonly wake: boolean; readonly pause: Pause },
): Promise<void> {
  report.asked += 1;
  if (state.kind === 'running') {
    report.running += 1;
    if (!wake) return;
    report.woken += 1;
    await pause(1_000 / deps.contactsPerSecond);
    await deps.runs.signal(workflowIdOf(deps, debt), 'stateChanged');
    return;
  }
  const { id: debtId, clientId, campaignId } = debt;
  if (state.kind === 'none' && debt.status === 'QUEUED') {
    // The campaign's workflow plans and starts such a debt, in the order of the scores.
    const isRestarted = report.campaigns.some((one) => one.campaignId === campaignId && one.did === 'started');
    if (debt.nextContactAt === null || isRestarted) return;
  }
  if (state.kind === 'ended' && (await holdAfterEnd(deps)({ clientId, debtId }, state.debtStatus))) {
    report.heldCount += 1;
    if (report.held.length < MAX_LISTED) report.held.push({ debtId, campaignId, clientId });
    return;
  }
  await pause(1_000 / deps.contactsPerSecond);
  await deps.runs.startOrSignal(deps.workflows.wakeDebt(debt, 'stateChanged'), 'stateChanged');
  report.started += 1;
}
