import { type DebtStatus, isLive } from '../../../kernel/debt-status.ts';
import type { RowOf } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import type { SharedDeps } from '../../deps.ts';
import { KNOWLEDGE_OF_DEBT } from '../queries/debt-knowledge.ts';
import type { KnowingStep, NextStep } from '../rules/next-step.ts';
import { knowledgeOf } from './read-knowledge.ts';

/** The step for a debt that no longer exists. */
export const NOTHING_LEFT: NextStep = { kind: 'finish', status: 'STOPPED', needsOperator: false };

// A debt of a draft (IMPORTED) is not collected yet: its workflow answers the debtor's message and ends, and the launch
// starts another one.
const END_STATUSES: readonly DebtStatus[] = ['IMPORTED', 'OPTED_OUT', 'EXHAUSTED', 'UNREACHABLE', 'STOPPED'];

/**
 * Reads the state after the work was committed, so that changes by other transactions count, with what the database then
 * knows.
 */
export async function nextStepOf(
  { db }: Pick<SharedDeps, 'db'>,
  clientId: string,
  debtId: string,
  needsOperator = false,
): Promise<KnowingStep> {
  const [debt] = await db.readPrepared({ clientId }, KNOWLEDGE_OF_DEBT, { debtId });
  return { ...stepFor(debt, needsOperator), known: knowledgeOf(debt) };
}

/** The same at the end of a transaction that has locked the debt: a later change wakes the workflow. */
export async function nextStepIn(tx: Tx, debtId: string, needsOperator: boolean): Promise<KnowingStep> {
  const [debt] = await KNOWLEDGE_OF_DEBT.run(tx, { debtId });
  return { ...stepFor(debt, needsOperator), known: knowledgeOf(debt) };
}

function stepFor(debt: RowOf<typeof KNOWLEDGE_OF_DEBT> | undefined, needsOperator: boolean): NextStep {
  if (debt === undefined) return NOTHING_LEFT;
  const { status, receiptDueAt, nextContactAt, pausedAt } = debt;
  if (status === 'PAID' && receiptDueAt !== null) {
    return { kind: 'sendReceipt', at: receiptDueAt.getTime(), needsOperator };
  }
  if (status === 'PAID' || END_STATUSES.includes(status)) return { kind: 'finish', status, needsOperator };
  if (!isLive(status) || pausedAt !== null || nextContactAt === null) return { kind: 'waitForSignal', needsOperator };
  return { kind: 'wait', until: nextContactAt.getTime(), needsOperator };
}
