import { AppError } from '../domain/errors.ts';
import { ACCOUNT_COLUMNS, type Account, type AccountColumns, accountOf } from './account.ts';
import type { ServiceDeps } from './deps.ts';

const READ = { name: 'read_account', text: `select ${ACCOUNT_COLUMNS} from clients where id = $1` };

export const readAccount =
  ({ db }: Pick<ServiceDeps, 'db'>) =>
  async (clientId: string): Promise<Account> => {
    const [row] = await db.read<AccountColumns>({ clientId }, READ, [clientId]);
    if (row === undefined) throw new AppError('not_found');
    return accountOf(row);
  };
