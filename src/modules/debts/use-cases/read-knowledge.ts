import type { SharedDeps } from '../../deps.ts';
import { entryOf } from '../queries/debt-events.ts';
import { KNOWLEDGE_OF_DEBT } from '../queries/debt-knowledge.ts';
import type { DebtKnowledge } from '../rules/debt-task.ts';

/** Returns what the workflow of the debt remembers beside the database. */
export const readKnowledge =
  ({ db }: Pick<SharedDeps, 'db'>) =>
  async ({ clientId, debtId }: { readonly clientId: string; readonly debtId: string }): Promise<DebtKnowledge> => {
    const [row] = await db.readPrepared({ clientId }, KNOWLEDGE_OF_DEBT, { debtId });
    return knowledgeOf(row);
  };

export function knowledgeOf(row: ReturnType<typeof KNOWLEDGE_OF_DEBT.rowsOf>[number] | undefined): DebtKnowledge {
  if (row === undefined || row.eventSeq === null || row.eventAt === null || row.kind === null || row.data === null) {
    return { contact: null, event: null };
  }
  const { contactId, contactAt, eventSeq, eventAt, status, kind, data } = row;
  const latest = entryOf({ kind, data });
  return {
    contact: contactId === null || contactAt === null ? null : { id: contactId, at: contactAt.getTime() },
    event: { seq: eventSeq, at: eventAt.getTime() },
    status,
    ...(latest.kind === 'verdict' && !latest.allowed ? { refusedBy: latest.rules } : {}),
  };
}
