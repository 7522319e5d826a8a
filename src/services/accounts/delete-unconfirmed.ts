import { addAudit } from '../../db/audit.ts';
import type { Database } from '../../db/database.ts';
import { emailHash } from '../../db/login-lockout.ts';
import { FORGET_SOURCES } from '../../db/login-sources.ts';
import { runInTransaction } from '../../db/statement.ts';

const ACCOUNTS_PER_PAGE = 500;

const DUE = `confirm_email_by < now() and email_confirmed_at is null
  and not exists (select from campaigns where client_id = clients.id)`;
const FIND = {
  name: 'unconfirmed_clients',
  text: `select id from clients where ${DUE} and id > $1 order by id limit ${ACCOUNTS_PER_PAGE}`,
};
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

// `for update` waits for a transaction that is creating a campaign, because its foreign key locks the row. A later one
// waits for this transaction and then finds no client.
const LOCK_CLIENT = `
  select email from clients where id = $1 and email_confirmed_at is null and confirm_email_by < now() for update`;
// This is a separate statement, so that it sees what was committed while the lock was waited for.
const HAS_CAMPAIGN = 'select id from campaigns where client_id = $1 limit 1';

/**
 * The tables with rows of an account without a campaign, in the order of the foreign keys. A test compares them with
 * the schema.
 */
export const OWN_TABLES = [
  'refresh_tokens',
  'sessions',
  'password_resets',
  'email_confirmations',
  'api_keys',
  'identities',
  'client_credentials',
  'sandbox_outbox',
] as const;

/**
 * Deletes accounts whose address was not confirmed in time and that have no campaign, so that the owner of the address
 * can use it again. Their audit log stays.
 */
export const deleteUnconfirmed = ({ db }: { readonly db: Pick<Database, 'read' | 'tenant'> }) => {
  const deleteOne = (clientId: string): Promise<boolean> =>
    db.tenant(clientId).transactional(async (em) => {
      const [client] = await runInTransaction<{ email: string }>(em, LOCK_CLIENT, [clientId]);
      if (client === undefined) return false;
      if ((await runInTransaction(em, HAS_CAMPAIGN, [clientId])).length > 0) return false;
      for (const table of OWN_TABLES)
        await runInTransaction(em, `delete from ${table} where client_id = $1`, [clientId]);
      await runInTransaction(em, 'delete from clients where id = $1', [clientId]);
      await runInTransaction(em, FORGET_SOURCES, [emailHash(client.email)]);
      await addAudit(em, { clientId, actor: 'system', action: 'account_deleted' });
      return true;
    });

  /**
   * Returns the number of deleted accounts. After a failure the others are still deleted; the first failure is thrown
   * at the end.
   */
  return async (): Promise<number> => {
    const failures: unknown[] = [];
    let deleted = 0;
    let last = FIRST_ID;
    for (;;) {
      const page = await db.read<{ id: string }>({}, FIND, [last]);
      for (const { id } of page) {
        try {
          if (await deleteOne(id)) deleted += 1;
        } catch (error) {
          failures.push(error);
        }
      }
      if (page.length < ACCOUNTS_PER_PAGE) break;
      last = page.at(-1)!.id;
    }
    if (failures.length > 0) throw failures[0];
    return deleted;
  };
};
