import { AppError } from '../../../kernel/errors.ts';
import type { RequestSource } from '../queries/add-audit.ts';
import type { Account } from './account.ts';
import type { AccountDeps } from './deps.ts';
import { readAccount } from './read-account.ts';
import { verifyClientInApi } from './verify-client.ts';

/**
 * An owner confirms that the company is the one of its CNPJ, where the deployment serves one company and so has no
 * operator beside it. Throws `not_found` elsewhere.
 */
export const confirmCompany =
  (deps: Pick<AccountDeps, 'db' | 'workflows' | 'now' | 'singleClient' | 'missingConnections'>) =>
  async ({ clientId, source }: { clientId: string; source: RequestSource }): Promise<Account> => {
    if (!deps.singleClient) throw new AppError('not_found');
    const { ip, by } = source;
    await verifyClientInApi(deps)(clientId, { actor: 'client', action: 'company_confirmed', ip, details: { by } });
    return readAccount(deps)(clientId);
  };
