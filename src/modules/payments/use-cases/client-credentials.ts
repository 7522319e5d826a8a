import { type CredentialCipher, CredentialCipherError } from '../../../kernel/ports/credential-cipher.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import {
  CONNECTED_ACCOUNT,
  connectAccount,
  KEPT_ACCOUNT,
  KEPT_ACCOUNTS,
  RESEAL_CREDENTIALS,
} from '../../accounts/queries/client-credentials.ts';
import type { CredentialPurpose } from '../../accounts/tables/client-credential.ts';

/** The access token of a client's Mercado Pago account and the secret that signs its notifications. */
export interface MercadoPagoCredentials {
  readonly accessToken: string;
  readonly webhookSecret: string | null;
}

export interface MercadoPagoAccount extends MercadoPagoCredentials {
  /** Mercado Pago's id of the account. */
  readonly accountId: string;
}

export interface ClientCredentials {
  /** Returns the account that is connected now, or null. */
  mercadoPago(clientId: string): Promise<MercadoPagoAccount | null>;
  /** Returns the account of this id, which may have been replaced, or null when it is no longer kept. */
  mercadoPagoAccount(clientId: string, accountId: string): Promise<MercadoPagoAccount | null>;
  /** Returns the secrets that sign notifications of the client's accounts, including those that are only kept. */
  webhookSecrets(clientId: string): Promise<readonly string[]>;
  /**
   * Connects the account in place of any other, and returns the id of the account that it replaces. The account may be
   * the connected one with a new token. The caller holds the client's lock.
   */
  storeMercadoPago(
    tx: Tx,
    clientId: string,
    credentials: MercadoPagoCredentials,
    accountId: string,
  ): Promise<string | null>;
}

const contextOf = (clientId: string, purpose: CredentialPurpose): string => `${clientId}:${purpose}`;

const MERCADO_PAGO = 'mercadopago';

interface SealedAccount {
  readonly accountId: string;
  readonly sealed: string;
}

/**
 * Stores clients' credentials encrypted. Credentials under an older key are encrypted again when the worker reads them;
 * the API may not write them.
 */
export function createClientCredentials(
  db: Pick<Database, 'readPrepared' | 'writePrepared' | 'role'>,
  cipher: CredentialCipher,
): ClientCredentials {
  async function open(clientId: string, { accountId, sealed }: SealedAccount): Promise<MercadoPagoAccount> {
    const context = contextOf(clientId, MERCADO_PAGO);
    const text = cipher.open(sealed, context);
    if (db.role !== 'quita_app' && !cipher.isCurrent(sealed)) {
      const params = { clientId, purpose: MERCADO_PAGO, sealed, resealed: cipher.seal(text, context) } as const;
      await db.writePrepared({ clientId }, RESEAL_CREDENTIALS, params);
    }
    return { ...(JSON.parse(text) as MercadoPagoCredentials), accountId };
  }

  /** An earlier account that cannot be decrypted must not keep notifications of the connected one from being read. */
  async function secretOf(clientId: string, account: SealedAccount & { readonly replacedAt: Date | null }) {
    try {
      return (await open(clientId, account)).webhookSecret;
    } catch (error) {
      if (!(error instanceof CredentialCipherError) || account.replacedAt === null) throw error;
      return null;
    }
  }

  return {
    async mercadoPago(clientId) {
      const [row] = await db.readPrepared({ clientId }, CONNECTED_ACCOUNT, { clientId, purpose: MERCADO_PAGO });
      return row === undefined ? null : open(clientId, row);
    },

    async mercadoPagoAccount(clientId, accountId) {
      const [row] = await db.readPrepared({ clientId }, KEPT_ACCOUNT, { clientId, purpose: MERCADO_PAGO, accountId });
      return row === undefined ? null : open(clientId, row);
    },

    async webhookSecrets(clientId) {
      const rows = await db.readPrepared({ clientId }, KEPT_ACCOUNTS, { clientId, purpose: MERCADO_PAGO });
      const secrets: string[] = [];
      for (const row of rows) {
        const secret = await secretOf(clientId, row);
        if (secret !== null) secrets.push(secret);
      }
      return secrets;
    },

    async storeMercadoPago(tx, clientId, { accessToken, webhookSecret }, accountId) {
      const sealed = cipher.seal(JSON.stringify({ accessToken, webhookSecret }), contextOf(clientId, MERCADO_PAGO));
      return connectAccount(tx, { clientId, purpose: MERCADO_PAGO, accountId, sealed });
    },
  };
}
