import { REAL_PROVIDER_NAMES, type RealProviderName } from '../../../kernel/payment-providers.ts';
import { type CredentialCipher, CredentialCipherError } from '../../../kernel/ports/credential-cipher.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import {
  connectAccount,
  KEPT_ACCOUNT,
  KEPT_ACCOUNTS,
  RESEAL_CREDENTIALS,
  reseal,
} from '../../accounts/queries/client-credentials.ts';
import type { PaymentCredentials, PixCredentials, TokenCredentials } from '../ports/payment-provider.ts';
import { CONNECTED_ACCOUNT } from '../queries/payment-accounts.ts';

/** What a client gives of its account, with the secret that signs the notifications of an account with a token. */
export type AccountCredentials = (TokenCredentials & { readonly webhookSecret: string | null }) | PixCredentials;

export interface ConnectedAccount {
  readonly provider: RealProviderName;
  /** The provider's id of the account, with the bank to which a Pix key has moved. */
  readonly accountId: string;
  readonly credentials: PaymentCredentials;
}

export interface NewPaymentAccount {
  readonly id?: string;
  readonly clientId: string;
  readonly provider: RealProviderName;
  readonly accountId: string;
  readonly certificateExpiresAt?: Date | null;
  /** When the payments that came to the account are read first; null where they are not read. */
  readonly listAt?: Date | null;
}

export interface ClientCredentials {
  /**
   * Returns the account that is connected now at one of the providers, or null. It is read in `tx` where the caller has
   * a transaction, which then needs no further connection.
   */
  connected(clientId: string, providers: readonly RealProviderName[], tx?: Tx): Promise<ConnectedAccount | null>;
  /** Returns the account of this id, which may have been replaced, or null when it is no longer kept. */
  kept(clientId: string, provider: RealProviderName, accountId: string): Promise<ConnectedAccount | null>;
  /** Returns the secrets that sign notifications of the client's accounts, including those that are only kept. */
  webhookSecrets(clientId: string): Promise<readonly string[]>;
  /**
   * Connects the account in place of any other, and returns the account that it replaces. The account may be the
   * connected one with new credentials. The caller holds the client's lock.
   */
  store(
    tx: Tx,
    account: NewPaymentAccount,
    credentials: AccountCredentials,
  ): Promise<{ readonly purpose: string; readonly accountId: string } | null>;
}

const contextOf = (clientId: string, provider: RealProviderName): string => `${clientId}:${provider}`;

interface SealedAccount {
  readonly accountId: string;
  readonly sealed: string;
}

/** Credentials that were stored before there were several kinds are a token. */
const stored = (text: string): AccountCredentials => ({ kind: 'token', ...JSON.parse(text) });

const withoutSecret = (credentials: AccountCredentials): PaymentCredentials =>
  credentials.kind === 'pix' ? credentials : { kind: 'token', accessToken: credentials.accessToken };

/**
 * Stores clients' credentials encrypted. Credentials under an older key are encrypted again when the worker reads them,
 * so that a request of the API has no more to write.
 */
export function createClientCredentials(
  db: Pick<Database, 'readPrepared' | 'writePrepared' | 'role'>,
  cipher: CredentialCipher,
): ClientCredentials {
  async function open(
    clientId: string,
    provider: RealProviderName,
    { sealed }: SealedAccount,
    tx?: Tx,
  ): Promise<AccountCredentials> {
    const context = contextOf(clientId, provider);
    const text = cipher.open(sealed, context);
    if (db.role !== 'quita_app' && !cipher.isCurrent(sealed)) {
      const params = { clientId, purpose: provider, sealed, resealed: cipher.seal(text, context) };
      if (tx === undefined) await db.writePrepared({ clientId }, RESEAL_CREDENTIALS, params);
      else await reseal(tx, params);
    }
    return stored(text);
  }

  /** An earlier account that cannot be decrypted must not keep notifications of the connected one from being read. */
  async function secretOf(
    clientId: string,
    provider: RealProviderName,
    account: SealedAccount & { readonly replacedAt: Date | null },
  ): Promise<string | null> {
    try {
      const credentials = await open(clientId, provider, account);
      return credentials.kind === 'token' ? credentials.webhookSecret : null;
    } catch (error) {
      if (!(error instanceof CredentialCipherError) || account.replacedAt === null) throw error;
      return null;
    }
  }

  return {
    async connected(clientId, providers, tx) {
      const params = { clientId, providers };
      const reading =
        tx === undefined ? db.readPrepared({ clientId }, CONNECTED_ACCOUNT, params) : CONNECTED_ACCOUNT.run(tx, params);
      const [row] = await reading;
      if (row === undefined) return null;
      const { provider, accountId } = row;
      return { provider, accountId, credentials: withoutSecret(await open(clientId, provider, row, tx)) };
    },

    async kept(clientId, provider, accountId) {
      const [row] = await db.readPrepared({ clientId }, KEPT_ACCOUNT, { clientId, purpose: provider, accountId });
      if (row === undefined) return null;
      return { provider, accountId, credentials: withoutSecret(await open(clientId, provider, row)) };
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

    store(tx, { clientId, provider, ...account }, credentials) {
      const sealed = cipher.seal(JSON.stringify(credentials), contextOf(clientId, provider));
      const profile = credentials.kind === 'pix' ? credentials.profile : null;
      // New charges are made at one account, so that one at another provider is replaced as well.
      return connectAccount(tx, { ...account, clientId, purpose: provider, sealed, profile }, REAL_PROVIDER_NAMES);
    },
  };
}
