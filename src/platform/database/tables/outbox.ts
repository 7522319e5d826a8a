import { defineEntity, p } from '@mikro-orm/postgresql';
import type { OutboxKind, OutboxPayload } from '../../../kernel/ports/outbox-store.ts';
import { createdAt, id, instant } from './columns.ts';

export type OutboxWorkflow =
  | 'heartbeat'
  | 'run-campaign'
  | 'collect-debt'
  | 'follow-agreement'
  | 'follow-listings'
  | 'send-account-mail'
  | 'ask-for-phone'
  | 'deliver-webhooks'
  | 'erase-debtor';

/**
 * Work for Temporal, written in the transaction that made it necessary. The table has no client column and no row
 * security, because the relay takes rows of all clients in order, and a payload contains only ids.
 */
export const Outbox = defineEntity({
  name: 'Outbox',
  tableName: 'outbox',
  properties: {
    id: id(),
    kind: p.text().$type<OutboxKind>(),
    workflow: p.text().$type<OutboxWorkflow>(),
    workflowId: p.text(),
    signal: p.text().nullable(),
    payload: p.json<OutboxPayload>(),
    dedupeKey: p.text().nullable(),
    /** The number of requests. A request that arrives during the delivery causes another delivery. */
    requests: p.integer().default(1),
    attempts: p.integer().default(0),
    /** The reason of the last failure, for operators. For a parked row it begins with `parked:`. */
    lastError: p.text().nullable(),
    /**
     * The row is not claimed before this moment: the end of a relay's lease, or of the pause before the next attempt.
     */
    availableAt: createdAt(),
    deliveredAt: instant().nullable(),
    createdAt: createdAt(),
  },
  uniques: [{ name: 'outbox_dedupe_key', properties: ['dedupeKey'], where: 'delivered_at is null' }],
  indexes: [
    { name: 'outbox_pending', properties: ['availableAt'], where: 'delivered_at is null' },
    { name: 'outbox_delivered', properties: ['deliveredAt'], where: 'delivered_at is not null' },
  ],
  checks: [
    { name: 'outbox_kind_known', expression: "kind in ('start', 'signal', 'signal_with_start', 'batch_signal')" },
    { name: 'outbox_signal_named', expression: "(signal is null) = (kind = 'start')" },
  ],
});
