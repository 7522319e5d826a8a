import { type Expression, type Insertable, type Kysely, type NotNull, sql } from 'kysely';
import { prepared, queriesIn, type RowOf, type Tables } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { PHONE_OF_MESSAGE } from '../../debts/queries/debt-phones.ts';

/**
 * Returns the latest messages of a person on one phone, oldest first, without received messages that are not handled yet
 * or that a machine has written. Whoever holds another phone may be another person.
 */
export const selectLatestMessages = (
  queries: Kysely<Tables>,
  { debtorTaxId, sandbox, phone, limit }: Conversation<string | Expression<string>, boolean | Expression<boolean>>,
) =>
  queries
    .selectFrom((from) =>
      from
        .selectFrom('messages')
        .innerJoin('debts', 'debts.id', 'messages.debtId')
        .select(['messages.direction', 'messages.text', 'messages.at', 'messages.createdAt'])
        .where('debts.debtorTaxId', '=', debtorTaxId)
        .where('debts.sandbox', '=', sandbox)
        .where(PHONE_OF_MESSAGE, '=', phone)
        .where((message) =>
          message.or([message('messages.delivery', '<>', 'waiting'), message('messages.handledAt', 'is not', null)]),
        )
        .where('messages.automatic', '=', false)
        // A file without a text says nothing that an agent reads.
        .where('messages.text', '<>', '')
        .orderBy('messages.createdAt', 'desc')
        .limit(limit)
        .as('latest'),
    )
    .select(['direction', 'text', 'at'])
    .orderBy('createdAt');

export const LATEST_TURNS = 20;

interface Conversation<Text, Flag> {
  readonly debtorTaxId: Text;
  readonly sandbox: Flag;
  readonly phone: Text;
  readonly limit: number;
}
export const latestMessages = prepared('messages_latest', (queries, asked: Conversation<string, boolean>) =>
  selectLatestMessages(queries, asked),
);

export type TurnRow = RowOf<typeof latestMessages>;

type NewMessage = Insertable<Tables['messages']>;

/** Returns nothing when the same message is stored already. */
export const insertReceivedMessage = (
  tx: Tx,
  message: Pick<
    NewMessage,
    | 'id'
    | 'clientId'
    | 'debtId'
    | 'channel'
    | 'senderId'
    | 'phone'
    | 'text'
    | 'channelMessageId'
    | 'at'
    | 'button'
    | 'cutFrom'
  >,
) =>
  queriesIn(tx)
    .insertInto('messages')
    .values({ ...message, direction: 'in' })
    .onConflict((conflict) => conflict.constraint('messages_channel_id').doNothing())
    .returning('id')
    .executeTakeFirst();

/** Returns which of these messages were received. */
export const receivedOnChannel = (
  tx: Tx,
  { debtId, channel, ids }: { readonly debtId: string; readonly channel: string; readonly ids: readonly string[] },
) =>
  queriesIn(tx)
    .selectFrom('messages')
    .select('channelMessageId')
    .where('debtId', '=', debtId)
    .where('direction', '=', 'in')
    .where('channel', '=', channel)
    .where('channelMessageId', 'in', ids)
    .execute();

/** Returns nothing when the same attempt was booked before. */
export const insertBookedMessage = (
  tx: Tx,
  message: Pick<
    NewMessage,
    'id' | 'clientId' | 'debtId' | 'channel' | 'senderId' | 'phone' | 'text' | 'document' | 'at'
  > &
    Required<Pick<NewMessage, 'purpose' | 'attemptKey'>>,
) =>
  queriesIn(tx)
    .insertInto('messages')
    .values({ ...message, direction: 'out', delivery: 'booked', hashKept: true })
    .onConflict((conflict) => conflict.constraint('messages_attempt_key').doNothing())
    .returning('id')
    .executeTakeFirst();

/** Returns how many messages about a debt its sender could not send since the last one that was sent. */
export async function failuresOfSender(tx: Tx, debtId: string): Promise<number> {
  const { failures } = await queriesIn(tx)
    .selectFrom('messages')
    .select(({ fn }) => fn.countAll<number>().as('failures'))
    .where('debtId', '=', debtId)
    .where('senderFailed', '=', true)
    .where('createdAt', '>', ({ fn, selectFrom }) =>
      fn.coalesce(
        selectFrom('messages as sent')
          .select(({ fn }) => fn.max('sent.createdAt').as('last'))
          .where('sent.debtId', '=', debtId)
          .where('sent.direction', '=', 'out')
          .where('sent.delivery', 'not in', ['failed', 'waiting']),
        sql<Date>`'-infinity'`,
      ),
    )
    .executeTakeFirstOrThrow();
  return failures;
}

export const markSenderFailed = (tx: Tx, messageId: string) =>
  queriesIn(tx).updateTable('messages').set({ senderFailed: true }).where('id', '=', messageId).execute();

/** Returns the message of an attempt. Only outgoing messages have an attempt, and each of them has a purpose. */
export const messageOfAttempt = async (tx: Tx, clientId: string, attemptKey: string) =>
  (await readAttempt.run(tx, { clientId, attemptKey })).at(0);
const readAttempt = prepared(
  'message_of_attempt',
  (queries, { clientId, attemptKey }: { readonly clientId: string; readonly attemptKey: string }) =>
    queries
      .selectFrom('messages')
      .select(['id', 'purpose', 'at', 'alsoAbout'])
      .where('clientId', '=', clientId)
      .where('attemptKey', '=', attemptKey)
      .$narrowType<{ purpose: NotNull }>(),
);

/** Stores, before it is sent, that another sender carries the message, because the one before could not. */
export const setSenderOfMessage = (
  tx: Tx,
  messageId: string,
  next: {
    readonly channel: string;
    readonly senderId: string | null;
    readonly text: string;
    readonly textVersion: number | null;
    readonly tried: string;
  },
) =>
  queriesIn(tx)
    .updateTable('messages')
    .set({
      channel: next.channel,
      senderId: next.senderId,
      text: next.text,
      textVersion: next.textVersion,
      chargeId: null,
      triedChannels: sql<string[]>`array_append(tried_channels, ${next.tried}::text)`,
    })
    .where('id', '=', messageId)
    .where('delivery', '=', 'booked')
    .execute();

/** Stores, before it is sent, in which form a booked message goes out: its text, and the charge whose code comes with it. */
export const setFormOfMessage = (
  tx: Tx,
  messageId: string,
  form: { readonly text: string; readonly chargeId: string | null },
) =>
  queriesIn(tx)
    .updateTable('messages')
    .set(form)
    .where('id', '=', messageId)
    .where('delivery', '=', 'booked')
    .execute();
