import { AppError } from '../../../kernel/errors.ts';
import type { RealProviderName } from '../../../kernel/payment-providers.ts';
import type { Database } from '../../../platform/database/database.ts';
import { addAudit } from '../../accounts/queries/add-audit.ts';
import { lockClient } from '../../accounts/queries/client-credentials.ts';
import type { PaymentProvider } from '../ports/payment-provider.ts';
import { countOpenCharges } from '../queries/charges.ts';
import type { AccountCredentials, ClientCredentials } from './client-credentials.ts';

export interface ConnectDeps {
  readonly db: Pick<Database, 'tenant'>;
  readonly provider: PaymentProvider<RealProviderName>;
  readonly credentials: ClientCredentials;
}

export interface Connected {
  readonly accountId: string;
  /** The account that was connected before, when it is another one. It is kept until its charges have ended. */
  readonly replaced: { readonly accountId: string; readonly openCharges: number } | null;
}

/** Stores the credentials only after the provider has accepted them and has named the account that they open. */
export const connectClient =
  ({ db, provider, credentials }: ConnectDeps) =>
  async (clientId: string, given: AccountCredentials): Promise<Connected> => {
    const inClient = db.tenant(clientId);
    if (!(await inClient.transactional((tx) => lockClient(tx, clientId)))) throw new AppError('not_found');
    const { accountId } = await provider.checkCredentials({ accessToken: given.accessToken });
    return db.tenant(clientId).transactional(async (tx) => {
      if (!(await lockClient(tx, clientId))) throw new AppError('not_found');
      const before = await credentials.store(tx, { clientId, provider: provider.name, accountId }, given);
      const details = { provider: provider.name, accountId, ...(before === null ? {} : { replacedAccountId: before }) };
      await addAudit(tx, { clientId, actor: 'operator', action: 'client_connected', details });
      if (before === null) return { accountId, replaced: null };
      return { accountId, replaced: { accountId: before, openCharges: await countOpenCharges(tx, clientId, before) } };
    });
  };
