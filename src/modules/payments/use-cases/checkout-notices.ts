import type { Database } from '../../../platform/database/database.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { isUuid } from '../../../platform/shared/is-uuid.ts';
import { type CheckoutNotice, insertNotice, type NewNotice, TAKE_NOTICE } from '../queries/checkout-notices.ts';

export type { CheckoutNotice };

/**
 * Stores a notice in the transaction of the action that it confirms. Its id is random, so that nobody can make the page
 * show a notice of their choice.
 */
export const addNotice = async (tx: Tx, notice: NewNotice): Promise<string> => (await insertNotice(tx, notice)).id;

/**
 * Returns a notice to exactly one caller. Returns null when the notice is unknown, belongs to another page, was shown
 * already, or is too old.
 */
export async function takeNotice(
  db: Pick<Database, 'writePrepared'>,
  {
    clientId,
    debtIds,
    noticeId,
  }: { readonly clientId: string; readonly debtIds: readonly string[]; readonly noticeId: string },
): Promise<CheckoutNotice | null> {
  if (!isUuid(noticeId)) return null;
  const [row] = await db.writePrepared({ clientId }, TAKE_NOTICE, { noticeId, debtIds });
  return row?.notice ?? null;
}
