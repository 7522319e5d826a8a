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
import { createClientCredentials } from '../services/payments/client-credentials.ts';
import type { PaymentAccount, PaymentDeps } from '../services/payments/deps.ts';
import { createReceiptLinks } from '../services/shared/receipt-links.ts';

/** Returns the address of this process's API, or null when the process has none or does not listen yet. */
export type ApiUrl = () => string | null;

/** Composes the dependencies of payments. A charge of a sandbox debt never reaches a real provider. */
export function composePayments(
  config: Config,
  db: Database,
  workflows: CollectionWorkflows,
  apiUrl: ApiUrl,
): PaymentDeps {
  const store = createSandboxChargeStore(db);
  const sandbox: PaymentAccount = { provider: createSandboxProvider({ store }), credentials: null };
  const mercadoPago = createMercadoPagoProvider({ baseUrl: config.mercadopagoBaseUrl });
  const credentials = createClientCredentials(db, createAesGcmCipher(config.encryptionKey));
  const sandboxOnly = config.paymentProvider === 'sandbox';

  const ownToken = async (clientId: string): Promise<string | undefined> => {
    if (config.singleClient) return config.mercadopagoAccessToken;
    try {
      return (await credentials.mercadoPago(clientId))?.accessToken;
    } catch (error) {
      if (!(error instanceof CredentialCipherError)) throw error;
      throw new PaymentProviderError('unauthorized', error.message);
    }
  };

  return {
    db,
    now: () => new Date(),
    workflows,
    publicUrl: config.publicUrl,
    receiptLinks: createReceiptLinks({ secrets: config.receiptSecret, publicUrl: config.publicUrl }),
    sandboxOnly,
    accountOf: async (owner) => {
      if (owner.sandbox || sandboxOnly) return sandbox;
      const accessToken = await ownToken(owner.clientId);
      return { provider: mercadoPago, credentials: accessToken === undefined ? null : { accessToken } };
    },
    verifyWebhook,
    webhookSecrets: config.paymentWebhookSecret,
    credentials,
    bank: createSandboxBank({
      store,
      webhookBaseUrl: apiUrl,
      webhookSecret: config.paymentWebhookSecret[0] ?? '',
    }),
  };
}
