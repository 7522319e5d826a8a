import { defineEntity, p } from '@mikro-orm/postgresql';
import { DELIVERY_STATES, type DeliveryState } from '../../../kernel/event-types.ts';
import { EVENT_DAYS } from '../../../kernel/retention-periods.ts';
import { createdAt, id, instant, oneOf } from '../../../platform/database/tables/columns.ts';
import { functionsPolicy, purgePolicy, tenantTable } from '../../../platform/database/tables/tenant-table.ts';

const tenancy = tenantTable();

/**
 * One event for one webhook, written with the event. There are no foreign keys: a key on the webhook would make the
 * change that caused the event fail when the client deletes the webhook at the same moment.
 */
export const WebhookDelivery = defineEntity({
  name: 'WebhookDelivery',
  tableName: 'webhook_deliveries',
  properties: {
    id: id(),
    clientId: p.uuid(),
    webhookId: p.uuid(),
    eventSeq: p.bigint('number'),
    state: p.text().$type<DeliveryState>().default('pending'),
    /** The number of attempts since the delivery was asked for, by the event or by the client. */
    attempts: p.integer().default(0),
    /** When it is due, or until when one attempt holds it; null once it is delivered or has failed for good. */
    nextAttemptAt: instant().nullable(),
    /** The client itself asked for it, so that it goes out to a disabled webhook too. */
    manual: p.boolean().default(false),
    lastAttemptAt: instant().nullable(),
    /** The HTTP status of the last answer. */
    lastStatus: p.integer().nullable(),
    /** A short code that says why the last attempt failed. */
    lastError: p.text().nullable(),
    /** The beginning of the last answer's body. */
    lastResponse: p.text().nullable(),
    deliveredAt: instant().nullable(),
    createdAt: createdAt(),
  },
  indexes: [
    { name: 'webhook_deliveries_client', properties: ['clientId', 'webhookId', 'eventSeq'] },
    {
      name: 'webhook_deliveries_due',
      properties: ['webhookId', 'nextAttemptAt'],
      where: "state = 'pending'",
    },
    {
      name: 'webhook_deliveries_created_at',
      expression: 'create index "webhook_deliveries_created_at" on "webhook_deliveries" using brin ("created_at")',
    },
  ],
  checks: [
    { name: 'webhook_deliveries_state_known', expression: oneOf('state', DELIVERY_STATES) },
    {
      name: 'webhook_deliveries_due_while_pending',
      expression: "(state = 'pending') = (next_attempt_at is not null)",
    },
  ],
  ...tenancy,
  policies: [
    ...tenancy.policies,
    functionsPolicy('insert'),
    functionsPolicy('select'),
    purgePolicy(`created_at < (current_timestamp - '${EVENT_DAYS} days'::interval)`),
  ],
});
