import type { RealChannel } from '../../../kernel/messaging-channels.ts';
import { anyOf, queriesIn } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';

/** Returns the debt about which a person was last written to, whom the channel names by its own id alone. */
export const debtOfChannelUser = (tx: Tx, channel: RealChannel, channelUserId: string) =>
  queriesIn(tx)
    .selectFrom('recipients')
    .innerJoin('debts', 'debts.id', 'recipients.debtId')
    .select(['debts.id', 'debts.debtorPhone as phone', 'debts.debtorTaxId', 'recipients.updatedAt as talkedAt'])
    .where('recipients.channelUserId', '=', channelUserId)
    .where('recipients.channel', '=', channel)
    .where('debts.sandbox', '=', false)
    .where('debts.erasedAt', 'is', null)
    .orderBy('recipients.updatedAt', 'desc')
    .limit(1)
    .executeTakeFirst();

/** Returns the debt of the message that was answered: by its id, or by the channel's. */
export const debtOfAnswered = (
  tx: Tx,
  channel: RealChannel,
  { channelMessageId, messageIds }: { readonly channelMessageId: string; readonly messageIds: readonly string[] },
) =>
  queriesIn(tx)
    .selectFrom('messages')
    .innerJoin('debts', 'debts.id', 'messages.debtId')
    .select(['debts.id', 'debts.debtorPhone', 'debts.debtorTaxId', 'messages.phone', 'messages.createdAt as talkedAt'])
    .where('messages.direction', '=', 'out')
    .where('debts.sandbox', '=', false)
    .where('debts.erasedAt', 'is', null)
    .where(({ and, eb, or }) =>
      or([
        eb('messages.id', '=', anyOf(messageIds, 'uuid')),
        and([eb('messages.channel', '=', channel), eb('messages.channelMessageId', '=', channelMessageId)]),
      ]),
    )
    .limit(1)
    .executeTakeFirst();
