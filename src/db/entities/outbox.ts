import { defineEntity, p } from '@mikro-orm/postgresql';
import { createdAt, id, instant } from './columns.ts';

export type OutboxKind = 'start' | 'signal' | 'signal_with_start' | 'batch_signal';
export type OutboxWorkflow =
  | 'heartbeat'
  | 'run-campaign'
  | 'collect-debt'
  | 'send-account-mail'
  // Rows that the version before has left.
  | 'send-password-reset';
/** Ids and plain numbers: what stands here is copied into Temporal's histories. */
export type OutboxPayload = Readonly<Record<string, string | number | boolean | null>>;

/**
 * Work for Temporal, written in the transaction that made it necessary. No client column and no row security:
 * the relay takes rows of all clients in order, and a payload holds nothing but ids.
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
    /** How often it was asked for: a request that comes while the row is on its way sends it once more. */
    requests: p.integer().default(1),
    attempts: p.integer().default(0),
    /** Why the last try failed, for operators; of a parked row it begins with `parked:`. */
    lastError: p.text().nullable(),
    /** Not before this moment: the lease of a relay, or the pause before the next try. */
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
