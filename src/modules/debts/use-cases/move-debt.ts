import {
  type DebtEvent,
  type DebtStatus,
  isLive,
  LIVE_DEBT_STATUSES,
  nextDebtStatus,
  promiseOutcome,
} from '../../../kernel/debt-status.ts';
import type { CollectionWorkflows } from '../../../kernel/ports/collection-workflows.ts';
import { addOutbox } from '../../../platform/database/add-outbox.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { completeCampaignWithout, lockRunningCampaign } from '../queries/campaign-changes.ts';
import { advanceDebt, type NewDebtEvent } from '../queries/debt-events.ts';
import { type DebtContext, lockDebtStatus, setDebtStatus } from '../queries/debts.ts';
import { countInCampaign } from './campaign-day.ts';
import { followStatus } from './inbox-items.ts';
import { countEvents, recordEvents } from './record-events.ts';

export interface DebtMove {
  readonly from: DebtStatus;
  readonly to: DebtStatus;
}

/** The events after which a debt is not collected any more. */
const ENDS: readonly DebtEvent[] = ['paid', 'withdrawn', 'archived', 'wrong_person'];

/**
 * The only way to change the status of a debt: an event moves it, and the timeline records the change. Returns null
 * when the event does not apply to the current status. `because` stands in the entry of the timeline too: only ids, and
 * by what kind of caller the client asked.
 */
export async function moveDebt(
  tx: Tx,
  workflows: CollectionWorkflows,
  debtId: string,
  event: DebtEvent,
  at: number,
  because: Readonly<Record<string, string>> = {},
): Promise<DebtMove | null> {
  const debt = await lockDebtStatus(tx, debtId);
  if (debt === undefined) return null;
  const from = debt.status;
  // Of a row that an import has continued only its end may change.
  if (debt.continuedBy !== null && !ENDS.includes(event)) return null;
  const to = nextDebtStatus(from, event);
  if (to === null) return null;
  if (to !== from) {
    await setDebtStatus(tx, debtId, { status: to, live: isLive(to), at: new Date(at) });
    await recordEvents(tx, debtId, at, [{ kind: 'status_changed', data: { from, to, ...because } }]);
    await followStatus(tx, debtId, { from, to });
    if (isLive(from) && !isLive(to)) await completeCampaign(tx, workflows, debt.campaignId);
    await countPromise(tx, { ...debt, id: debtId }, { from, to });
  }
  return { from, to };
}

async function countPromise(tx: Tx, debt: CountedDebt, { from, to }: DebtMove): Promise<void> {
  const outcome = promiseOutcome(from, to);
  const counts = outcome === 'kept' ? { promisesKept: 1 } : { promisesBroken: 1 };
  if (outcome !== null) await countInCampaign(tx, debt, counts);
}

type CountedDebt = Parameters<typeof countInCampaign>[1];

export interface MadeContact {
  readonly verdict: Readonly<Record<string, unknown>>;
  /** The number of contacts with this one. */
  readonly step: number;
  readonly nextContactAt: number;
  /** The debt's clock is at least this far ahead of real time. */
  readonly clockOffsetMs: number;
  readonly at: number;
}

/**
 * Moves a live debt, which is locked, to its next step: the verdict and the change of status on the timeline, the status
 * and the moment of the next contact are one statement, because this is what happens most often to a debt.
 */
export async function recordContact(tx: Tx, debt: DebtContext, made: MadeContact): Promise<void> {
  const { status: from } = debt;
  const to = nextDebtStatus(from, 'contacted') ?? from;
  const verdict: NewDebtEvent = { kind: 'verdict', data: made.verdict };
  const change: NewDebtEvent = { kind: 'status_changed', data: { from, to } };
  const events = to === from ? [verdict] : [verdict, change];
  const { step, nextContactAt, clockOffsetMs, at } = made;
  await advanceDebt(tx, debt.id, events, {
    status: to,
    step,
    clockOffsetMs,
    nextContactAt: new Date(nextContactAt),
    at: new Date(at),
  });
  countEvents(tx, events);
  await countPromise(tx, debt, { from, to });
}

/** When two debts end at once, the second waits for the first one's lock and then sees that no live debt is left. */
export async function completeCampaign(tx: Tx, workflows: CollectionWorkflows, campaignId: string): Promise<void> {
  if ((await lockRunningCampaign(tx, campaignId)) === undefined) return;
  const completed = await completeCampaignWithout(tx, campaignId, LIVE_DEBT_STATUSES);
  if (completed !== undefined) await addOutbox(tx, workflows.wakeCampaign(campaignId));
}
