import type { EntityManager } from '@mikro-orm/postgresql';
import type { Insertable } from 'kysely';
import { queriesIn, type Tables } from '../../../platform/database/queries/builder.ts';

/** Returns nothing when the message is stored already. */
export const insertUnmatched = (
  em: EntityManager,
  message: Pick<
    Insertable<Tables['unmatched_messages']>,
    'clientId' | 'channel' | 'senderId' | 'channelMessageId' | 'sealed'
  >,
) =>
  queriesIn(em)
    .insertInto('unmatched_messages')
    .values(message)
    .onConflict((conflict) => conflict.constraint('unmatched_messages_once').doNothing())
    .returning('id')
    .executeTakeFirst();
