import { sql } from 'kysely';
import { prepared, queriesIn } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';

interface Watching {
  /** When the month began. */
  readonly month: Date;
  /** How many messages of a number are counted at most. */
  readonly atMost: number;
  /** The newest messages without a template that were accepted in this time. */
  readonly from: Date;
  readonly until: Date;
  readonly newest: number;
}

/**
 * The connected numbers of WhatsApp over all clients: how many of the free messages of the month are used, over all
 * clients that share the number, because the channel gives them to the number, and whether anything was heard of the
 * newest messages.
 */
export const WATCHED_NUMBERS = prepared('watched_numbers', (queries, params: Watching) =>
  queries
    .selectFrom('channel_senders')
    .innerJoin('clients', 'clients.id', 'channel_senders.clientId')
    .innerJoinLateral(
      (from) =>
        from
          .selectFrom((inner) =>
            inner
              .selectFrom('channel_senders as sharing')
              .innerJoin('counted_messages', (join) =>
                join
                  .onRef('counted_messages.clientId', '=', 'sharing.clientId')
                  .onRef('counted_messages.senderId', '=', 'sharing.senderId'),
              )
              .select('counted_messages.messageId')
              .whereRef('sharing.senderId', '=', 'channel_senders.senderId')
              .where('sharing.channel', '=', sql.lit('whatsapp'))
              .where('counted_messages.deliveredAt', '>=', params.month)
              .where('counted_messages.kind', '=', sql.lit('service'))
              .where('counted_messages.isFree', '=', false)
              .limit(params.atMost)
              .as('delivered'),
          )
          .select(sql<number>`count(*)::int`.as('used'))
          .as('month'),
      (join) => join.onTrue(),
    )
    .innerJoinLateral(
      (from) =>
        from
          .selectFrom((inner) =>
            inner
              .selectFrom('counted_messages')
              .select('counted_messages.reportedAt')
              .whereRef('counted_messages.senderId', '=', 'channel_senders.senderId')
              .where('counted_messages.kind', '=', sql.lit('service'))
              .where('counted_messages.acceptedAt', '>=', params.from)
              .where('counted_messages.acceptedAt', '<', params.until)
              .orderBy('counted_messages.acceptedAt', 'desc')
              .limit(params.newest)
              .as('newest'),
          )
          .select([sql<number>`count(*)::int`.as('accepted'), sql<number>`count(reported_at)::int`.as('heard')])
          .as('latest'),
      (join) => join.onTrue(),
    )
    .select(['channel_senders.id', 'channel_senders.clientId', 'channel_senders.senderId'])
    .select(['channel_senders.freeWarnedFor', 'channel_senders.paymentSuspectedAt'])
    .select(['month.used', 'latest.accepted', 'latest.heard'])
    .where('channel_senders.channel', '=', sql.lit('whatsapp'))
    .where('channel_senders.replacedAt', 'is', null)
    .where('clients.status', '<>', 'CANCELLED'),
);

export type WatchedNumber = ReturnType<(typeof WATCHED_NUMBERS)['rowsOf']>[number];

/** Returns nothing when the client was told for this month already. */
export const setFreeWarned = (tx: Tx, id: string, month: string) =>
  queriesIn(tx)
    .updateTable('channel_senders')
    .set({ freeWarnedFor: month })
    .where('id', '=', id)
    .where(({ or, eb }) => or([eb('freeWarnedFor', 'is', null), eb('freeWarnedFor', '<', month)]))
    .returning('id')
    .executeTakeFirst();

/** Returns nothing when that was known already. */
export const setPaymentSuspected = (tx: Tx, id: string, at: Date | null) =>
  queriesIn(tx)
    .updateTable('channel_senders')
    .set({ paymentSuspectedAt: at })
    .where('id', '=', id)
    .where('paymentSuspectedAt', at === null ? 'is not' : 'is', null)
    .returning('id')
    .executeTakeFirst();

// The month of the statistics, by the clock of the database.
const MONTH = sql<Date>`date_trunc('month', quita_now() at time zone 'America/Sao_Paulo')`;

/**
 * What all numbers of the deployment have delivered this month, for its operators. The rows of each sender are read from
 * the index that begins with its client, because rows of all months are many.
 */
export const USAGE_OF_DEPLOYMENT = prepared(
  'usage_of_deployment',
  (queries, { freeEachMonth }: { readonly freeEachMonth: number }) =>
    queries
      .selectFrom((from) =>
        from
          .selectFrom('channel_senders')
          .innerJoinLateral(
            (inner) =>
              inner
                .selectFrom('counted_messages')
                .select('counted_messages.kind')
                .select([
                  sql<number>`count(*) filter (where not is_free)`.as('charged'),
                  sql<number>`count(*) filter (where is_free)`.as('free'),
                ])
                .whereRef('counted_messages.clientId', '=', 'channel_senders.clientId')
                .whereRef('counted_messages.senderId', '=', 'channel_senders.senderId')
                .where('counted_messages.deliveredAt', '>=', sql<Date>`(${MONTH} at time zone 'America/Sao_Paulo')`)
                .groupBy('counted_messages.kind')
                .as('own'),
            (join) => join.onTrue(),
          )
          .select(['channel_senders.senderId', 'own.kind'])
          .select([sql<number>`sum(charged)`.as('charged'), sql<number>`sum(free)`.as('free')])
          .where('channel_senders.channel', '=', sql.lit('whatsapp'))
          .groupBy(['channel_senders.senderId', 'own.kind'])
          .as('numbers'),
      )
      .select('kind')
      .select([
        sql<number>`sum(free + case when kind = 'service' then least(charged, ${freeEachMonth}::int) else 0 end)::int`.as(
          'free',
        ),
        sql<number>`sum(charged - case when kind = 'service' then least(charged, ${freeEachMonth}::int) else 0 end)::int`.as(
          'paid',
        ),
      ])
      .groupBy('kind'),
);

/** How many connected numbers were told of this month, and of how many nothing is heard, over all clients. */
export const NUMBERS_BY_USAGE = prepared('numbers_by_usage', (queries) =>
  queries
    .selectFrom('channel_senders')
    .select([
      sql<number>`count(*) filter (where free_warned_for = ${MONTH}::date)::int`.as('nearEnd'),
      sql<number>`count(*) filter (where payment_suspected_at is not null)::int`.as('paymentSuspected'),
      sql<number>`count(*)::int`.as('all'),
    ])
    .where('channel', '=', sql.lit('whatsapp'))
    .where('replacedAt', 'is', null),
);
