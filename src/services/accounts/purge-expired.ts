import type { Database } from '../../db/database.ts';
import { PURGES, ROWS_PER_PURGE } from '../../db/queries/purges.ts';
import { deleteUnconfirmed } from './delete-unconfirmed.ts';

/**
 * Deletes expired rows, and repeats a purge while it deletes as many rows as it may at once. A used refresh token is
 * kept until it would have expired, because a second use has to be detected.
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
      } while (deleted === ROWS_PER_PURGE);
    }
    return purged + (await deleteUnconfirmed({ db })());
  };
