import type { Database } from '../../db/database.ts';
import { AUDIT_RETENTION_DAYS } from '../../db/entities/audit-log.ts';
import { SOURCE_DAYS } from '../../db/login-sources.ts';
import { deleteUnconfirmed } from './delete-unconfirmed.ts';

/** Small enough that no other transaction waits long for a row that this one deletes. */
const ROWS_PER_STATEMENT = 5_000;

// There is no `for update`, because it would need a row security policy for updates, and the purge may only delete.
const expired = (table: string, also = ''): string =>
  `delete from ${table} where id in (
     select id from ${table} where expires_at < current_timestamp ${also} limit ${ROWS_PER_STATEMENT})`;

const STATEMENTS: readonly string[] = [
  expired('refresh_tokens'),
  expired('sessions', 'and not exists (select from refresh_tokens where session_id = sessions.id)'),
  expired('password_resets'),
  expired('email_confirmations'),
  `delete from payment_notifications where seq in (
     select seq from payment_notifications where handled_at < current_timestamp - '90 days'::interval limit ${ROWS_PER_STATEMENT})`,
  `delete from checkout_notices where id in (
     select id from checkout_notices where created_at < current_timestamp - interval '1 day' limit ${ROWS_PER_STATEMENT})`,
  `delete from audit_log where seq in (
     select seq from audit_log where at < current_timestamp - interval '${AUDIT_RETENTION_DAYS} days' limit ${ROWS_PER_STATEMENT})`,
  `delete from rate_limits where expire < (extract(epoch from now()) * 1000)::bigint`,
  // Attempts that no correct password followed are deleted a month after the last one. If they were kept, rare mistakes
  // would add up to a lock.
  `delete from login_lockouts
   where updated_at < now() - interval '1 day' and (failed = 0 or locked_until < now())
     or updated_at < now() - interval '30 days'`,
  `delete from login_sources where (email_hash, source_hash) in (
     select email_hash, source_hash from login_sources
     where last_login_at < now() - interval '${SOURCE_DAYS} days' limit ${ROWS_PER_STATEMENT})`,
];

/**
 * Deletes expired rows. A used refresh token is kept until it would have expired, because a second use has to be
 * detected.
 */
export const purgeExpired =
  ({ db }: { readonly db: Pick<Database, 'pool' | 'read' | 'tenant'> }) =>
  async (): Promise<number> => {
    let purged = 0;
    for (const statement of STATEMENTS) {
      let deleted: number;
      do {
        deleted = (await db.pool.query(statement)).rowCount ?? 0;
        purged += deleted;
      } while (deleted === ROWS_PER_STATEMENT);
    }
    return purged + (await deleteUnconfirmed({ db })());
  };
