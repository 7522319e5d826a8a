import { createAesGcmCipher } from '../adapters/credential-cipher/aes-gcm/aes-gcm-cipher.ts';
import { createMercadoPagoProvider } from '../adapters/payment/mercadopago/mercadopago-provider.ts';
import { createSandboxBank } from '../adapters/payment/sandbox/sandbox-bank.ts';
import { createSandboxProvider } from '../adapters/payment/sandbox/sandbox-provider.ts';
import { verifyWebhook } from '../adapters/payment/webhook-verifier/webhook-verifier.ts';
import type { Config } from '../config/index.ts';
import type { Database } from '../db/database.ts';
import { createSandboxChargeStore } from '../db/sandbox-charge-store.ts';
import type { CollectionWorkflows } from '../ports/collection-workflows.ts';
import { CredentialCipherError } from '../ports/credential-cipher.ts';
import { PaymentProviderError } from '../ports/payment-provider.ts';
import { serviceClock } from '../runtime/service-clock.ts';
import { createClientCredentials } from '../services/payments/client-credentials.ts';
import type { PaymentAccount, PaymentDeps } from '../services/payments/deps.ts';
import { createReceiptLinks } from '../services/shared/receipt-links.ts';
import { inRealTime } from './real-time-provider.ts';

/** Returns the address of this process's API, or null when the process has none or does not listen yet. */
export type ApiUrl = () => string | null;

/** Credentials that cannot be decrypted are like credentials that the provider refuses: an operator has to act. */
const readable = <T>(read: Promise<T>): Promise<T> =>
  read.catch((error: unknown) => {
    throw error instanceof CredentialCipherError ? new PaymentProviderError('unauthorized', error.message) : error;
  });

/** Composes the dependencies of payments. A charge of a sandbox debt never reaches a real provider. */
export function composePayments(
  config: Config,
  db: Database,
  workflows: CollectionWorkflows,
  apiUrl: ApiUrl,
): PaymentDeps {
  const now = serviceClock(config.clockOffset);
  const store = createSandboxChargeStore(db);
  const sandbox: PaymentAccount = {
    provider: createSandboxProvider({ store, now }),
    credentials: null,
    accountId: null,
  };
  const mercadoPago = inRealTime(createMercadoPagoProvider({ baseUrl: config.mercadopagoBaseUrl }), config.clockOffset);
  const credentials = createClientCredentials(db, createAesGcmCipher(config.encryptionKey));
  const sandboxOnly = config.paymentProvider === 'sandbox';

  const mercadoPagoAccount = (accessToken: string | undefined, accountId: string | null): PaymentAccount => ({
    provider: mercadoPago,
    credentials: accessToken === undefined ? null : { accessToken },
    accountId,
  });
  const accountFor: PaymentDeps['accountFor'] = async ({ clientId, sandbox: simulated }) => {
    if (simulated || sandboxOnly) return sandbox;
    if (config.singleClient) return mercadoPagoAccount(config.mercadopagoAccessToken, null);
    const connected = await readable(credentials.mercadoPago(clientId));
    return mercadoPagoAccount(connected?.accessToken, connected?.accountId ?? null);
  };

  return {
    db,
    now,
    workflows,
    publicUrl: config.publicUrl,
    receiptLinks: createReceiptLinks({ secrets: config.receiptSecret, publicUrl: config.publicUrl }),
    sandboxOnly,
    accountFor,
    accountOf: async ({ clientId, provider, accountId }) => {
      if (accountId === null || provider === 'sandbox' || sandboxOnly) {
        return accountFor({ clientId, sandbox: provider === 'sandbox' });
      }
      const kept = await readable(credentials.mercadoPagoAccount(clientId, accountId));
      if (kept === null) throw new PaymentProviderError('unauthorized', 'The account of the charge is no longer kept.');
      return mercadoPagoAccount(kept.accessToken, accountId);
    },
    verifyWebhook,
    webhookSecrets: config.paymentWebhookSecret,
    credentials,
    bank: createSandboxBank({
      store,
      now,
      webhookBaseUrl: apiUrl,
      webhookSecret: config.paymentWebhookSecret[0] ?? '',
    }),
  };
}
