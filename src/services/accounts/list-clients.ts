import type { Database } from '../../db/database.ts';
import type { ClientStatus } from '../../db/entities/client.ts';

export interface ListedClient {
  readonly id: string;
  readonly status: ClientStatus;
  readonly email: string;
  readonly name: string;
}

const LIST = { name: 'list_clients', text: 'select id, status, email, name from clients order by created_at, id' };

/** Lists all clients for operators. It needs the worker's database login, which may read across clients. */
export const listClients =
  ({ db }: { readonly db: Pick<Database, 'read'> }) =>
  (): Promise<ListedClient[]> =>
    db.read<ListedClient>({}, LIST);
