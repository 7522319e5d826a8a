import { randomBytes } from 'node:crypto';
import { AppError, type FieldProblem } from '../../../kernel/errors.ts';
import type { RealChannel } from '../../../kernel/messaging-channels.ts';
import type { Database } from '../../../platform/database/database.ts';
import { addAudit, addRequestAudit } from '../../accounts/queries/add-audit.ts';
import { lockForOwnerOrOperator, type OwnerOrOperator } from '../../accounts/use-cases/lock-for-owner.ts';
import {
  type ChannelCredentials,
  type CheckedSender,
  type MessagingChannel,
  MessagingError,
} from '../ports/messaging-channel.ts';
import { connectSender } from '../queries/channel-senders.ts';
import { FIELDS_OF_SENDER, type GivenSender } from '../rules/given-sender.ts';
import type { ChannelCredentialStore } from './channel-credentials.ts';

export interface ChannelToConnect {
  readonly channel: MessagingChannel;
  /** Makes the channel post to this service, where that is done by its API. */
  readonly subscribe?: (credentials: ChannelCredentials) => Promise<void>;
}

/** Why a channel cannot be connected here; `set_by_operator` where the environment names the senders. */
export type NotOffered = 'not_offered' | 'set_by_operator';

export interface ConnectChannelDeps {
  readonly db: Pick<Database, 'tenant'>;
  readonly now: () => Date;
  readonly credentials: Pick<ChannelCredentialStore, 'store' | 'ofSender'>;
  readonly channelToConnect: (name: RealChannel) => ChannelToConnect | NotOffered;
  /** The address of the deployment, which sends the e-mails of all clients. */
  readonly fromAddress: string | null;
}

export interface ConnectedChannel extends CheckedSender {
  /** What debtors saw of the sender before, when it is another one. It still receives. */
  readonly replaced: string | null;
}

type ConnectRequest = OwnerOrOperator & { readonly given: GivenSender };

/** Stores the credentials of a client's sender only after the channel has accepted them. */
export const connectChannel =
  (deps: ConnectChannelDeps) =>
  async (request: ConnectRequest): Promise<ConnectedChannel> => {
    const { clientId, given, source } = request;
    const { db, now, channelToConnect } = deps;
    const name = given.channel;
    const to = channelToConnect(name);
    if (typeof to === 'string') throw problemAt('channel', to, 'The channel cannot be connected here');
    const inClient = db.tenant(clientId);
    await inClient.transactional((tx) => lockForOwnerOrOperator(tx, request));
    const credentials = await credentialsOf(deps, clientId, given);
    const checked = await to.channel.checkCredentials(name === 'email' ? null : credentials);
    await to.subscribe?.(credentials);
    return inClient.transactional(async (tx) => {
      // The caller may have lost its access while the channel was asked.
      await lockForOwnerOrOperator(tx, request);
      await deps.credentials.store(tx, clientId, name, credentials);
      const { senderId, accountId } = credentials;
      const replaced = await connectSender(tx, {
        clientId,
        channel: name,
        senderId,
        accountId,
        shownAs: checked.shownAs,
        peoplePerDay: checked.peoplePerDay,
        quality: checked.quality ?? null,
        checkedAt: now(),
      });
      const entry = { clientId, action: 'client_connected', details: { channel: name, senderId } } as const;
      await (source === null
        ? addAudit(tx, { ...entry, actor: 'operator' })
        : addRequestAudit(tx, { ...entry, source }));
      return { ...checked, replaced };
    });
  };

/** The same for a person, who learns at which field the channel refuses what was entered. */
export const connectOwnChannel =
  (deps: ConnectChannelDeps) =>
  async (request: ConnectRequest): Promise<ConnectedChannel> => {
    try {
      return await connectChannel(deps)(request);
    } catch (error) {
      throw error instanceof MessagingError ? refusalOf(request.given.channel, error) : error;
    }
  };

async function credentialsOf(
  { credentials, fromAddress }: ConnectChannelDeps,
  clientId: string,
  given: GivenSender,
): Promise<ChannelCredentials> {
  // The deployment itself sends e-mails: what is stored is only that this client uses it.
  if (given.channel === 'email') {
    return { senderId: fromAddress ?? '', accountId: null, accessToken: '', webhookSecret: null };
  }
  const { channel, senderId, accountId, accessToken, webhookSecret } = given;
  const own = { senderId, accountId, accessToken };
  if (webhookSecret !== null) return { ...own, webhookSecret };
  // A secret that the channel has already stays the same, so that nothing is refused meanwhile.
  const before = await credentials.ofSender(clientId, channel, senderId);
  return { ...own, webhookSecret: before?.webhookSecret ?? randomBytes(32).toString('base64url') };
}

const problemAt = (field: string, code: string, message: string): AppError =>
  new AppError('validation_failed', { errors: [{ pointer: `/${field}`, code, message }] satisfies FieldProblem[] });

function refusalOf(channel: RealChannel, { kind, channelCode, retryAfterSeconds }: MessagingError): AppError {
  const { sender, secret } = FIELDS_OF_SENDER[channel];
  if (channel === 'email' || kind === 'retryable' || kind === 'unknown_outcome') {
    return new AppError('unavailable', { retryAfterSeconds: retryAfterSeconds ?? 30 });
  }
  if (kind === 'unauthorized' && channelCode !== 'sender_unknown') {
    return problemAt(secret, 'credentials_refused', 'The channel refuses these credentials');
  }
  if (kind === 'suspended') return problemAt(sender, 'sender_suspended', 'The channel has suspended this sender');
  return problemAt(sender, 'sender_unknown', 'The account at the channel has no such sender');
}
