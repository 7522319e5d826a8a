import type { Database } from '../../../platform/database/database.ts';
import { PURGES } from '../queries/purges.ts';
import { deleteUnconfirmed } from './delete-unconfirmed.ts';

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
