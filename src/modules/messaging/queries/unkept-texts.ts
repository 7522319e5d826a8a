import { sql } from 'kysely';
import { SENT_TEXT_DAYS } from '../../../kernel/retention-periods.ts';
import { anyOf, prepared, queriesIn } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';

/** Outgoing messages whose hash is not kept, of any client, the newest first. One that waits gets its hash when it is sent. */
export const UNKEPT_TEXTS = prepared('unkept_texts', (queries, { limit }: { readonly limit: number }) =>
  queries
    .selectFrom('messages')
    .select(['id', 'clientId'])
    // The words of the index, because a generic plan sees no values.
    .where(sql<boolean>`direction = 'out' and not hash_kept`)
    .where('delivery', '<>', 'waiting')
    .orderBy('createdAt', 'desc')
    .limit(limit),
);

/** Marks messages and returns those that are marked only now, so that two workers do not both keep a hash. */
export async function markKept(tx: Tx, messageIds: readonly string[]) {
  return queriesIn(tx)
    .updateTable('messages')
    .set({ hashKept: true })
    .from('debts')
    .whereRef('debts.id', '=', 'messages.debtId')
    .where('messages.id', '=', anyOf(messageIds, 'uuid'))
    .where('messages.hashKept', '=', false)
    .returning(['messages.text', 'messages.channel', 'messages.createdAt', 'debts.sandbox'])
    .returning(
      sql<boolean>`messages.text <> '' and messages.delivery <> 'failed'
        and messages.created_at > quita_now() - make_interval(days => ${sql.lit(SENT_TEXT_DAYS)})`.as('wasSent'),
    )
    .execute();
}
