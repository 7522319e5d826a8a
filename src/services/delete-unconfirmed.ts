import { addAudit } from '../db/audit.ts';
import type { Database } from '../db/database.ts';
import { emailHash } from '../db/login-lockout.ts';
import { FORGET_SOURCES } from '../db/login-sources.ts';
import { runInTransaction } from '../db/statement.ts';

const AT_ONCE = 500;

const DUE = `confirm_email_by < now() and email_confirmed_at is null
  and not exists (select from campaigns where client_id = clients.id)`;
const FIND = {
  name: 'unconfirmed_clients',
  text: `select id from clients where ${DUE} and id > $1 order by id limit ${AT_ONCE}`,
};
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

// `for update` waits for a campaign that is being made, whose foreign key holds the row; one that comes later waits for
// this and then finds no client.
const HOLD = `
  select email from clients where id = $1 and email_confirmed_at is null and confirm_email_by < now() for update`;
// A statement of its own: it sees what was committed while the row was waited for.
const HAS_CAMPAIGN = 'select id from campaigns where client_id = $1 limit 1';

/** All that an account without a campaign may have, in the order that foreign keys ask for. A test compares the schema. */
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
 * Whoever opened such an account did not show in time that the e-mail is theirs, and did nothing with it: the address is
 * free again for its owner. What the audit log says of it stays.
 */
export const deleteUnconfirmed = ({ db }: { readonly db: Pick<Database, 'read' | 'tenant'> }) => {
  const deleteOne = (clientId: string): Promise<boolean> =>
    db.tenant(clientId).transactional(async (em) => {
      const [client] = await runInTransaction<{ email: string }>(em, HOLD, [clientId]);
      if (client === undefined) return false;
      if ((await runInTransaction(em, HAS_CAMPAIGN, [clientId])).length > 0) return false;
      for (const table of OWN_TABLES)
        await runInTransaction(em, `delete from ${table} where client_id = $1`, [clientId]);
      await runInTransaction(em, 'delete from clients where id = $1', [clientId]);
      await runInTransaction(em, FORGET_SOURCES, [emailHash(client.email)]);
      await addAudit(em, { clientId, actor: 'system', action: 'account_deleted' });
      return true;
    });

  /** Returns how many went. One that cannot be deleted keeps no other from it, and is told at the end. */
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
      if (page.length < AT_ONCE) break;
      last = page.at(-1)!.id;
    }
    if (failures.length > 0) throw failures[0];
    return deleted;
  };
};
