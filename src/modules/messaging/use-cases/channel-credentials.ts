import { z } from 'zod';
import type { RealChannel } from '../../../kernel/messaging-channels.ts';
import { type CredentialCipher, CredentialCipherError } from '../../../kernel/ports/credential-cipher.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import {
  connectAccount,
  connectedChannels,
  KEPT_ACCOUNT,
  KEPT_ACCOUNTS,
  RESEAL_CREDENTIALS,
  reseal,
} from '../../accounts/queries/client-credentials.ts';
import type { ChannelCredentials } from '../ports/messaging-channel.ts';

/** What a client's sender needs. While a secret is changed at the channel, requests are signed with either. */
export interface StoredCredentials extends Omit<ChannelCredentials, 'webhookSecret'> {
  /** The newest first. */
  readonly webhookSecrets: readonly string[];
}

/** Clients' own credentials at the channels, which are stored encrypted. */
export interface ChannelCredentialStore {
  /** Returns those of all channels of the client in the caller's transaction, which needs no further connection. */
  ofClient(tx: Tx, clientId: string): Promise<ReadonlyMap<RealChannel, ChannelCredentials>>;
  /** Returns those of a sender that is connected or was, as long as they are kept, or null. */
  ofSender(clientId: string, channel: RealChannel, senderId: string): Promise<ChannelCredentials | null>;
  /** Returns the secrets of all senders of the client on the channel, including those that were replaced. */
  webhookSecrets(clientId: string, channel: RealChannel): Promise<readonly string[]>;
  /** Connects the sender in place of any other. The caller holds the client's lock. */
  store(tx: Tx, clientId: string, channel: RealChannel, credentials: ChannelCredentials): Promise<void>;
}

interface SealedCredentials {
  readonly accountId: string;
  readonly sealed: string;
}

/** A secret that was replaced is kept beside its successor, because the channel may still sign with it. */
const KEPT_SECRETS = 2;

const stored = z.object({
  accountId: z.string().nullable(),
  accessToken: z.string(),
  webhookSecrets: z.array(z.string()),
});

const contextOf = (clientId: string, channel: RealChannel): string => `${clientId}:${channel}`;

export function createChannelCredentials(
  db: Pick<Database, 'readPrepared' | 'writePrepared' | 'role'>,
  cipher: CredentialCipher,
): ChannelCredentialStore {
  /** `resealed` is the value under the newest key, when an older one has sealed it and this process may store it. */
  function unseal(clientId: string, channel: RealChannel, { accountId, sealed }: SealedCredentials) {
    const context = contextOf(clientId, channel);
    const text = cipher.open(sealed, context);
    const isStored = db.role === 'quita_app' || cipher.isCurrent(sealed);
    const credentials: StoredCredentials = { ...stored.parse(JSON.parse(text)), senderId: accountId };
    return { credentials, resealed: isStored ? null : cipher.seal(text, context) };
  }

  async function open(clientId: string, channel: RealChannel, row: SealedCredentials): Promise<StoredCredentials> {
    const { credentials, resealed } = unseal(clientId, channel, row);
    if (resealed !== null) {
      const params = { clientId, purpose: channel, sealed: row.sealed, resealed };
      await db.writePrepared({ clientId }, RESEAL_CREDENTIALS, params);
    }
    return credentials;
  }

  /** Credentials that cannot be read any more are replaced without their secrets. */
  function readableSecrets(clientId: string, channel: RealChannel, row: SealedCredentials): readonly string[] {
    try {
      return unseal(clientId, channel, row).credentials.webhookSecrets;
    } catch {
      return [];
    }
  }

  const usable = ({ webhookSecrets, ...credentials }: StoredCredentials): ChannelCredentials => ({
    ...credentials,
    webhookSecret: webhookSecrets[0] ?? null,
  });

  return {
    async ofClient(tx, clientId) {
      const all = new Map<RealChannel, ChannelCredentials>();
      for (const { channel, ...row } of await connectedChannels(tx, clientId)) {
        const { credentials, resealed } = unseal(clientId, channel, row);
        if (resealed !== null) await reseal(tx, { clientId, purpose: channel, sealed: row.sealed, resealed });
        all.set(channel, usable(credentials));
      }
      return all;
    },

    async ofSender(clientId, channel, senderId) {
      const key = { clientId, purpose: channel, accountId: senderId };
      const [row] = await db.readPrepared({ clientId }, KEPT_ACCOUNT, key);
      return row === undefined ? null : usable(await open(clientId, channel, row));
    },

    async webhookSecrets(clientId, channel) {
      const secrets: string[] = [];
      for (const row of await db.readPrepared({ clientId }, KEPT_ACCOUNTS, { clientId, purpose: channel })) {
        try {
          secrets.push(...(await open(clientId, channel, row)).webhookSecrets);
        } catch (error) {
          // An earlier sender that cannot be decrypted must not keep messages of the connected one from being read.
          if (!(error instanceof CredentialCipherError) || row.replacedAt === null) throw error;
        }
      }
      return secrets;
    },

    async store(tx, clientId, channel, { senderId, accountId, accessToken, webhookSecret }) {
      const key = { clientId, purpose: channel, accountId: senderId };
      const [row] = await KEPT_ACCOUNT.run(tx, key);
      const before = row === undefined ? [] : readableSecrets(clientId, channel, row);
      const webhookSecrets = [...new Set([...(webhookSecret === null ? [] : [webhookSecret]), ...before])];
      const value = { accountId, accessToken, webhookSecrets: webhookSecrets.slice(0, KEPT_SECRETS) };
      const sealed = cipher.seal(JSON.stringify(value), contextOf(clientId, channel));
      await connectAccount(tx, { ...key, sealed }, [channel]);
    },
  };
}
