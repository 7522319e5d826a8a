import { sql } from 'kysely';
import { NOW, prepared } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { CAMPAIGN_DAY, sumsOf } from '../../debts/queries/campaign-days.ts';
import type { TimelineKind } from '../../debts/rules/timeline-entry.ts';
import type { MessageDelivery } from '../rules/delivery-states.ts';

interface Outcome {
  readonly messageId: string;
  readonly delivery: MessageDelivery;
  readonly channelMessageId: string | null;
  readonly failure: string | null;
  /** The entries keep the moment of the booking, even when later ones are stored already. */
  readonly asBooked: boolean;
  /** Where the campaign counts, and what. */
  readonly slot: number;
  readonly contactsSent: number;
  readonly remindersSent: number;
}

/**
 * Records the outcome of a booked message: on it, on the timelines of its debts, which are locked, and in today's counts
 * of the campaign. Returns nothing when it has an outcome already. `wasUndelivered`: an earlier message about one of its
 * debts could not be sent, and waits in the inbox.
 */
export const storeOutcome = async (tx: Tx, outcome: Outcome) => (await store.run(tx, outcome)).at(0);

const IDS_OF_DEBTS = sql<readonly string[]>`array_append(messages.also_about, messages.debt_id)`;

/** A `message_sent` as `TimelineEntry` has it. */
const SENT_ENTRY = sql<object>`jsonb_strip_nulls(jsonb_build_object('messageId', recorded.id, 'channel', recorded.channel,
  'purpose', recorded.purpose, 'textVersion', recorded.text_version,
  'pixCode', case when recorded.charge_id is not null then true end))`;

const store = prepared('message_outcome', (queries, outcome: Outcome) =>
  queries
    .with('recorded', (from) =>
      from
        .updateTable('messages')
        .set({
          delivery: outcome.delivery,
          failure: outcome.failure,
          channelMessageId: sql<string | null>`coalesce(${outcome.channelMessageId}::text, channel_message_id)`,
        })
        .where('id', '=', outcome.messageId)
        .where('delivery', '=', 'booked')
        .returning(['id', 'debtId', 'at', 'channel', 'purpose', 'textVersion', 'chargeId'])
        .returning(({ exists, selectFrom }) => [
          IDS_OF_DEBTS.as('debtIds'),
          exists(
            selectFrom('inbox_items')
              .select('inbox_items.id')
              .where('inbox_items.debtId', '=', sql<string>`any(${IDS_OF_DEBTS})`)
              .where('inbox_items.reason', '=', 'undelivered')
              .where('inbox_items.closedAt', 'is', null),
          )
            .$castTo<boolean>()
            .as('wasUndelivered'),
        ]),
    )
    .with('told', (from) =>
      from
        .updateTable('debts')
        .from('recorded')
        .set({ lastEventAt: sql<Date>`greatest(debts.last_event_at, recorded.at)`, updatedAt: NOW })
        .where('debts.id', '=', sql<string>`any(recorded.debt_ids)`)
        .returning(['debts.id', 'debts.clientId', 'debts.campaignId'])
        .returning([
          sql<Date>`case when ${outcome.asBooked}::boolean then recorded.at else debts.last_event_at end`.as('at'),
          SENT_ENTRY.as('data'),
        ]),
    )
    .with('entries', (from) =>
      from
        .insertInto('debt_events')
        .columns(['clientId', 'debtId', 'at', 'kind', 'data'])
        .expression((told) =>
          told
            .selectFrom('told')
            .select(['clientId', 'id', 'at', sql.lit<TimelineKind>('message_sent').as('kind'), 'data'])
            .orderBy('id'),
        ),
    )
    .with('counted', (from) =>
      from
        .insertInto('campaign_days')
        .columns(['day', 'campaignId', 'clientId', 'slot', 'contactsSent', 'remindersSent'])
        .expression((told) =>
          told
            .selectFrom('told')
            .innerJoin('recorded', 'recorded.debtId', 'told.id')
            .select([CAMPAIGN_DAY.as('day'), 'told.campaignId', 'told.clientId'])
            .select(sql<number>`${outcome.slot}::smallint`.as('slot'))
            .select(sql<number>`${outcome.contactsSent}::int`.as('contactsSent'))
            .select(sql<number>`${outcome.remindersSent}::int`.as('remindersSent'))
            .where(sql<boolean>`${outcome.contactsSent}::int + ${outcome.remindersSent}::int > 0`),
        )
        .onConflict((conflict) =>
          conflict.columns(['campaignId', 'day', 'slot']).doUpdateSet(sumsOf(['contactsSent', 'remindersSent'])),
        ),
    )
    .selectFrom('recorded')
    .select(['channel', 'wasUndelivered']),
);
