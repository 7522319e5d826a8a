import { AppError } from '../../domain/errors.ts';
import type { ServiceDeps } from '../deps.ts';
import { type Account, type AccountColumns, accountOf, SELECT_ACCOUNT } from './account.ts';

const READ = { name: 'read_account', text: SELECT_ACCOUNT };

export const readAccount =
  ({ db, collection }: Pick<ServiceDeps, 'db' | 'collection'>) =>
  async (clientId: string): Promise<Account> => {
    const [row] = await db.read<AccountColumns>({ clientId }, READ, [clientId]);
    if (row === undefined) throw new AppError('not_found');
    return accountOf(row, await collection.missingConnections(clientId));
  };
