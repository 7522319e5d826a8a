import { REAL_PROVIDER_NAMES, type RealProviderName } from '../../../kernel/payment-providers.ts';
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

/** The access token of a client's account at a provider and the secret that signs its notifications. */
export interface AccountCredentials {
  readonly accessToken: string;
  readonly webhookSecret: string | null;
}

export interface ConnectedAccount extends AccountCredentials {
  /** The provider's id of the account. */
  readonly accountId: string;
}

export interface ClientCredentials {
  /** Returns the account that is connected now, or null. */
  connected(clientId: string, provider: RealProviderName): Promise<ConnectedAccount | null>;
  /** Returns the account of this id, which may have been replaced, or null when it is no longer kept. */
  kept(clientId: string, provider: RealProviderName, accountId: string): Promise<ConnectedAccount | null>;
  /** Returns the secrets that sign notifications of the client's accounts, including those that are only kept. */
  webhookSecrets(clientId: string): Promise<readonly string[]>;
  /**
   * Connects the account in place of any other, and returns the id of the account that it replaces. The account may be
   * the connected one with a new token. The caller holds the client's lock.
   */
  store(
    tx: Tx,
    account: { readonly clientId: string; readonly provider: RealProviderName; readonly accountId: string },
    credentials: AccountCredentials,
  ): Promise<string | null>;
}

const contextOf = (clientId: string, provider: RealProviderName): string => `${clientId}:${provider}`;

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
  async function open(
    clientId: string,
    provider: RealProviderName,
    { accountId, sealed }: SealedAccount,
  ): Promise<ConnectedAccount> {
    const context = contextOf(clientId, provider);
    const text = cipher.open(sealed, context);
    if (db.role !== 'quita_app' && !cipher.isCurrent(sealed)) {
      const params = { clientId, purpose: provider, sealed, resealed: cipher.seal(text, context) };
      await db.writePrepared({ clientId }, RESEAL_CREDENTIALS, params);
    }
    return { ...(JSON.parse(text) as AccountCredentials), accountId };
  }

  /** An earlier account that cannot be decrypted must not keep notifications of the connected one from being read. */
  async function secretOf(
    clientId: string,
    provider: RealProviderName,
    account: SealedAccount & { readonly replacedAt: Date | null },
  ) {
    try {
      return (await open(clientId, provider, account)).webhookSecret;
    } catch (error) {
      if (!(error instanceof CredentialCipherError) || account.replacedAt === null) throw error;
      return null;
    }
  }

  return {
    async connected(clientId, provider) {
      const [row] = await db.readPrepared({ clientId }, CONNECTED_ACCOUNT, { clientId, purpose: provider });
      return row === undefined ? null : open(clientId, provider, row);
    },

    async kept(clientId, provider, accountId) {
      const [row] = await db.readPrepared({ clientId }, KEPT_ACCOUNT, { clientId, purpose: provider, accountId });
      return row === undefined ? null : open(clientId, provider, row);
    },

    async webhookSecrets(clientId) {
      const secrets: string[] = [];
      for (const provider of REAL_PROVIDER_NAMES) {
        for (const row of await db.readPrepared({ clientId }, KEPT_ACCOUNTS, { clientId, purpose: provider })) {
          const secret = await secretOf(clientId, provider, row);
          if (secret !== null) secrets.push(secret);
        }
      }
      return secrets;
    },

    async store(tx, { clientId, provider, accountId }, { accessToken, webhookSecret }) {
      const sealed = cipher.seal(JSON.stringify({ accessToken, webhookSecret }), contextOf(clientId, provider));
      return connectAccount(tx, { clientId, purpose: provider, accountId, sealed });
    },
  };
}
