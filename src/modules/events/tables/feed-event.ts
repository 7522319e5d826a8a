import { defineEntity, p } from '@mikro-orm/postgresql';
import { EVENT_TYPES, type EventType, TEST_EVENT } from '../../../kernel/event-types.ts';
import { EVENT_DAYS } from '../../../kernel/retention-periods.ts';
import { createdAt, instant, oneOf } from '../../../platform/database/tables/columns.ts';
import { DELIVERY_TRIGGER } from '../../../platform/database/tables/event-triggers.ts';
import { functionsPolicy, purgePolicy, tenantTable } from '../../../platform/database/tables/tenant-table.ts';

const tenancy = tenantTable();

/**
 * What a client's systems are told: the change feed, and the source of what webhooks get. Triggers write it in the
 * transaction of the change (`src/platform/database/routines/events.sql`). It has ids, states and plain numbers only.
 *
 * There are no foreign keys: an import writes as many rows as debts, each key would cost it a look-up for each row, and
 * the rows are purged after a month.
 */
export const FeedEvent = defineEntity({
  name: 'FeedEvent',
  tableName: 'events',
  properties: {
    /** Orders the events of one debt, because every writer holds the lock of its row. No client is told it. */
    seq: p.bigint('number').primary().autoincrement(),
    /** The public id. */
    id: p.uuid().defaultRaw('gen_random_uuid()'),
    clientId: p.uuid(),
    type: p.text().$type<EventType | typeof TEST_EVENT>(),
    debtId: p.uuid().nullable(),
    campaignId: p.uuid().nullable(),
    /** The moment on the timeline of the debt, by its own clock, or real time for what no timeline shows. */
    at: instant(),
    sandbox: p.boolean(),
    data: p.json<Readonly<Record<string, unknown>>>(),
    /**
     * Its number among the events of its debt or campaign, from 1: `seq` would disclose how active other clients are.
     * Null for events from before there were numbers, whose `seq` was told.
     */
    number: p.bigint('number').nullable(),
    /**
     * Where the feed has the event, together with `seq`: the highest number of a transaction that had begun to write or
     * had ended when the event was written. See `docs/decisions/0017-events-out.md`.
     */
    place: p.bigint('number'),
    createdAt: createdAt(),
  },
  indexes: [
    { name: 'events_feed', properties: ['clientId', 'place', 'seq'] },
    {
      name: 'events_created_at',
      expression: 'create index "events_created_at" on "events" using brin ("created_at")',
    },
  ],
  checks: [{ name: 'events_type_known', expression: oneOf('type', [...EVENT_TYPES, TEST_EVENT]) }],
  triggers: [DELIVERY_TRIGGER],
  ...tenancy,
  policies: [
    ...tenancy.policies,
    functionsPolicy('insert'),
    purgePolicy(`created_at < (current_timestamp - '${EVENT_DAYS} days'::interval)`),
  ],
});
