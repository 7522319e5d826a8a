import { type NotNull, sql } from 'kysely';
import { anyOf, prepared, queriesIn } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import type { MessageDelivery } from '../rules/delivery-states.ts';

/** Returns the clients whose messages these are, by the routine `clients_of_messages`. */
export const CLIENTS_OF_MESSAGES = prepared(
  'clients_of_messages',
  (queries, { messageIds }: { readonly messageIds: readonly string[] }) =>
    queries
      .selectFrom(sql<{ message: string; client: string }>`clients_of_messages(${messageIds})`.as('owners'))
      .select(['owners.message as messageId', 'owners.client as clientId']),
);

/** How a channel names the messages that it reports about: by its own ids, or by those of the service. */
export interface ReportedIds {
  readonly channelMessageIds: readonly string[];
  readonly messageIds: readonly string[];
}

/**
 * Returns the outgoing messages of a channel that reports are about. A message that another channel carries by now is
 * not among them.
 */
export const reportedMessages = (tx: Tx, channel: string, ids: ReportedIds) =>
  queriesIn(tx)
    .selectFrom('messages')
    .innerJoin('debts', 'debts.id', 'messages.debtId')
    .select(['messages.id', 'messages.debtId', 'messages.alsoAbout', 'messages.delivery', 'messages.channelMessageId'])
    .select([
      'messages.purpose',
      'messages.at',
      'messages.createdAt',
      'messages.senderId',
      'messages.chargeId',
      'debts.campaignId',
    ])
    .select(['debts.debtorTaxId', 'debts.debtorPhone'])
    .select(sql<string>`coalesce(messages.phone, debts.debtor_phone)`.as('phone'))
    .select((row) => row('debts.erasedAt', 'is not', null).$castTo<boolean>().as('erased'))
    .where('messages.channel', '=', channel)
    .where('messages.direction', '=', 'out')
    .where(({ eb, or }) =>
      or([
        eb('messages.channelMessageId', '=', anyOf(ids.channelMessageIds, 'text')),
        eb('messages.id', '=', anyOf(ids.messageIds, 'uuid')),
      ]),
    )
    .orderBy('messages.id')
    .$narrowType<{ purpose: NotNull; delivery: NotNull }>()
    .execute();

export type ReportedMessage = Awaited<ReturnType<typeof reportedMessages>>[number];

/** Stores what a channel has reported. The caller holds the locks of the message's debts. */
export const setReported = (
  tx: Tx,
  messageId: string,
  reported: {
    readonly delivery: MessageDelivery;
    readonly channelMessageId: string;
    readonly failure: string | null;
  },
) =>
  queriesIn(tx)
    .updateTable('messages')
    .set({
      delivery: reported.delivery,
      channelMessageId: sql<string>`coalesce(channel_message_id, ${reported.channelMessageId}::text)`,
      ...(reported.delivery === 'failed' ? { failure: reported.failure, isUndoDue: true } : {}),
    })
    .where('id', '=', messageId)
    .execute();

/** Finds the messages of a debt that the channel accepted and then could not deliver. */
export const LATE_FAILURES = prepared('late_failures', (queries, { debtId }: { readonly debtId: string }) =>
  queries
    .selectFrom('messages')
    .select(['id', 'purpose', 'failure', 'alsoAbout', 'attemptKey', 'phone', 'staff'])
    .where('debtId', '=', debtId)
    .where('isUndoDue', '=', true)
    .orderBy('createdAt'),
);

/** Returns false when the failure of the message was undone already. The caller holds the locks of its debts. */
export const clearUndoDue = async (tx: Tx, messageId: string): Promise<boolean> =>
  undefined !==
  (await queriesIn(tx)
    .updateTable('messages')
    .set({ isUndoDue: false })
    .where('id', '=', messageId)
    .where('isUndoDue', '=', true)
    .returning('id')
    .executeTakeFirst());

/** Returns how far these messages came, as their channels have said. */
export const deliveriesOf = async (tx: Tx, messageIds: readonly string[]) =>
  messageIds.length === 0
    ? []
    : queriesIn(tx)
        .selectFrom('messages')
        .select(['id', 'delivery'])
        .where('id', '=', anyOf(messageIds, 'uuid'))
        .execute();

/** Returns who carried the latest notice of an agreement to the debtor of a debt that was not delivered, and when. */
export const latestFailedNotice = (tx: Tx, debtId: string) =>
  queriesIn(tx)
    .selectFrom('messages')
    .select(['channel', 'senderId', 'at'])
    .where('debtId', '=', debtId)
    .where('purpose', '=', 'agreement')
    .where('delivery', '=', 'failed')
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst();
