import type { Insertable } from 'kysely';
import { queriesIn, type Tables } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';

/** Returns nothing when the message is stored already. */
export const insertUnmatched = (
  tx: Tx,
  message: Pick<
    Insertable<Tables['unmatched_messages']>,
    'clientId' | 'channel' | 'senderId' | 'channelMessageId' | 'personKey' | 'sealed'
  >,
) =>
  queriesIn(tx)
    .insertInto('unmatched_messages')
    .values(message)
    .onConflict((conflict) => conflict.constraint('unmatched_messages_once').doNothing())
    .returning('id')
    .executeTakeFirst();

/** How much is heard of what one person has written. */
const MAX_KEPT = 20;

/** Returns what a person without a known debt has written last, in the order in which it came. */
export const keptOfPerson = async (tx: Tx, channel: string, personKey: string) =>
  (
    await queriesIn(tx)
      .selectFrom('unmatched_messages')
      .select(['channelMessageId', 'senderId', 'sealed'])
      .where('channel', '=', channel)
      .where('personKey', '=', personKey)
      .orderBy('createdAt', 'desc')
      .orderBy('id')
      .limit(MAX_KEPT)
      .execute()
  ).reverse();
