import type { Database } from '../db/database.ts';
import type { ClientStatus } from '../db/entities/client.ts';

export interface ListedClient {
  readonly id: string;
  readonly status: ClientStatus;
  readonly email: string;
  readonly name: string;
}

const LIST = { name: 'list_clients', text: 'select id, status, email, name from clients order by created_at, id' };

/** For operators: needs the worker's login, which may look across clients. */
export const listClients =
  ({ db }: { readonly db: Pick<Database, 'read'> }) =>
  (): Promise<ListedClient[]> =>
    db.read<ListedClient>({}, LIST);
