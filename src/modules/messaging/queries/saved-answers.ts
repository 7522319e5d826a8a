import { sql } from 'kysely';
import { NOW, prepared, queriesIn } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';

const COLUMNS = ['id', 'name', 'text'] as const;

export const SAVED_ANSWERS = prepared('saved_answers', (queries, { clientId }: { readonly clientId: string }) =>
  queries
    .selectFrom('saved_answers')
    .select(COLUMNS)
    .where('clientId', '=', clientId)
    .orderBy(sql`lower(name)`)
    .orderBy('id'),
);

export type SavedAnswerRow = ReturnType<(typeof SAVED_ANSWERS)['rowsOf']>[number];

export async function countSavedAnswers(tx: Tx, clientId: string): Promise<number> {
  const { count } = await queriesIn(tx)
    .selectFrom('saved_answers')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('clientId', '=', clientId)
    .executeTakeFirstOrThrow();
  return count;
}

export const insertSavedAnswer = (tx: Tx, row: SavedAnswerRow & { readonly clientId: string }) =>
  queriesIn(tx).insertInto('saved_answers').values(row).returning(COLUMNS).executeTakeFirstOrThrow();

/** Members that are undefined stay as they are. */
export const updateSavedAnswer = (
  tx: Tx,
  id: string,
  { name, text }: { readonly name?: string | undefined; readonly text?: string | undefined },
) =>
  queriesIn(tx)
    .updateTable('saved_answers')
    .set({ updatedAt: NOW, ...(name !== undefined && { name }), ...(text !== undefined && { text }) })
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirst();

export const deleteSavedAnswer = (tx: Tx, id: string) =>
  queriesIn(tx).deleteFrom('saved_answers').where('id', '=', id).returning('id').executeTakeFirst();
