import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { RealChannel } from '../../domain/messaging-channels.ts';
import { anyOf, queriesIn } from './builder.ts';

/** Returns the debt about which a person was last written to, whom the channel names by its own id alone. */
export const debtOfChannelUser = (em: EntityManager, channel: RealChannel, channelUserId: string) =>
  queriesIn(em)
    .selectFrom('recipients')
    .innerJoin('debts', 'debts.id', 'recipients.debtId')
    .select(['debts.id', 'debts.debtorPhone as phone', 'debts.debtorCpf', 'recipients.updatedAt as talkedAt'])
    .where('recipients.channelUserId', '=', channelUserId)
    .where('recipients.channel', '=', channel)
    .where('debts.sandbox', '=', false)
    .where('debts.erasedAt', 'is', null)
    .orderBy('recipients.updatedAt', 'desc')
    .limit(1)
    .executeTakeFirst();

/** Returns the debt of the message that was answered: by its id, or by the channel's. */
export const debtOfAnswered = (
  em: EntityManager,
  channel: RealChannel,
  { channelMessageId, messageIds }: { readonly channelMessageId: string; readonly messageIds: readonly string[] },
) =>
  queriesIn(em)
    .selectFrom('messages')
    .innerJoin('debts', 'debts.id', 'messages.debtId')
    .select(['debts.id', 'debts.debtorPhone', 'debts.debtorCpf', 'messages.phone', 'messages.createdAt as talkedAt'])
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

/**
 * Returns the debt with the newest conversation among those whose debtor has this e-mail address, when all of them are of
 * one person: an address that several persons share says nothing about who wrote.
 */
export const debtOfEmail = (em: EntityManager, addresses: readonly string[]) =>
  queriesIn(em)
    .with('matches', (queries) =>
      queries
        .selectFrom('debts')
        .select(['id', 'debtorPhone', 'debtorCpf', 'createdAt'])
        .where('debtorEmail', '=', anyOf(addresses, 'text'))
        .where('sandbox', '=', false)
        .where('erasedAt', 'is', null),
    )
    .selectFrom('matches')
    .leftJoinLateral(
      (from) =>
        from
          .selectFrom('messages')
          .select(({ fn }) => fn.max('messages.createdAt').as('at'))
          .whereRef('messages.debtId', '=', 'matches.id')
          .as('talk'),
      (join) => join.onTrue(),
    )
    .select(['matches.id', 'matches.debtorPhone as phone', 'matches.debtorCpf', 'talk.at as talkedAt'])
    .where(({ eb, selectFrom }) =>
      eb(selectFrom('matches as every').select(sql<number>`count(distinct every.debtor_cpf)`.as('people')), '=', 1),
    )
    .orderBy('talk.at', (order) => order.desc().nullsLast())
    .orderBy('matches.createdAt', 'desc')
    .orderBy('matches.id')
    .limit(1)
    .executeTakeFirst();
