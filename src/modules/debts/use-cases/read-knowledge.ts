import type { SharedDeps } from '../../deps.ts';
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
  if (row === undefined) return { contact: null, event: null };
  const { contactId, contactAt, eventSeq, eventAt, status, kind, data } = row;
  const refused = kind === 'verdict' && data['allowed'] === false ? (data['rules'] as readonly string[]) : undefined;
  return {
    contact: contactId === null || contactAt === null ? null : { id: contactId, at: contactAt.getTime() },
    event: { seq: eventSeq, at: eventAt.getTime() },
    status,
    ...(refused === undefined ? {} : { refusedBy: refused }),
  };
}
