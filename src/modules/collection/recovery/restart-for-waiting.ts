import type { CollectionSignal, WorkflowRequest } from '../../../kernel/ports/collection-workflows.ts';
import type { RunSignal } from '../../../kernel/ports/workflow-runs.ts';
import type { Pause, RunsDeps } from '../deps.ts';
import type { Wanted } from '../queries/lost-workflows.ts';
import { debtsWithWaiting, WAITING_KINDS, type WaitingKind } from '../queries/waiting-for-workflows.ts';
import type { RestartDraft } from '../rules/restart-report.ts';

export interface WaitingSearch {
  readonly wanted: Wanted;
  /** A running workflow is signalled when something has waited since before this moment; null for none. */
  readonly wakeBefore: number | null;
  readonly pause: Pause;
}

/** The signal that went with the workflow. */
const SIGNAL_OF = {
  payment: 'paymentNoticed',
  message: 'messageReceived',
  staffMessage: 'messageReceived',
  receipt: 'receiptWanted',
  failedMessage: 'stateChanged',
  listing: 'stateChanged',
} as const satisfies Readonly<Record<WaitingKind, CollectionSignal>>;

/**
 * Starts the workflows of debts and agreements for which something waits, whatever their status: the signal went with the
 * workflow that was lost. Without it a message is never answered, and the gate refuses every contact because of it; a
 * receipt is never sent, and the retention of its debt never ends. A running workflow has its signal, and tries again what
 * it could not do.
 */
export async function restartForWaiting(
  deps: RunsDeps,
  report: RestartDraft,
  { wanted, wakeBefore, pause }: WaitingSearch,
): Promise<void> {
  for (const kind of WAITING_KINDS) {
    const signal = SIGNAL_OF[kind];
    const found = await deps.db.system().transactional((tx) => debtsWithWaiting(tx, kind, wanted));
    for (const debt of found) {
      await pause(0);
      const wake = wakeBefore !== null && debt.since.getTime() < wakeBefore;
      await startOrWake(deps, report, { request: requestFor(deps, kind, debt), signal, wake });
    }
  }
}

/** Starts the workflow with the signal when it does not run. A running one is only signalled with `wake`. */
export async function startOrWake(
  { runs }: Pick<RunsDeps, 'runs'>,
  report: RestartDraft,
  { request, signal, wake }: { readonly request: WorkflowRequest; readonly signal: RunSignal; readonly wake: boolean },
): Promise<void> {
  const { kind } = await runs.latest(request.workflowId);
  report.asked += 1;
  if (kind !== 'running') {
    await runs.startOrSignal(request, signal);
    report.started += 1;
    return;
  }
  report.running += 1;
  if (!wake) return;
  await runs.signal(request.workflowId, signal);
  report.woken += 1;
}

function requestFor(
  { workflows }: Pick<RunsDeps, 'workflows'>,
  kind: WaitingKind,
  debt: Awaited<ReturnType<typeof debtsWithWaiting>>[number],
): WorkflowRequest {
  if (kind === 'listing') return workflows.followListings(debt);
  return debt.agreementId === null
    ? workflows.wakeDebt(debt, SIGNAL_OF[kind])
    : workflows.wakeAgreement({ ...debt, id: debt.agreementId }, 'paymentNoticed');
}
