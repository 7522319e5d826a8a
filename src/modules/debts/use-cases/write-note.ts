import { AppError } from '../../../kernel/errors.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { addRequestAudit, type RequestSource } from '../../accounts/queries/add-audit.ts';
import { type Author, byMember } from '../../accounts/rules/author.ts';
import type { SharedDeps } from '../../deps.ts';
import { countNotes, insertNote, readNote } from '../queries/debt-notes.ts';
import { debtNow } from './clock.ts';
import { type DebtContext, loadDebt } from './debt-context.ts';
import { recordEntries } from './record-entries.ts';

/** A timeline is read by people, and this is more than anybody writes about one debt. */
const MAX_NOTES = 500;

export interface DebtNoteView {
  readonly id: string;
  readonly at: string;
  readonly text: string;
  readonly by?: Author;
}

interface NewNote {
  readonly clientId: string;
  readonly debtId: string;
  /** The id of the note. A repetition with the same id writes nothing again. */
  readonly noteId: string;
  readonly text: string;
  readonly source: RequestSource;
}

/** Returns the moment of a new event of a debt whose row is locked. The timeline never goes back. */
export const momentOfEvent = ({ clockOffsetMs, lastEventAt }: DebtContext, realNow: number): number =>
  Math.max(debtNow(clockOffsetMs, realNow), lastEventAt?.getTime() ?? 0);

/** Stores the text of a note or of a reason. The event that the caller records names it by its id. */
export const storeNote = (
  tx: Tx,
  debt: DebtContext,
  { id, text, at }: { readonly id: string; readonly text: string; readonly at: number },
): Promise<unknown> => insertNote(tx, { id, clientId: debt.clientId, debtId: debt.id, text, at: new Date(at) });

/** Adds a note to the timeline of a debt whose row is locked. */
export async function addNote(
  tx: Tx,
  debt: DebtContext,
  note: { readonly id: string; readonly text: string; readonly at: number },
): Promise<void> {
  // Nothing would erase a text that is written after the debtor was erased.
  if (debt.erased) throw new AppError('debt_state', { detail: 'The data of this debtor was erased.' });
  if ((await countNotes(tx, debt.id)) >= MAX_NOTES) {
    throw new AppError('debt_state', { detail: `A debt has at most ${MAX_NOTES} notes.` });
  }
  await storeNote(tx, debt, note);
  await recordEntries(tx, debt.id, note.at, [{ kind: 'note', noteId: note.id }]);
}

const noteView = (note: NonNullable<Awaited<ReturnType<typeof readNote>>>): DebtNoteView => ({
  id: note.id,
  at: note.at.toISOString(),
  text: note.text,
  ...byMember(note.memberId, note.memberName),
});

/** Adds a note of the staff to the timeline. It changes nothing else, so no workflow is told. */
export const writeNote =
  ({ db, now }: Pick<SharedDeps, 'db' | 'now'>) =>
  async ({ clientId, debtId, noteId, text, source }: NewNote): Promise<DebtNoteView> =>
    db.tenant(clientId).transactional(async (tx) => {
      const debt = await loadDebt(tx, debtId, { forUpdate: true });
      if (debt === null) throw new AppError('not_found');
      // An attempt before this one has stored the note and then failed to answer.
      const known = await readNote(tx, { id: noteId, debtId });
      if (known !== undefined) return noteView(known);
      const at = momentOfEvent(debt, now().getTime());
      await addNote(tx, debt, { id: noteId, text, at });
      await addRequestAudit(tx, { clientId, source, action: 'debt_note_written', target: debtId, details: { noteId } });
      const written = await readNote(tx, { id: noteId, debtId });
      if (written === undefined) throw new Error('A note is gone although it was just stored');
      return noteView(written);
    });
