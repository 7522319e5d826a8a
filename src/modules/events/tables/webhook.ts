import { defineEntity, p } from '@mikro-orm/postgresql';
import {
  DISABLED_REASONS,
  type DisabledReason,
  EVENT_TYPES,
  type EventType,
  WEBHOOK_STATES,
  type WebhookState,
} from '../../../kernel/event-types.ts';
import { createdAt, id, instant, oneOf, updatedAt } from '../../../platform/database/tables/columns.ts';
import { functionsPolicy, tenantTable } from '../../../platform/database/tables/tenant-table.ts';
import { Client } from '../../accounts/tables/client.ts';

const tenancy = tenantTable();

/** Where a client wants to be told of events. */
export const Webhook = defineEntity({
  name: 'Webhook',
  tableName: 'webhooks',
  properties: {
    id: id(),
    clientId: () => p.manyToOne(Client).mapToPk().fieldName('client_id'),
    url: p.text(),
    /** The types that it gets; null for all, those of later versions too. */
    types: p.array<EventType>().columnType('text[]').nullable(),
    state: p.text().$type<WebhookState>().default('active'),
    disabledReason: p.text().$type<DisabledReason>().nullable(),
    disabledAt: instant().nullable(),
    /** The first failure since the receiver last took a delivery. */
    failingSince: instant().nullable(),
    /** Nothing is posted before this moment, because the receiver asked for a pause. */
    pausedUntil: instant().nullable(),
    /** The secret that signs, as `src/kernel/ports/credential-cipher.ts` has sealed it. */
    secret: p.text(),
    /** The secret before the last rotation, and until when it signs too. */
    previousSecret: p.text().nullable(),
    previousSecretUntil: instant().nullable(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  indexes: [{ name: 'webhooks_client', properties: ['clientId', 'createdAt', 'id'] }],
  checks: [
    { name: 'webhooks_state_known', expression: oneOf('state', WEBHOOK_STATES) },
    { name: 'webhooks_disabled_reason_known', expression: oneOf('disabled_reason', DISABLED_REASONS) },
    {
      name: 'webhooks_disabled_whole',
      expression:
        "(state = 'disabled') = (disabled_at is not null) and (disabled_at is null) = (disabled_reason is null)",
    },
    {
      name: 'webhooks_previous_secret_whole',
      expression: '(previous_secret is null) = (previous_secret_until is null)',
    },
    {
      name: 'webhooks_types_known',
      expression: `types <@ array[${EVENT_TYPES.map((type) => `'${type}'`).join(', ')}]`,
    },
  ],
  ...tenancy,
  policies: [...tenancy.policies, functionsPolicy('select')],
});
