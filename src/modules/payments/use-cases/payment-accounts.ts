import { CredentialCipherError } from '../../../kernel/ports/credential-cipher.ts';
import { type PaymentProvider, PaymentProviderError } from '../ports/payment-provider.ts';
import type { ClientCredentials } from './client-credentials.ts';
import type { PaymentAccount, PaymentDeps } from './deps.ts';

interface AccountSources {
  readonly sandbox: PaymentProvider;
  readonly mercadoPago: PaymentProvider;
  readonly credentials: Pick<ClientCredentials, 'mercadoPago' | 'mercadoPagoAccount'>;
  /** True when the deployment uses no real provider. */
  readonly sandboxOnly: boolean;
  /** The account of a deployment for one company; null when each client connects its own. */
  readonly configured: { readonly accessToken: string | undefined } | null;
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
  const { credentials, sandboxOnly, configured } = sources;
  const sandboxAccount: PaymentAccount = { provider: sources.sandbox, credentials: null, accountId: null };
  const mercadoPagoAccount = (accessToken: string | undefined, accountId: string | null): PaymentAccount => ({
    provider: sources.mercadoPago,
    credentials: accessToken === undefined ? null : { accessToken },
    accountId,
  });

  const accountFor: PaymentDeps['accountFor'] = async ({ clientId, sandbox }) => {
    if (sandbox || sandboxOnly) return sandboxAccount;
    if (configured !== null) return mercadoPagoAccount(configured.accessToken, null);
    const connected = await readable(credentials.mercadoPago(clientId));
    return mercadoPagoAccount(connected?.accessToken, connected?.accountId ?? null);
  };
  return {
    accountFor,
    accountOf: async ({ clientId, provider, accountId }) => {
      if (accountId === null || provider === 'sandbox' || sandboxOnly) {
        return accountFor({ clientId, sandbox: provider === 'sandbox' });
      }
      const kept = await readable(credentials.mercadoPagoAccount(clientId, accountId));
      if (kept === null) throw new PaymentProviderError('unauthorized', 'The account of the charge is no longer kept.');
      return mercadoPagoAccount(kept.accessToken, accountId);
    },
  };
}
