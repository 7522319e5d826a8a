import { sql } from 'kysely';
import type { RealChannel } from '../../../kernel/messaging-channels.ts';
import { prepared } from '../../../platform/database/queries/builder.ts';
import type { CountedKind, WhatsAppKind } from '../rules/counted-kinds.ts';
import type { CountedMessages } from '../rules/message-prices.ts';

/** A month begins and ends where the days of the statistics do. An offset costs less for each row than a zone's name. */
const ZONE = sql`interval '-3 hours'`;

/** What the numbers of a client have delivered since the month began. Another client's part of a number is not in it. */
export const USAGE_OF_MONTH = prepared(
  'usage_of_month',
  (queries, { clientId, since }: { readonly clientId: string; readonly since: Date }) =>
    queries
      .selectFrom('counted_messages')
      .select(['senderId', 'isFree', sql<WhatsAppKind>`kind`.as('kind')])
      .select(({ fn }) => fn.countAll<number>().as('messages'))
      .where('clientId', '=', clientId)
      .where('channel', '=', sql.lit('whatsapp'))
      .where('deliveredAt', '>=', since)
      .groupBy(['senderId', 'kind', 'isFree']),
);

/**
 * What the messages of a campaign were charged for. The free messages of a month belong to the first of its number,
 * whatever their campaign is, so the costs of all campaigns together are those of the number. A plan that knows no values
 * expects few rows, and would look for the first paid message of a month once for each message.
 */
export const COSTS_OF_CAMPAIGN = prepared(
  'costs_of_campaign',
  (
    queries,
    {
      clientId,
      campaignId,
      freeEachMonth,
    }: { readonly clientId: string; readonly campaignId: string; readonly freeEachMonth: number },
  ) =>
    queries
      .selectFrom(
        sql<CountedMessages>`(
  with own as materialized (
    select channel, sender_id, kind, is_free, units, delivered_at, message_id,
      date_trunc('month', delivered_at at time zone ${ZONE}) as month
    from counted_messages
    where client_id = ${clientId}::uuid and campaign_id = ${campaignId}::uuid and delivered_at is not null
  ),
  first_paid as materialized (
    select months.sender_id, months.month, paid.delivered_at, paid.message_id
    from (select distinct sender_id, month from own where kind = 'service' and not is_free) as months
    cross join lateral (
      select delivered_at, message_id from counted_messages
      where client_id = ${clientId}::uuid and counted_messages.sender_id = months.sender_id
        and kind = 'service' and not is_free
        and delivered_at >= months.month at time zone ${ZONE}
        and delivered_at < (months.month + interval '1 month') at time zone ${ZONE}
      order by delivered_at, message_id offset ${freeEachMonth}::int limit 1
    ) as paid
  ),
  charged as (
    select own.channel, own.kind, own.units, own.is_free or own.kind = 'service' and (first_paid.sender_id is null
      or (own.delivered_at, own.message_id) < (first_paid.delivered_at, first_paid.message_id)) as free
    from own left join first_paid on first_paid.sender_id = own.sender_id and first_paid.month = own.month
  )
  select channel, kind, coalesce(sum(units) filter (where free), 0)::int as free,
    coalesce(sum(units) filter (where not free), 0)::int as paid
  from charged group by channel, kind
)`.as('costs'),
      )
      .select((costs) => [
        costs.ref('costs.channel').$castTo<RealChannel>().as('channel'),
        costs.ref('costs.kind').$castTo<CountedKind>().as('kind'),
        costs.ref('costs.free').$castTo<number>().as('free'),
        costs.ref('costs.paid').$castTo<number>().as('paid'),
      ])
      .orderBy('costs.channel')
      .orderBy('costs.kind'),
);

/** How many messages of WhatsApp without a template a client has delivered for each one by a template. */
export const ANSWERS_OF_CLIENT = prepared(
  'answers_of_client',
  (queries, { clientId, since }: { readonly clientId: string; readonly since: Date }) =>
    queries
      .selectFrom('counted_messages')
      .select([
        sql<number>`count(*) filter (where kind = 'service')`.as('service'),
        sql<number>`count(*) filter (where kind <> 'service')`.as('templates'),
      ])
      .where('clientId', '=', clientId)
      .where('channel', '=', sql.lit('whatsapp'))
      .where('deliveredAt', '>=', since),
);
