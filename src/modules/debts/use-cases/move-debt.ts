import {
  type DebtStatus,
  type DebtTransition,
  isLive,
  isRunning,
  nextDebtStatus,
  promiseOutcome,
  RUNNING_DEBT_STATUSES,
} from '../../../kernel/debt-status.ts';
import type { CollectionWorkflows } from '../../../kernel/ports/collection-workflows.ts';
import { addOutbox } from '../../../platform/database/add-outbox.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import type { ContactPurpose } from '../../policy/rules/contact-policy.ts';
import { listedDebt, setRemindAt } from '../queries/bureau-listings.ts';
import { completeCampaignWithout, lockRunningCampaign } from '../queries/campaign-changes.ts';
import type { DebtContext } from '../queries/debt-context.ts';
import { advanceDebt, changeStatus } from '../queries/debt-events.ts';
import { lockDebtStatus } from '../queries/debt-locks.ts';
import { ENDS_LISTINGS } from '../rules/bureau-listings.ts';
import type { BecauseOfClient, BecauseOfMove, TimelineEntry, Verdict } from '../rules/timeline-entry.ts';
import { countInCampaign } from './campaign-day.ts';
import { followStatus } from './inbox-items.ts';
import { countEntries } from './record-entries.ts';

export interface DebtMove {
  readonly from: DebtStatus;
  readonly to: DebtStatus;
}

/** The transitions after which a debt is not collected any more. */
const ENDS: readonly DebtTransition[] = ['paid', 'withdrawn', 'archived', 'wrong_person'];

/**
 * The only way to change the status of a debt: a transition moves it, and the timeline records the change. Returns null
 * when the transition does not apply to the current status. `because` stands in the entry of the timeline too.
 */
export async function moveDebt(
  tx: Tx,
  workflows: CollectionWorkflows,
  debtId: string,
  transition: DebtTransition,
  at: number,
  because: BecauseOfClient = {},
): Promise<DebtMove | null> {
  const debt = await lockDebtStatus(tx, debtId);
  return debt === undefined ? null : moveLockedDebt(tx, workflows, debt, transition, at, because);
}

/** Moves a debt that was read under its lock. */
export async function moveLockedDebt(
  tx: Tx,
  workflows: CollectionWorkflows,
  debt: Pick<DebtContext, 'id' | 'status' | 'campaignId' | 'clientId' | 'continuedBy'>,
  transition: DebtTransition,
  at: number,
  because: BecauseOfMove = {},
): Promise<DebtMove | null> {
  const { id: debtId, status: from } = debt;
  // Of a row that an import has continued only its end may change.
  if (debt.continuedBy !== null && !ENDS.includes(transition)) return null;
  const to = nextDebtStatus(from, transition);
  if (to === null) return null;
  if (to !== from) {
    const entry: TimelineEntry = { kind: 'status_changed', from, to, ...because };
    await changeStatus(tx, debtId, entry, { status: to, live: isLive(to), at: new Date(at) });
    countEntries(tx, [entry]);
    await followStatus(tx, workflows, debtId, { from, to });
    if (ENDS_LISTINGS.includes(to)) await wakeListings(tx, workflows, debtId, at);
    if (isRunning(from) && !isRunning(to)) await completeCampaign(tx, workflows, debt.campaignId);
    await countPromise(tx, debt, { from, to });
  }
  return { from, to };
}

async function wakeListings(tx: Tx, workflows: CollectionWorkflows, debtId: string, at: number): Promise<void> {
  const listed = await listedDebt(tx, debtId);
  if (listed === undefined) return;
  await setRemindAt(tx, debtId, new Date(at));
  await addOutbox(tx, workflows.followListings(listed));
}

async function countPromise(tx: Tx, debt: CountedDebt, { from, to }: DebtMove): Promise<void> {
  const outcome = promiseOutcome(from, to);
  const counts = outcome === 'kept' ? { promisesKept: 1 } : { promisesBroken: 1 };
  if (outcome !== null) await countInCampaign(tx, debt, counts);
}

type CountedDebt = Parameters<typeof countInCampaign>[1];

export interface MadeContact {
  readonly verdict: Verdict;
  /** The message that was booked. */
  readonly messageId: string;
  readonly purpose: ContactPurpose;
  /** The number of steps that are done with this contact. */
  readonly step: number;
  readonly nextContactAt: number;
  /** The debt's clock is at least this far ahead of real time. */
  readonly clockOffsetMs: number;
  readonly at: number;
}

/**
 * Moves a live debt, which is locked, to its next step: the verdict and the change of status on the timeline, the
 * status and the moment of the next contact are one statement, because this is what happens most often to a debt. A
 * reminder moves it to no step and no status, because it is not collected yet.
 */
export async function recordContact(tx: Tx, debt: DebtContext, made: MadeContact): Promise<void> {
  const { status: from } = debt;
  const isReminder = made.purpose === 'reminder';
  const to = isReminder ? from : (nextDebtStatus(from, 'contacted') ?? from);
  const verdict: TimelineEntry = { kind: 'verdict', ...made.verdict, messageId: made.messageId };
  const change: TimelineEntry = { kind: 'status_changed', from, to };
  const entries = to === from ? [verdict] : [verdict, change];
  const { step, nextContactAt, clockOffsetMs, at } = made;
  await advanceDebt(tx, debt.id, entries, {
    status: to,
    step,
    clockOffsetMs,
    remindedAt: isReminder ? new Date(at) : debt.remindedAt,
    nextContactAt: new Date(nextContactAt),
    at: new Date(at),
  });
  countEntries(tx, entries);
  await countPromise(tx, debt, { from, to });
}

/** When two debts end at once, the second waits for the first one's lock and then sees that none is left. */
export async function completeCampaign(tx: Tx, workflows: CollectionWorkflows, campaignId: string): Promise<void> {
  if ((await lockRunningCampaign(tx, campaignId)) === undefined) return;
  const completed = await completeCampaignWithout(tx, campaignId, RUNNING_DEBT_STATUSES);
  if (completed !== undefined) await addOutbox(tx, workflows.wakeCampaign(campaignId));
}
