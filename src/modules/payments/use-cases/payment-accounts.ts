import type { PaymentProviderName, RealProviderName } from '../../../kernel/payment-providers.ts';
import { CredentialCipherError } from '../../../kernel/ports/credential-cipher.ts';
import { type PaymentProvider, PaymentProviderError } from '../ports/payment-provider.ts';
import type { ClientCredentials } from './client-credentials.ts';
import type { PaymentAccount, PaymentDeps } from './deps.ts';

interface AccountSources {
  readonly sandbox: PaymentProvider;
  readonly real: Readonly<Record<RealProviderName, PaymentProvider>>;
  /** Where new charges are made, except those of the sandbox. */
  readonly chosen: PaymentProviderName;
  readonly credentials: Pick<ClientCredentials, 'connected' | 'kept'>;
  /** Returns the access token of a deployment for one company; null when each client connects its own account. */
  readonly configured: ((name: RealProviderName) => string | undefined) | null;
}

/** Credentials that cannot be decrypted are like credentials that the provider refuses: an operator has to act. */
const readable = <T>(read: Promise<T>): Promise<T> =>
  read.catch((error: unknown) => {
    throw error instanceof CredentialCipherError ? new PaymentProviderError('unauthorized', error.message) : error;
  });

/**
 * Finds the account at which a charge is made, and the one that made it. A charge of a sandbox debt never reaches a real
 * provider.
 */
export function paymentAccounts(sources: AccountSources): Pick<PaymentDeps, 'accountFor' | 'accountOf'> {
  const { credentials, chosen, configured } = sources;
  const sandboxAccount: PaymentAccount = { provider: sources.sandbox, credentials: null, accountId: null };
  const accountAt = (
    name: RealProviderName,
    accessToken: string | undefined,
    accountId: string | null,
  ): PaymentAccount => ({
    provider: sources.real[name],
    credentials: accessToken === undefined ? null : { accessToken },
    accountId,
  });

  async function currentAccount(clientId: string, name: PaymentProviderName): Promise<PaymentAccount> {
    if (name === 'sandbox' || chosen === 'sandbox') return sandboxAccount;
    if (configured !== null) return accountAt(name, configured(name), null);
    const connected = await readable(credentials.connected(clientId, name));
    return accountAt(name, connected?.accessToken, connected?.accountId ?? null);
  }
  return {
    accountFor: ({ clientId, sandbox }) => currentAccount(clientId, sandbox ? 'sandbox' : chosen),
    accountOf: async ({ clientId, provider, accountId }) => {
      if (accountId === null || provider === 'sandbox' || chosen === 'sandbox') {
        return currentAccount(clientId, provider);
      }
      const kept = await readable(credentials.kept(clientId, provider, accountId));
      if (kept === null) throw new PaymentProviderError('unauthorized', 'The account of the charge is no longer kept.');
      return accountAt(provider, kept.accessToken, accountId);
    },
  };
}
