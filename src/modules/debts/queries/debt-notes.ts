import { anyOf, queriesIn } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { nameOfMember } from '../../accounts/queries/member-names.ts';

interface NewNote {
  readonly id: string;
  readonly clientId: string;
  readonly debtId: string;
  readonly text: string;
  readonly at: Date;
}

export const insertNote = (tx: Tx, note: NewNote) => queriesIn(tx).insertInto('debt_notes').values(note).execute();

export const readNote = (tx: Tx, { id, debtId }: { readonly id: string; readonly debtId: string }) =>
  queriesIn(tx)
    .selectFrom('debt_notes')
    .select(['id', 'at', 'text', 'memberId', nameOfMember('debt_notes.member_id').as('memberName')])
    .where('id', '=', id)
    .where('debtId', '=', debtId)
    .executeTakeFirst();

export const countNotes = async (tx: Tx, debtId: string): Promise<number> =>
  (
    await queriesIn(tx)
      .selectFrom('debt_notes')
      .select(({ fn }) => fn.countAll<number>().as('notes'))
      .where('debtId', '=', debtId)
      .executeTakeFirstOrThrow()
  ).notes;

/** What the client's staff wrote about the debts may name the person. */
export const eraseDebtNotes = (tx: Tx, debtIds: readonly string[]) =>
  queriesIn(tx).updateTable('debt_notes').set({ text: '' }).where('debtId', '=', anyOf(debtIds, 'uuid')).execute();
