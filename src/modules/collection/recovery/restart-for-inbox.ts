import type { CollectionSignal, WorkflowRequest } from '../../../kernel/ports/collection-workflows.ts';
import type { Pause, RunsDeps } from '../deps.ts';
import { debtsWithUnaskedPayments, debtsWithUnheardMessages, type Wanted } from '../queries/lost-workflows.ts';
import type { RestartDraft } from '../rules/restart-report.ts';

interface InboxSearch {
  readonly wanted: Wanted;
  /** A running workflow is signalled when something has waited since before this moment; null for none. */
  readonly wakeBefore: number | null;
  readonly pause: Pause;
}

/**
 * Starts the workflows of debts and agreements for which a message of the debtor or a payment waits, whatever their status.
 * The signal went with the workflow that was lost. Without it a message is never answered, and the gate refuses every
 * contact because of it. A running workflow has its signal, and tries again what it could not do.
 */
export async function restartForInbox(
  deps: RunsDeps,
  report: RestartDraft,
  { wanted, wakeBefore, pause }: InboxSearch,
): Promise<void> {
  const { messages, payments } = await deps.db.system().transactional(async (tx) => ({
    messages: await debtsWithUnheardMessages(tx, wanted),
    payments: await debtsWithUnaskedPayments(tx, wanted),
  }));
  const found: readonly { request: WorkflowRequest; signal: CollectionSignal; since: Date }[] = [
    ...payments.map((debt) => ({
      request:
        debt.agreementId === null
          ? deps.workflows.wakeDebt(debt, 'paymentNoticed')
          : deps.workflows.wakeAgreement({ ...debt, id: debt.agreementId }, 'paymentNoticed'),
      signal: 'paymentNoticed' as const,
      since: debt.since,
    })),
    ...messages.map((debt) => ({
      request: deps.workflows.wakeDebt(debt, 'messageReceived'),
      signal: 'messageReceived' as const,
      since: debt.since,
    })),
  ];
  for (const { request, signal, since } of found) {
    await pause(0);
    const { kind } = await deps.runs.latest(request.workflowId);
    report.asked += 1;
    if (kind !== 'running') {
      await deps.runs.startOrSignal(request, signal);
      report.started += 1;
      continue;
    }
    report.running += 1;
    if (wakeBefore === null || since.getTime() >= wakeBefore) continue;
    await deps.runs.signal(request.workflowId, signal);
    report.woken += 1;
  }
}
