import { addRequestAudit, type RequestSource } from '../db/audit.ts';
import type { ClientAddress } from '../db/entities/client.ts';
import { runInTransaction } from '../db/statement.ts';
import { AppError } from '../domain/errors.ts';
import { ACCOUNT_COLUMNS, type Account, type AccountColumns, accountOf } from './account.ts';
import type { ServiceDeps } from './deps.ts';

export interface AccountChange {
  readonly name?: string | undefined;
  /** Normalised; null takes it away. */
  readonly cnpj?: string | null | undefined;
  readonly segment?: string | null | undefined;
  readonly address?: ClientAddress | null | undefined;
}

const COLUMNS = ['name', 'cnpj', 'segment', 'address'] as const;

// Who was checked was the company of that CNPJ: another one has to be checked anew.
const VERIFICATION = 'verified_at = case when cnpj is null or cnpj = $2 then verified_at end';

/** Only what is named changes. */
export const changeAccount =
  ({ db }: Pick<ServiceDeps, 'db'>) =>
  async (input: { clientId: string; change: AccountChange; source: RequestSource }): Promise<Account> => {
    const { clientId, change, source } = input;
    const named = COLUMNS.filter((column) => change[column] !== undefined);
    return db.tenant(clientId).transactional(async (em) => {
      const values: unknown[] = [clientId];
      const set = ['updated_at = now()'];
      if (named.includes('cnpj')) {
        values.push(change.cnpj);
        set.push('cnpj = $2', VERIFICATION);
      }
      for (const column of named.filter((name) => name !== 'cnpj')) {
        const value = change[column];
        values.push(column === 'address' && value !== null ? JSON.stringify(value) : value);
        set.push(`${column} = $${values.length}`);
      }
      const statement = `update clients set ${set.join(', ')} where id = $1 returning ${ACCOUNT_COLUMNS}`;
      const [row] = await runInTransaction<AccountColumns>(em, statement, values);
      if (row === undefined) throw new AppError('not_found');
      if (named.length > 0)
        await addRequestAudit(em, { clientId, source, action: 'account_changed', target: named.join(' ') });
      return accountOf(row);
    });
  };
