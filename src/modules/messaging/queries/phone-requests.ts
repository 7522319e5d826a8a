import { sql, type Updateable } from 'kysely';
import type { RealChannel } from '../../../kernel/messaging-channels.ts';
import { anyOf, queriesIn, type Tables } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';

type Requests = Tables['phone_requests'];

const MAY_NOT_ASK = ['PAUSED', 'CANCELLED'] as const;

/** Returns the client's sender, and nothing where it may not ask now: it or the client rests, or nobody real owes anything. */
export const askingSender = (
  tx: Tx,
  { clientId, channel, senderId }: Pick<Requests, 'clientId' | 'channel' | 'senderId'>,
) =>
  queriesIn(tx)
    .selectFrom('channel_senders')
    .innerJoin('clients', 'clients.id', 'channel_senders.clientId')
    .select((row) => ['channel_senders.quality', row.fn.coalesce('clients.verifiedName', 'clients.name').as('company')])
    .where('channel_senders.clientId', '=', clientId)
    .where('channel_senders.channel', '=', channel)
    .where('channel_senders.senderId', '=', senderId)
    .where('channel_senders.state', '=', 'ready')
    .where('channel_senders.replacedAt', 'is', null)
    .where('clients.status', 'not in', MAY_NOT_ASK)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('debts')
          .select('debts.id')
          .whereRef('debts.clientId', '=', 'clients.id')
          .where('debts.sandbox', '=', false)
          .where('debts.erasedAt', 'is', null),
      ),
    )
    .executeTakeFirst();

export type NewPhoneRequest = Pick<Requests, 'clientId' | 'channel' | 'senderId' | 'personKey' | 'sealed'> & {
  readonly id: string;
  readonly askUntil: Date;
  readonly createdAt: Date;
};

/**
 * Stores requests, and returns those to people who were not asked before. They come in the order of their persons, so that
 * two requests of the channel with the same people do not wait for each other.
 */
export const insertPhoneRequests = (tx: Tx, requests: readonly NewPhoneRequest[]) =>
  queriesIn(tx)
    .insertInto('phone_requests')
    .values([...requests])
    .onConflict((conflict) => conflict.constraint('phone_requests_once').doNothing())
    .returning('id')
    .execute();

export const lockPhoneRequest = (tx: Tx, id: string) =>
  queriesIn(tx).selectFrom('phone_requests').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();

export const setPhoneRequest = (
  tx: Tx,
  id: string,
  changed: Pick<Updateable<Requests>, 'turnAt' | 'attemptedAt' | 'delivery' | 'channelMessageId' | 'failure'>,
) => queriesIn(tx).updateTable('phone_requests').set(changed).where('id', '=', id).execute();

/** Returns the request that the person was sent. */
export const sentPhoneRequest = (tx: Tx, { channel, personKey }: Pick<Requests, 'channel' | 'personKey'>) =>
  queriesIn(tx)
    .selectFrom('phone_requests')
    .select('id')
    .where('channel', '=', channel)
    .where('personKey', '=', personKey)
    .where('attemptedAt', 'is not', null)
    .executeTakeFirst();

/** Returns which of these people have answered a request with a card that led to a debt. */
export const answeredPhoneRequests = async (tx: Tx, channel: RealChannel, personKeys: readonly string[]) =>
  personKeys.length === 0
    ? []
    : queriesIn(tx)
        .selectFrom('phone_requests')
        .select('personKey')
        .where('channel', '=', channel)
        .where('personKey', '=', anyOf(personKeys, 'text'))
        .where('cardMessageId', 'is not', null)
        .orderBy('personKey')
        .execute();

/** Returns nothing when another message has answered the request. */
export const takeCard = (tx: Tx, id: string, cardMessageId: string) =>
  queriesIn(tx)
    .updateTable('phone_requests')
    .set({ cardMessageId })
    .where('id', '=', id)
    .where(({ eb, or }) => or([eb('cardMessageId', 'is', null), eb('cardMessageId', '=', cardMessageId)]))
    .returning('id')
    .executeTakeFirst();

/** Returns the requests that reports are about, by the ids that the channel repeats. They stay locked. */
export const reportedPhoneRequests = async (tx: Tx, channel: RealChannel, ids: readonly string[]) =>
  ids.length === 0
    ? []
    : queriesIn(tx)
        .selectFrom('phone_requests')
        .select(['id', 'senderId', 'delivery', 'channelMessageId', 'createdAt'])
        .where('id', '=', anyOf(ids, 'uuid'))
        .where('channel', '=', channel)
        .orderBy('id')
        .forUpdate()
        .execute();

/** Whether a phone is known to be that of another person at the channel, or of one who has moved to it. */
export const isPhoneOfAnother = async (
  tx: Tx,
  {
    channel,
    phoneKey,
    channelUserId,
  }: { readonly channel: RealChannel; readonly phoneKey: string; readonly channelUserId: string },
): Promise<boolean> => {
  const found = await queriesIn(tx)
    .selectFrom('recipients')
    .select(sql`1`.as('one'))
    .where('channel', '=', channel)
    .where('channelUserId', '<>', channelUserId)
    .where(({ eb, or }) => or([eb('phoneKey', '=', phoneKey), eb('movedToKey', '=', phoneKey)]))
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
};
