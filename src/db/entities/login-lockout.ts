import { defineEntity, p } from '@mikro-orm/postgresql';
import { createdAt, instant } from './columns.ts';

/**
 * Wrong passwords in a row for an e-mail, whether it has an account or not: so no client column. `in_flight` holds a
 * lease for each password that is being tried, so that many at once cannot be more than the lockout allows.
 */
export const LoginLockout = defineEntity({
  name: 'LoginLockout',
  tableName: 'login_lockouts',
  properties: {
    emailHash: p.text().primary(),
    failed: p.integer().default(0),
    lockedUntil: instant().nullable(),
    inFlight: p.array<Date>().columnType('timestamptz[]'),
    updatedAt: createdAt(),
  },
});
