import type { Insertable } from 'kysely';
import { queriesIn, type Tables } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';

/** Returns nothing when the message is stored already. */
export const insertUnmatched = (
  tx: Tx,
  message: Pick<
    Insertable<Tables['unmatched_messages']>,
    'clientId' | 'channel' | 'senderId' | 'channelMessageId' | 'sealed'
  >,
) =>
  queriesIn(tx)
    .insertInto('unmatched_messages')
    .values(message)
    .onConflict((conflict) => conflict.constraint('unmatched_messages_once').doNothing())
    .returning('id')
    .executeTakeFirst();
