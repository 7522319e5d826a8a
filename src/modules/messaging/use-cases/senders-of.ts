import { AppError } from '../../../kernel/errors.ts';
import { isRealChannel, type RealChannel } from '../../../kernel/messaging-channels.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { NAME_OF_CLIENT } from '../../accounts/queries/clients.ts';
import type { SharedDeps } from '../../deps.ts';
import type { ChannelCredentials, MessagingChannel } from '../ports/messaging-channel.ts';
import { adoptSender } from '../queries/channel-senders.ts';
import type { ChannelCredentialStore } from './channel-credentials.ts';
import type { MessagingDeps, Sender } from './deps.ts';

export interface SenderSources {
  /** The real channels of the deployment, in the order in which they are tried for a client that names none. */
  readonly usedChannels: readonly RealChannel[];
  readonly channels: Readonly<Partial<Record<RealChannel, MessagingChannel>>>;
  readonly credentials: Pick<ChannelCredentialStore, 'ofClient'>;
  /** The senders of a deployment for one company; null when each client connects its own. */
  readonly configured: ((channel: RealChannel) => ChannelCredentials | null) | null;
  /** The address of the deployment, which sends e-mails for each client that has agreed to it. */
  readonly fromAddress: string | null;
}

/** Finds the senders of a client that reach real people. */
export function sendersFrom(sources: SenderSources): MessagingDeps['sendersOf'] {
  const { usedChannels, channels, credentials, configured, fromAddress } = sources;
  return async (tx, { clientId, channels: chosen }) => {
    const connected = configured === null ? await credentials.ofClient(tx, clientId) : null;
    return (chosen ?? usedChannels).flatMap((name): Sender[] => {
      const channel = channels[name];
      const own = connected === null ? configured?.(name) : connected.get(name);
      if (channel === undefined || own === null || own === undefined) return [];
      if (name === 'email') return [{ channel, credentials: null, id: fromAddress, number: null }];
      return [{ channel, credentials: own, id: own.senderId, number: own.senderId }];
    });
  };
}

/**
 * Finds the senders of a client. A sandbox debt is never sent to a real channel, and a deployment without real channels
 * has the sandbox only.
 */
export function sendersOf(sources: SenderSources, sandbox: Sender): MessagingDeps['sendersOf'] {
  const real = sendersFrom(sources);
  return async (tx, owner) => (owner.sandbox || sources.usedChannels.length === 0 ? [sandbox] : real(tx, owner));
}

/** A sender that reaches real people. */
export interface RealSender extends Sender {
  readonly name: RealChannel;
  readonly id: string;
}

/** Returns the senders of a client that reach real people, in the order in which they are tried. */
export async function realSendersOf(
  tx: Tx,
  { sendersOf }: Pick<MessagingDeps, 'sendersOf'>,
  clientId: string,
): Promise<readonly RealSender[]> {
  const senders = await sendersOf(tx, { clientId, sandbox: false, channels: null });
  return senders.flatMap((sender) => {
    const { name } = sender.channel;
    return isRealChannel(name) && sender.id !== null ? [{ ...sender, name, id: sender.id }] : [];
  });
}

/**
 * Returns the name of a client and its senders, for a command of the operator. It stores the senders of the deployment's
 * configuration, so that they are checked before their first message. Throws `not_found`.
 */
export async function sendersForOperator(
  deps: Pick<SharedDeps, 'db'> & Pick<MessagingDeps, 'sendersOf'>,
  clientId: string,
): Promise<{ readonly clientName: string; readonly senders: readonly RealSender[] }> {
  const [client] = await deps.db.readPrepared({ clientId }, NAME_OF_CLIENT, { clientId });
  if (client === undefined) throw new AppError('not_found');
  const senders = await deps.db.tenant(clientId).transactional(async (tx) => {
    const found = await realSendersOf(tx, deps, clientId);
    for (const { name, id, credentials } of found) {
      const accountId = credentials?.accountId ?? null;
      await adoptSender(tx, { clientId, channel: name, senderId: id, accountId, shownAs: id });
    }
    return found;
  });
  return { clientName: client.name, senders };
}
