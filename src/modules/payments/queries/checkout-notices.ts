import { sql } from 'kysely';
import { anyOf, NOW, prepared, queriesIn } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';

/**
 * `repeated`: the button had been pressed on the same day already, and nothing more was recorded. `agreed-before`: another
 * acceptance came first. `offers-ended`: the offer could not be accepted any more.
 */
export type CheckoutNotice =
  | 'said-paid'
  | 'dispute'
  | 'opt-out'
  | 'pay'
  | 'repeated'
  | 'agreed'
  | 'agreed-before'
  | 'offers-ended'
  | 'moved'
  | 'not-moved';

/** Long enough for a slow redirect, and short enough that a link which is shared later shows no notice. */
const SHOWN_WITHIN_MINUTES = 10;

export interface NewNotice {
  readonly clientId: string;
  readonly debtId: string;
  readonly notice: CheckoutNotice;
}

export const insertNotice = (tx: Tx, notice: NewNotice) =>
  queriesIn(tx).insertInto('checkout_notices').values(notice).returning('id').executeTakeFirstOrThrow();

export const TAKE_NOTICE = prepared(
  'checkout_notice_take',
  (queries, params: { readonly noticeId: string; readonly debtIds: readonly string[] }) =>
    queries
      .updateTable('checkout_notices')
      .set({ shownAt: NOW })
      .where('id', '=', params.noticeId)
      .where('debtId', '=', anyOf(params.debtIds, 'uuid'))
      .where('shownAt', 'is', null)
      .where('createdAt', '>', sql<Date>`quita_now() - make_interval(mins => ${sql.lit(SHOWN_WITHIN_MINUTES)})`)
      .returning('notice')
      .$narrowType<{ notice: CheckoutNotice }>(),
);
