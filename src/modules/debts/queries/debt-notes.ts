import type { EntityManager } from '@mikro-orm/postgresql';
import { anyOf, queriesIn } from '../../../platform/database/queries/builder.ts';

interface NewNote {
  readonly id: string;
  readonly clientId: string;
  readonly debtId: string;
  readonly text: string;
  readonly at: Date;
}

export const insertNote = (em: EntityManager, note: NewNote) =>
  queriesIn(em).insertInto('debt_notes').values(note).execute();

export const readNote = (em: EntityManager, { id, debtId }: { readonly id: string; readonly debtId: string }) =>
  queriesIn(em)
    .selectFrom('debt_notes')
    .select(['id', 'at', 'text'])
    .where('id', '=', id)
    .where('debtId', '=', debtId)
    .executeTakeFirst();

export const countNotes = async (em: EntityManager, debtId: string): Promise<number> =>
  (
    await queriesIn(em)
      .selectFrom('debt_notes')
      .select(({ fn }) => fn.countAll<number>().as('notes'))
      .where('debtId', '=', debtId)
      .executeTakeFirstOrThrow()
  ).notes;

/** What the client's staff wrote about the debts may name the person. */
export const eraseDebtNotes = (em: EntityManager, debtIds: readonly string[]) =>
  queriesIn(em).updateTable('debt_notes').set({ text: '' }).where('debtId', '=', anyOf(debtIds, 'uuid')).execute();
