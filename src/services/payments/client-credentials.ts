import type { Database } from '../../db/database.ts';
import type { CredentialPurpose } from '../../db/entities/client-credential.ts';
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

const READ = {
  name: 'client_credentials_read',
  text: 'select sealed from client_credentials where client_id = $1 and purpose = $2',
};
const STORE = {
  name: 'client_credentials_store',
  text: `
    insert into client_credentials (client_id, purpose, sealed, account_id) values ($1, $2, $3, $4)
    on conflict on constraint client_credentials_purpose
    do update set sealed = excluded.sealed, account_id = excluded.account_id, updated_at = now()`,
};
// Replaces only the value that was read, because credentials that were stored meanwhile are newer.
const RESEAL = {
  name: 'client_credentials_reseal',
  text: 'update client_credentials set sealed = $4 where client_id = $1 and purpose = $2 and sealed = $3',
};

const contextOf = (clientId: string, purpose: CredentialPurpose): string => `${clientId}:${purpose}`;

const MERCADO_PAGO = 'mercadopago';

/** Stores clients' credentials encrypted. Credentials under an older key are encrypted again when they are read. */
export function createClientCredentials(
  db: Pick<Database, 'read' | 'write'>,
  cipher: CredentialCipher,
): ClientCredentials {
  return {
    async mercadoPago(clientId) {
      const [row] = await db.read<{ sealed: string }>({ clientId }, READ, [clientId, MERCADO_PAGO]);
      if (row === undefined) return null;
      const context = contextOf(clientId, MERCADO_PAGO);
      const text = cipher.open(row.sealed, context);
      if (!cipher.isCurrent(row.sealed)) {
        await db.write({ clientId }, RESEAL, [clientId, MERCADO_PAGO, row.sealed, cipher.seal(text, context)]);
      }
      return JSON.parse(text) as MercadoPagoCredentials;
    },

    async storeMercadoPago(clientId, { accessToken, webhookSecret }, accountId) {
      const sealed = cipher.seal(JSON.stringify({ accessToken, webhookSecret }), contextOf(clientId, MERCADO_PAGO));
      await db.write({ clientId }, STORE, [clientId, MERCADO_PAGO, sealed, accountId]);
    },
  };
}
