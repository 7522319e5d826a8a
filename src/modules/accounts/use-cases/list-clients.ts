import type { Database } from '../../../platform/database/database.ts';
import { ALL_CLIENTS } from '../queries/clients.ts';

/** Lists all clients for operators. It needs the worker's database login, which may read across clients. */
export const listClients =
  ({ db }: { readonly db: Pick<Database, 'readPrepared'> }) =>
  () =>
    db.readPrepared({}, ALL_CLIENTS, {});
