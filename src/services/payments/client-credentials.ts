import type { Database } from '../../db/database.ts';
import type { CredentialPurpose } from '../../db/entities/client-credential.ts';
import { READ_CREDENTIALS, RESEAL_CREDENTIALS, STORE_CREDENTIALS } from '../../db/queries/client-credentials.ts';
import type { CredentialCipher } from '../../ports/credential-cipher.ts';

/** The access token of a client's Mercado Pago account and the secret that signs its notifications. */
export interface MercadoPagoCredentials {
  readonly accessToken: string;
  readonly webhookSecret: string | null;
}

export interface ClientCredentials {
  mercadoPago(clientId: string): Promise<MercadoPagoCredentials | null>;
  storeMercadoPago(clientId: string, credentials: MercadoPagoCredentials, accountId: string): Promise<void>;
}

const contextOf = (clientId: string, purpose: CredentialPurpose): string => `${clientId}:${purpose}`;

const MERCADO_PAGO = 'mercadopago';

/** Stores clients' credentials encrypted. Credentials under an older key are encrypted again when they are read. */
export function createClientCredentials(
  db: Pick<Database, 'readPrepared' | 'writePrepared'>,
  cipher: CredentialCipher,
): ClientCredentials {
  return {
    async mercadoPago(clientId) {
      const [row] = await db.readPrepared({ clientId }, READ_CREDENTIALS, { clientId, purpose: MERCADO_PAGO });
      if (row === undefined) return null;
      const context = contextOf(clientId, MERCADO_PAGO);
      const text = cipher.open(row.sealed, context);
      if (!cipher.isCurrent(row.sealed)) {
        const resealed = cipher.seal(text, context);
        const params = { clientId, purpose: MERCADO_PAGO, sealed: row.sealed, resealed } as const;
        await db.writePrepared({ clientId }, RESEAL_CREDENTIALS, params);
      }
      return JSON.parse(text) as MercadoPagoCredentials;
    },

    async storeMercadoPago(clientId, { accessToken, webhookSecret }, accountId) {
      const sealed = cipher.seal(JSON.stringify({ accessToken, webhookSecret }), contextOf(clientId, MERCADO_PAGO));
      const params = { clientId, purpose: MERCADO_PAGO, sealed, accountId } as const;
      await db.writePrepared({ clientId }, STORE_CREDENTIALS, params);
    },
  };
}
