import type { PaymentProviderName, RealProviderName } from '../../../kernel/payment-providers.ts';
import { CredentialCipherError } from '../../../kernel/ports/credential-cipher.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { type PaymentProvider, PaymentProviderError } from '../ports/payment-provider.ts';
import type { ClientCredentials } from './client-credentials.ts';
import type { PaymentAccount, PaymentDeps } from './deps.ts';

interface AccountSources {
  readonly sandbox: PaymentProvider;
  readonly real: Readonly<Record<RealProviderName, PaymentProvider>>;
  /** Where clients may connect accounts; nobody is charged for real where this is empty. */
  readonly offered: readonly RealProviderName[];
  readonly credentials: Pick<ClientCredentials, 'connected' | 'kept'>;
  /** Returns the access token of a deployment for one company; null when each client connects its own account. */
  readonly configured: ((name: RealProviderName) => string | undefined) | null;
}

/** The account that made a charge is not kept any more: nobody can ask about the charge, or give its money back. */
export class AccountNotKept extends PaymentProviderError {
  constructor() {
    super('unauthorized', 'The account of the charge is no longer kept.');
  }
}

/** Credentials that cannot be decrypted are like credentials that the provider refuses: an operator has to act. */
const readable = <T>(read: Promise<T>): Promise<T> =>
  read.catch((error: unknown) => {
    throw error instanceof CredentialCipherError ? new PaymentProviderError('unauthorized', error.message) : error;
  });

/**
 * Finds the account at which a charge is made, and the one that made it. A charge of a sandbox debt never reaches a real
 * provider. An account that the client has connected comes before that of the deployment's configuration.
 */
export function paymentAccounts(sources: AccountSources): Pick<PaymentDeps, 'accountFor' | 'accountOf'> {
  const { credentials, offered, configured } = sources;
  const [first] = offered;
  const sandboxAccount: PaymentAccount = { provider: sources.sandbox, credentials: null, accountId: null };

  function accountOfConfiguration(name: RealProviderName): PaymentAccount {
    const accessToken = configured?.(name);
    return {
      provider: sources.real[name],
      credentials: accessToken === undefined ? null : { kind: 'token', accessToken },
      accountId: null,
    };
  }

  async function accountFor(clientId: string, sandbox: boolean, tx?: Tx): Promise<PaymentAccount> {
    if (sandbox || first === undefined) return sandboxAccount;
    const connected = await readable(credentials.connected(clientId, offered, tx));
    if (connected !== null) return { ...connected, provider: sources.real[connected.provider] };
    return accountOfConfiguration(offered.find((name) => configured?.(name) !== undefined) ?? first);
  }

  async function accountOf(
    clientId: string,
    provider: PaymentProviderName,
    accountId: string | null,
  ): Promise<PaymentAccount> {
    if (provider === 'sandbox' || first === undefined) return sandboxAccount;
    if (accountId === null) return accountOfConfiguration(provider);
    const kept = await readable(credentials.kept(clientId, provider, accountId));
    if (kept === null) throw new AccountNotKept();
    return { provider: sources.real[provider], credentials: kept.credentials, accountId };
  }

  return {
    accountFor: ({ clientId, sandbox }, tx) => accountFor(clientId, sandbox, tx),
    accountOf: ({ clientId, provider, accountId }) => accountOf(clientId, provider, accountId),
  };
}
