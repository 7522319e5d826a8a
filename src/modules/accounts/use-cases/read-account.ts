import { AppError } from '../../../kernel/errors.ts';
import { ACCOUNT } from '../queries/clients.ts';
import { type Account, accountOf } from './account.ts';
import type { AccountDeps } from './deps.ts';

export const readAccount =
  ({ db, missingConnections }: Pick<AccountDeps, 'db' | 'missingConnections'>) =>
  (clientId: string): Promise<Account> =>
    db.tenant(clientId).transactional(async (tx) => {
      const [row] = await ACCOUNT.run(tx, { clientId });
      if (row === undefined) throw new AppError('not_found');
      return accountOf(row, await missingConnections(tx, clientId));
    });
