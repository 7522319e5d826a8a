import type { EntityManager } from '@mikro-orm/postgresql';
import type { Insertable } from 'kysely';
import type { RealChannel } from '../../domain/messaging-channels.ts';
import type { SenderState } from '../entities/channel-sender.ts';
import { NOW, queriesIn, type Tables } from './builder.ts';

type NewSender = Pick<
  Insertable<Tables['channel_senders']>,
  'clientId' | 'channel' | 'senderId' | 'accountId' | 'shownAs' | 'peoplePerDay' | 'quality' | 'checkedAt'
>;

/** Stores a sender of the deployment's configuration for a client, unless it is stored already. */
export const insertSender = (em: EntityManager, sender: NewSender) =>
  queriesIn(em)
    .insertInto('channel_senders')
    .values(sender)
    .onConflict((conflict) => conflict.constraint('channel_senders_sender').doNothing())
    .execute();

interface SenderKey {
  readonly clientId: string;
  readonly channel: RealChannel;
  readonly senderId: string;
}

/** Changes the state of a sender, and returns the state before, or nothing when there is no such sender. */
export const setSenderState = (
  em: EntityManager,
  { clientId, channel, senderId }: SenderKey,
  to: { readonly state: SenderState; readonly reason: string | null; readonly pausedUntil: Date | null },
) =>
  queriesIn(em)
    .updateTable('channel_senders')
    .from((from) =>
      from
        .selectFrom('channel_senders as before')
        .select(['before.id', 'before.state'])
        .where('before.clientId', '=', clientId)
        .where('before.channel', '=', channel)
        .where('before.senderId', '=', senderId)
        .forUpdate()
        .as('earlier'),
    )
    .set({ ...to, updatedAt: NOW })
    .whereRef('channel_senders.id', '=', 'earlier.id')
    .returning('earlier.state as before')
    .executeTakeFirst();
