import { AppError } from '../../../kernel/errors.ts';
import { TIMELINE_DAYS } from '../../../kernel/retention-periods.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { addAudit, addRequestAudit, type RequestSource } from '../queries/add-audit.ts';
import { lockClient, RETENTION_OF_CLIENT, setRetentionDays } from '../queries/clients.ts';
import { lockForOwner } from './lock-for-owner.ts';

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

interface Wanted {
  readonly clientId: string;
  /** Null ends the client's own time. */
  readonly days: number | null;
}

/** Stores the time and gives `note` the time before; the same time again changes nothing. Throws `not_found`. */
async function store(
  tx: Tx,
  { clientId, days }: Wanted,
  note: (details: { readonly from: number | null; readonly to: number | null }) => Promise<void>,
): Promise<Retention> {
  const client = await lockClient(tx, clientId);
  if (client === undefined) throw new AppError('not_found');
  if (client.retentionDays === days) return retentionOf(days);
  await setRetentionDays(tx, clientId, days);
  await note({ from: client.retentionDays, to: days });
  return retentionOf(days);
}

const action = 'retention_changed';

/** Sets the client's own time for the operator. It takes effect with the next purge. Throws `not_found`. */
export const setRetention =
  ({ db }: { readonly db: Pick<Database, 'tenant'> }) =>
  (wanted: Wanted): Promise<Retention> =>
    db
      .tenant(wanted.clientId)
      .transactional((tx) =>
        store(tx, wanted, (details) => addAudit(tx, { clientId: wanted.clientId, actor: 'operator', action, details })),
      );

/** The same for an owner of the client. */
export const changeRetention =
  ({ db }: { readonly db: Pick<Database, 'tenant'> }) =>
  (wanted: Wanted & { readonly memberId: string; readonly source: RequestSource }): Promise<Retention> => {
    const { clientId, source } = wanted;
    return db.tenant(clientId).transactional(async (tx) => {
      await lockForOwner(tx, wanted);
      return store(tx, wanted, (details) => addRequestAudit(tx, { clientId, source, action, details }));
    });
  };
