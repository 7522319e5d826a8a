import type { CampaignStatus } from '../../../kernel/campaign-status.ts';
import { type DebtStatus, isLive, isRunning } from '../../../kernel/debt-status.ts';
import type { CollectionWorkflows } from '../../../kernel/ports/collection-workflows.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { lockCampaign, markDebtAsSandbox, runCampaignAgain } from '../queries/campaign-changes.ts';
import { separateSandboxRows } from '../queries/continued-debts.ts';
import type { DebtContext } from '../queries/debt-context.ts';
import { changeStatus, latestMove } from '../queries/debt-events.ts';
import type { TimelineEntry } from '../rules/timeline-entry.ts';
import { countInCampaign } from './campaign-day.ts';
import { openEndedAgain } from './ended-by-payment.ts';
import { followStatus } from './inbox-items.ts';
import { countEntries } from './record-entries.ts';

type Returned = Pick<
  DebtContext,
  'id' | 'status' | 'campaignId' | 'clientId' | 'debtorTaxId' | 'campaignStatus' | 'sandbox'
>;

/**
 * Gives a locked debt the status back that it had before its latest move, which was into `from`: what moved it there was
 * a mistake of the client. No transition does that, because where it leads depends on the past of the debt. What became of
 * the campaign meanwhile becomes of the debt too: it is queued, put into the sandbox or stopped as the others were. The
 * caller wakes its workflow. Returns the new status; null when nothing changes.
 */
export async function returnDebt(
  tx: Tx,
  workflows: CollectionWorkflows,
  debt: Returned,
  from: DebtStatus,
  at: number,
): Promise<DebtStatus | null> {
  if (debt.status !== from) return null;
  const move = await latestMove(tx, debt.id);
  if (move === undefined || move.to !== from) return null;
  // A campaign is completed under the same lock, so that a completed campaign has no live debt.
  const campaign = await lockCampaign(tx, debt.campaignId);
  const to = statusIn(campaign?.status, move.from);
  const sandbox = debt.sandbox || campaign?.sandbox === true;
  if (sandbox && !debt.sandbox) {
    await markDebtAsSandbox(tx, debt.id);
    await separateSandboxRows(tx, debt.campaignId);
  }
  const entry: TimelineEntry = { kind: 'status_changed', from, to };
  await changeStatus(tx, debt.id, entry, { status: to, live: isLive(to), at: new Date(at) });
  countEntries(tx, [entry]);
  await followStatus(tx, workflows, debt.id, { from, to });
  if (move.ended !== null) await openEndedAgain(tx, workflows, { ...debt, sandbox, status: to }, move.ended);
  if (isRunning(to)) await runCampaignAgain(tx, debt.campaignId);
  // The promise was not kept after all.
  if (from === 'PAID' && move.from === 'PROMISED') await countInCampaign(tx, debt, { promisesKept: -1 });
  return to;
}

/** What a campaign in this status makes of a debt that returns to `status`. */
function statusIn(campaign: CampaignStatus | undefined, status: DebtStatus): DebtStatus {
  if (campaign === 'ARCHIVED') return 'STOPPED';
  return status === 'IMPORTED' && campaign !== 'DRAFT' ? 'QUEUED' : status;
}
