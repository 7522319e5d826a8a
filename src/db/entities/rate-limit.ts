import { defineEntity, p } from '@mikro-orm/postgresql';

/**
 * Counters of rate-limiter-flexible, in its own shape. Its migration makes the table unlogged: what a crash forgets is a
 * minute of counting, and each counted request is spared a write to the log.
 */
export const RateLimit = defineEntity({
  name: 'RateLimit',
  tableName: 'rate_limits',
  properties: {
    key: p.text().primary(),
    points: p.integer(),
    expire: p.bigint('number').nullable(),
  },
});
