import { AppError } from '../../../kernel/errors.ts';
import { TIMELINE_DAYS } from '../../../kernel/retention-periods.ts';
import type { Database } from '../../../platform/database/database.ts';
import { addAudit } from '../queries/add-audit.ts';
import { lockClient, RETENTION_OF_CLIENT, setRetentionDays } from '../queries/clients.ts';

/** For how long timeline and messages of the client's ended debts are kept. */
export interface Retention {
  readonly days: number;
  /** False when the time of the deployment applies. */
  readonly own: boolean;
}

const retentionOf = (own: number | null): Retention => ({ days: own ?? TIMELINE_DAYS, own: own !== null });

/** Throws `not_found`. */
export const readRetention =
  ({ db }: { readonly db: Pick<Database, 'readPrepared'> }) =>
  async (clientId: string): Promise<Retention> => {
    const [client] = await db.readPrepared({ clientId }, RETENTION_OF_CLIENT, { clientId });
    if (client === undefined) throw new AppError('not_found');
    return retentionOf(client.retentionDays);
  };

/** Sets the client's own time; null ends it. It takes effect with the next purge. Throws `not_found`. */
export const setRetention =
  ({ db }: { readonly db: Pick<Database, 'tenant'> }) =>
  ({ clientId, days }: { readonly clientId: string; readonly days: number | null }): Promise<Retention> =>
    db.tenant(clientId).transactional(async (tx) => {
      const client = await lockClient(tx, clientId);
      if (client === undefined) throw new AppError('not_found');
      if (client.retentionDays === days) return retentionOf(days);
      await setRetentionDays(tx, clientId, days);
      const details = { from: client.retentionDays, to: days };
      await addAudit(tx, { clientId, actor: 'operator', action: 'retention_changed', details });
      return retentionOf(days);
    });
