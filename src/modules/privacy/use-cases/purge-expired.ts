import type { Database } from '../../../platform/database/database.ts';
import { addAudit } from '../../accounts/queries/add-audit.ts';
import { forgetSources } from '../../accounts/queries/login-sources.ts';
import { emailHash } from '../../accounts/use-cases/login-lockout.ts';
import { deleteClient, findAnyCampaign, lockOverdueClient, OVERDUE_CLIENTS } from '../queries/overdue-clients.ts';
import { PURGES } from '../queries/purges.ts';

const ACCOUNTS_PER_PAGE = 500;

const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/**
 * Deletes accounts whose address was not confirmed in time and that have no campaign, so that the owner of the address
 * can use it again. Their audit log stays.
 */
const deleteUnconfirmed = ({ db }: { readonly db: Pick<Database, 'readPrepared' | 'tenant'> }) => {
  const deleteOne = (clientId: string): Promise<boolean> =>
    db.tenant(clientId).transactional(async (tx) => {
      const client = await lockOverdueClient(tx, clientId);
      if (client === undefined) return false;
      if ((await findAnyCampaign(tx, clientId)) !== undefined) return false;
      await deleteClient(tx, clientId);
      await forgetSources(tx, emailHash(client.email));
      await addAudit(tx, { clientId, actor: 'system', action: 'account_deleted' });
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
      const page = await db.readPrepared({}, OVERDUE_CLIENTS, { after: last, limit: ACCOUNTS_PER_PAGE });
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

/**
 * Deletes expired rows, and repeats a purge while it finds some, because each deletes a limited number at once. A used
 * refresh token is kept until it would have expired, because a second use has to be detected.
 */
export const purgeExpired =
  ({ db }: { readonly db: Pick<Database, 'readPrepared' | 'system' | 'tenant'> }) =>
  async (): Promise<number> => {
    let purged = 0;
    for (const purge of PURGES) {
      let deleted: number;
      do {
        deleted = await db.system().transactional(purge);
        purged += deleted;
      } while (deleted > 0);
    }
    return purged + (await deleteUnconfirmed({ db })());
  };
