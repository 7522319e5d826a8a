import { ACCOUNT } from '../../db/queries/clients.ts';
import { AppError } from '../../domain/errors.ts';
import type { ServiceDeps } from '../deps.ts';
import { type Account, accountOf } from './account.ts';

export const readAccount =
  ({ db, collection }: Pick<ServiceDeps, 'db' | 'collection'>) =>
  async (clientId: string): Promise<Account> => {
    const [row] = await db.readPrepared({ clientId }, ACCOUNT, { clientId });
    if (row === undefined) throw new AppError('not_found');
    return accountOf(row, await collection.missingConnections(clientId));
  };
