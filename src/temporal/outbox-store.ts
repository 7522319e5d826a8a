import type { Database } from '../db/database.ts';
import { claimOutbox, failOutbox, markOutboxDelivered, outboxBacklog, purgeOutbox } from '../db/outbox.ts';
import type { OutboxStore } from '../ports/outbox-store.ts';

/** The operations of the relay on the outbox table. */
export const createOutboxStore = (pool: Database['pool']): OutboxStore => ({
  claim: (limit) => claimOutbox(pool, limit),
  delivered: async (rows) => {
    await markOutboxDelivered(pool, rows);
  },
  failed: (id, error, retryAt) => failOutbox(pool, id, error, retryAt),
  depth: async () => {
    const { depth, oldestSeconds } = await outboxBacklog(pool);
    return { waiting: depth, oldestSeconds };
  },
  purge: (deliveredBefore) => purgeOutbox(pool, deliveredBefore),
});
