import { z } from 'zod';
import { createMercadoPagoProvider } from '../../modules/payments/adapters/mercadopago/mercadopago-provider.ts';
import { PaymentProviderError } from '../../modules/payments/ports/payment-provider.ts';
import {
  createClientCredentials,
  type MercadoPagoCredentials,
} from '../../modules/payments/use-cases/client-credentials.ts';
import { connectClient } from '../../modules/payments/use-cases/connect-client.ts';
import { createAesGcmCipher } from '../../platform/adapters/credential-cipher/aes-gcm/aes-gcm-cipher.ts';
import type { Config } from '../../platform/config/index.ts';
import type { Database } from '../../platform/database/database.ts';
import { type CredentialForm, readCredentials } from './read-credentials.ts';

const text = z.string().trim().min(1).max(4_096);

const FORM: CredentialForm<MercadoPagoCredentials, 'accessToken' | 'webhookSecret'> = {
  member: 'mercadopago',
  schema: z
    .object({ accessToken: text, webhookSecret: text.nullish() })
    .transform(({ accessToken, webhookSecret }) => ({ accessToken, webhookSecret: webhookSecret ?? null })),
  example: '{"mercadopago": {"accessToken": "…", "webhookSecret": "…"}}',
  questions: {
    accessToken: 'Mercado Pago access token',
    webhookSecret: 'Secret of its notifications (empty: the deployment’s own)',
  },
};

/** Connects a client's own account with credentials from a file, or from the terminal, which does not show them. */
export async function connect(
  db: Database,
  clientId: string,
  { config, file }: { readonly config: Config; readonly file: string | undefined },
): Promise<string> {
  const given = await readCredentials(FORM, file);
  const provider = createMercadoPagoProvider({ baseUrl: config.mercadopagoBaseUrl });
  const credentials = createClientCredentials(db, createAesGcmCipher(config.encryptionKey));
  try {
    const { accountId, replaced } = await connectClient({ db, provider, credentials })(clientId, given);
    const connected = `${clientId} is connected to Mercado Pago account ${accountId}`;
    if (replaced === null) return connected;
    const open = `${replaced.openCharges} ${replaced.openCharges === 1 ? 'charge is' : 'charges are'} open`;
    return `${connected}\nIts account ${replaced.accountId} is kept until the charges that it made have ended (${open})`;
  } catch (error) {
    if (!(error instanceof PaymentProviderError)) throw error;
    throw new Error(`${error.message}: nothing was stored`);
  }
}
