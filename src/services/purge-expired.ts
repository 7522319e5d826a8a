import type { Database } from '../db/database.ts';
import { AUDIT_RETENTION_DAYS } from '../db/entities/audit-log.ts';
import { SOURCE_DAYS } from '../db/login-sources.ts';
import { deleteUnconfirmed } from './delete-unconfirmed.ts';

/** Small enough that nobody waits long for a row that is being deleted. */
const AT_ONCE = 5_000;

// No `for update`: that would need a policy to update, and the purge may only delete.
const expired = (table: string, also = ''): string =>
  `delete from ${table} where id in (
     select id from ${table} where expires_at < current_timestamp ${also} limit ${AT_ONCE})`;

const STATEMENTS: readonly string[] = [
  expired('refresh_tokens'),
  expired('sessions', 'and not exists (select from refresh_tokens where session_id = sessions.id)'),
  expired('password_resets'),
  expired('email_confirmations'),
  `delete from payment_notifications where seq in (
     select seq from payment_notifications where handled_at < current_timestamp - '90 days'::interval limit ${AT_ONCE})`,
  `delete from checkout_notices where id in (
     select id from checkout_notices where created_at < current_timestamp - interval '1 day' limit ${AT_ONCE})`,
  `delete from audit_log where seq in (
     select seq from audit_log where at < current_timestamp - interval '${AUDIT_RETENTION_DAYS} days' limit ${AT_ONCE})`,
  `delete from rate_limits where expire < (extract(epoch from now()) * 1000)::bigint`,
  // Tries that were never followed by a right password are forgotten after a month, without one more than that would lock.
  `delete from login_lockouts
   where updated_at < now() - interval '1 day' and (failed = 0 or locked_until < now())
     or updated_at < now() - interval '30 days'`,
  `delete from login_sources where (email_hash, source_hash) in (
     select email_hash, source_hash from login_sources
     where last_login_at < now() - interval '${SOURCE_DAYS} days' limit ${AT_ONCE})`,
];

/** Deletes what has no use any more: a used refresh token, for one, until it would have expired. */
export const purgeExpired =
  ({ db }: { readonly db: Pick<Database, 'pool' | 'read' | 'tenant'> }) =>
  async (): Promise<number> => {
    let purged = 0;
    for (const statement of STATEMENTS) {
      let gone: number;
      do {
        gone = (await db.pool.query(statement)).rowCount ?? 0;
        purged += gone;
      } while (gone === AT_ONCE);
    }
    return purged + (await deleteUnconfirmed({ db })());
  };
