import { defineEntity, p } from '@mikro-orm/postgresql';
import { instant } from '../../../platform/database/tables/columns.ts';
import { AUTHENTICATION_TABLE } from '../../../platform/database/tables/tenant-table.ts';

/**
 * Consecutive wrong passwords for an e-mail. There is no client column, because the e-mail may have no account.
 * `in_flight` has a lease for each attempt in progress, so that concurrent attempts cannot exceed the limit.
 */
export const LoginLockout = defineEntity({
  name: 'LoginLockout',
  tableName: 'login_lockouts',
  properties: {
    emailHash: p.text().primary(),
    failed: p.integer().default(0),
    lockedUntil: instant().nullable(),
    inFlight: p.array<Date>().columnType('timestamptz[]'),
    /** In real time, as all moments of a lockout: `CLOCK_OFFSET` does not shift what protects against guessing. */
    updatedAt: instant().defaultRaw('current_timestamp(3)'),
  },
  ...AUTHENTICATION_TABLE,
});
