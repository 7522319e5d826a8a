import type { Insertable, Updateable } from 'kysely';
import type { RealChannel } from '../../../kernel/messaging-channels.ts';
import { NOW, prepared, queriesIn, type Tables } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import type { SenderState } from '../tables/channel-sender.ts';

type NewSender = Pick<
  Insertable<Tables['channel_senders']>,
  'clientId' | 'channel' | 'senderId' | 'accountId' | 'shownAs' | 'peoplePerDay' | 'quality' | 'checkedAt'
>;

/**
 * Connects a sender in place of any other of the channel, and returns what debtors saw of the one before. It is ready,
 * because the channel has just accepted it.
 */
export async function connectSender(tx: Tx, sender: NewSender): Promise<string | null> {
  const before = await replaceOthers(tx, sender);
  await queriesIn(tx)
    .insertInto('channel_senders')
    .values(sender)
    .onConflict((conflict) =>
      conflict.constraint('channel_senders_sender').doUpdateSet({
        accountId: sender.accountId ?? null,
        shownAs: sender.shownAs,
        peoplePerDay: sender.peoplePerDay ?? null,
        quality: sender.quality ?? null,
        checkedAt: sender.checkedAt ?? null,
        state: 'ready',
        reason: null,
        pausedUntil: null,
        replacedAt: null,
        updatedAt: NOW,
      }),
    )
    .execute();
  return before;
}

/**
 * Stores a sender of the deployment's configuration for a client, unless it is stored already. It takes the place of the
 * one that the configuration named before.
 */
export async function adoptSender(tx: Tx, sender: NewSender): Promise<void> {
  await replaceOthers(tx, sender);
  await queriesIn(tx)
    .insertInto('channel_senders')
    .values(sender)
    .onConflict((conflict) =>
      conflict.constraint('channel_senders_sender').doUpdateSet({ replacedAt: null, updatedAt: NOW }),
    )
    .execute();
}

async function replaceOthers(
  tx: Tx,
  { clientId, channel, senderId }: Pick<NewSender, 'clientId' | 'channel' | 'senderId'>,
): Promise<string | null> {
  const replaced = await queriesIn(tx)
    .updateTable('channel_senders')
    .set({ replacedAt: NOW, updatedAt: NOW })
    .where('clientId', '=', clientId)
    .where('channel', '=', channel)
    .where('replacedAt', 'is', null)
    .where('senderId', '<>', senderId)
    .returning('shownAs')
    .executeTakeFirst();
  return replaced?.shownAs ?? null;
}

/** Ends that the client sends by its sender of the channel, which still receives. */
export const disconnectSender = (tx: Tx, { clientId, channel }: Pick<NewSender, 'clientId' | 'channel'>) =>
  queriesIn(tx)
    .updateTable('channel_senders')
    .set({ replacedAt: NOW, updatedAt: NOW })
    .where('clientId', '=', clientId)
    .where('channel', '=', channel)
    .where('replacedAt', 'is', null)
    .execute();

/** Whether the client has sent by one of these channels and has disconnected it. */
export const hasDisconnected = async (tx: Tx, clientId: string, channels: readonly RealChannel[]): Promise<boolean> =>
  channels.length > 0 &&
  undefined !==
    (await queriesIn(tx)
      .selectFrom('channel_senders')
      .select('id')
      .where('clientId', '=', clientId)
      .where('channel', 'in', channels)
      .where('replacedAt', 'is not', null)
      .executeTakeFirst());

interface SenderKey {
  readonly clientId: string;
  readonly channel: RealChannel;
  readonly senderId: string;
}

/** Changes the state of a sender, and returns the state before, or nothing when there is no such sender. */
export const setSenderState = (
  tx: Tx,
  { clientId, channel, senderId }: SenderKey,
  to: { readonly state: SenderState; readonly reason: string | null; readonly pausedUntil: Date | null },
) =>
  queriesIn(tx)
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
    .returning(['channel_senders.id', 'earlier.state as before'])
    .executeTakeFirst();

/** Returns the senders of a client that are connected now. */
export const CONNECTED_SENDERS = prepared('connected_senders', (queries, params: { readonly clientId: string }) =>
  queries
    .selectFrom('channel_senders')
    .select(['channel', 'senderId', 'accountId', 'shownAs', 'state', 'reason', 'pausedUntil'])
    .select(['quality', 'peoplePerDay', 'checkedAt', 'pixCodes', 'pixRefusal', 'paymentSuspectedAt'])
    .where('clientId', '=', params.clientId)
    .where('replacedAt', 'is', null),
);

/** Finds a sender by its row, while it is connected. */
export const SENDER_BY_ID = prepared(
  'sender_by_id',
  (queries, params: { readonly clientId: string; readonly id: string }) =>
    queries
      .selectFrom('channel_senders')
      .select(['channel', 'shownAs', 'state', 'reason', 'freeWarnedFor', 'paymentSuspectedAt'])
      .where('clientId', '=', params.clientId)
      .where('id', '=', params.id)
      .where('replacedAt', 'is', null),
);

/** Returns the id of the client's connected sender of an account. */
export const connectedSenderOf = (
  tx: Tx,
  { channel, accountId }: { readonly channel: RealChannel; readonly accountId: string },
) =>
  queriesIn(tx)
    .selectFrom('channel_senders')
    .select('id')
    .where('channel', '=', channel)
    .where('accountId', '=', accountId)
    .where('replacedAt', 'is', null)
    .executeTakeFirst();

/**
 * Finds over all clients the connected senders that are to be checked: those that were not checked for some hours, and
 * all that do not work. The one that was changed the longest time ago comes first, so that all have their turn.
 */
export const DUE_SENDERS = prepared(
  'due_senders',
  (queries, params: { readonly checkedBefore: Date; readonly limit: number }) =>
    queries
      .selectFrom('channel_senders')
      .innerJoin('clients', 'clients.id', 'channel_senders.clientId')
      .select(['channel_senders.clientId', 'channel', 'senderId', 'state', 'pausedUntil'])
      .where('replacedAt', 'is', null)
      .where('clients.status', '<>', 'CANCELLED')
      .where(({ or, eb }) =>
        or([
          eb('checkedAt', 'is', null),
          eb('checkedAt', '<', params.checkedBefore),
          eb('channel_senders.state', '<>', 'ready'),
        ]),
      )
      .orderBy('channel_senders.updatedAt')
      .orderBy('channel_senders.id')
      .limit(params.limit),
);

export type DueSender = ReturnType<(typeof DUE_SENDERS)['rowsOf']>[number];

/** Stores what the channel has told of a sender. */
export const storeSenderFacts = (
  tx: Tx,
  { clientId, channel, senderId }: SenderKey,
  facts: Pick<Updateable<Tables['channel_senders']>, 'shownAs' | 'peoplePerDay' | 'quality' | 'checkedAt'>,
) =>
  queriesIn(tx)
    .updateTable('channel_senders')
    .set({ ...facts, updatedAt: NOW })
    .where('clientId', '=', clientId)
    .where('channel', '=', channel)
    .where('senderId', '=', senderId)
    .execute();

/** Stores whether messages of a sender may carry Pix codes, and why the channel has refused one; returns whether it exists. */
export async function setPixCodes(
  tx: Tx,
  { clientId, channel, senderId }: SenderKey,
  to: { readonly pixCodes: boolean; readonly pixRefusal: string | null },
): Promise<boolean> {
  const changed = await queriesIn(tx)
    .updateTable('channel_senders')
    .set({ ...to, updatedAt: NOW })
    .where('clientId', '=', clientId)
    .where('channel', '=', channel)
    .where('senderId', '=', senderId)
    .where('replacedAt', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return changed !== undefined;
}
