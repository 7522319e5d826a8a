import { addRequestAudit, type RequestSource } from '../../db/audit.ts';
import type { ClientAddress } from '../../db/entities/client.ts';
import { runInTransaction } from '../../db/statement.ts';
import { AppError } from '../../domain/errors.ts';
import type { ServiceDeps } from '../deps.ts';
import type { Account } from './account.ts';
import { readAccount } from './read-account.ts';

export interface AccountChange {
  readonly name?: string | undefined;
  /** Normalised; null takes it away. */
  readonly cnpj?: string | null | undefined;
  readonly segment?: string | null | undefined;
  readonly address?: ClientAddress | null | undefined;
  /** Normalised. */
  readonly contactEmail?: string | null | undefined;
}

const COLUMNS = {
  name: 'name',
  cnpj: 'cnpj',
  segment: 'segment',
  address: 'address',
  contactEmail: 'contact_email',
} as const satisfies Record<keyof AccountChange, string>;
const MEMBERS = Object.keys(COLUMNS) as (keyof AccountChange)[];

/** Only what is named changes. A trigger ends the operator's check when name or CNPJ becomes another one. */
export const changeAccount =
  (deps: Pick<ServiceDeps, 'db' | 'collection'>) =>
  async (input: { clientId: string; change: AccountChange; source: RequestSource }): Promise<Account> => {
    const { clientId, change, source } = input;
    const named = MEMBERS.filter((member) => change[member] !== undefined);
    await deps.db.tenant(clientId).transactional(async (em) => {
      const values: unknown[] = [clientId];
      const set = ['updated_at = now()'];
      for (const member of named) {
        const value = change[member];
        values.push(member === 'address' && value !== null ? JSON.stringify(value) : value);
        set.push(`${COLUMNS[member]} = $${values.length}`);
      }
      const statement = `update clients set ${set.join(', ')} where id = $1 returning id`;
      if ((await runInTransaction(em, statement, values)).length === 0) throw new AppError('not_found');
      if (named.length > 0)
        await addRequestAudit(em, { clientId, source, action: 'account_changed', target: named.join(' ') });
    });
    return readAccount(deps)(clientId);
  };
