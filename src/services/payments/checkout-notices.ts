import type { EntityManager } from '@mikro-orm/postgresql';
import type { Database } from '../../db/database.ts';
import { runInTransaction } from '../../db/statement.ts';
import { isUuid } from '../shared/is-uuid.ts';

/** `repeated`: the button had been pressed on the same day already, and nothing more was recorded. */
export type CheckoutNotice = 'said-paid' | 'dispute' | 'opt-out' | 'pay' | 'repeated';

/** Long enough for a slow redirect, and short enough that a link which is shared later shows no notice. */
const SHOWN_WITHIN_MINUTES = 10;

const ADD = 'insert into checkout_notices (client_id, debt_id, notice) values ($1, $2, $3) returning id';
const TAKE = {
  name: 'checkout_notice_take',
  text: `
    update checkout_notices set shown_at = current_timestamp
    where id = $1 and debt_id = $2 and shown_at is null
      and created_at > current_timestamp - interval '${SHOWN_WITHIN_MINUTES} minutes'
    returning notice`,
};

interface NewNotice {
  readonly clientId: string;
  readonly debtId: string;
  readonly notice: CheckoutNotice;
}

/**
 * Stores a notice in the transaction of the action that it confirms. Its id is random, so that nobody can make the page
 * show a notice of their choice.
 */
export async function addNotice(em: EntityManager, { clientId, debtId, notice }: NewNotice): Promise<string> {
  const [row] = await runInTransaction<{ id: string }>(em, ADD, [clientId, debtId, notice]);
  if (row === undefined) throw new Error('The notice was not stored.');
  return row.id;
}

/**
 * Returns a notice to exactly one caller. Returns null when the notice is unknown, belongs to another debt, was shown
 * already, or is too old.
 */
export async function takeNotice(
  db: Pick<Database, 'write'>,
  { clientId, debtId, noticeId }: { readonly clientId: string; readonly debtId: string; readonly noticeId: string },
): Promise<CheckoutNotice | null> {
  if (!isUuid(noticeId)) return null;
  const [row] = await db.write<{ notice: CheckoutNotice }>({ clientId }, TAKE, [noticeId, debtId]);
  return row?.notice ?? null;
}
