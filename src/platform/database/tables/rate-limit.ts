import { defineEntity, p } from '@mikro-orm/postgresql';
import { AUTHENTICATION_TABLE } from './tenant-table.ts';

/**
 * The counters of rate-limiter-flexible, with the columns of that library. The migration makes the table unlogged,
 * because a crash loses only a minute of counting, and counted requests then write nothing to the write-ahead log.
 */
export const RateLimit = defineEntity({
  name: 'RateLimit',
  tableName: 'rate_limits',
  properties: {
    key: p.text().primary(),
    points: p.integer(),
    expire: p.bigint('number').nullable(),
  },
  ...AUTHENTICATION_TABLE,
});
