import type { RealChannel } from '../../../kernel/messaging-channels.ts';
import type { ChannelCredentials, MessagingChannel } from '../ports/messaging-channel.ts';
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
export function realSendersOf(sources: SenderSources): MessagingDeps['sendersOf'] {
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
  const real = realSendersOf(sources);
  return async (tx, owner) => (owner.sandbox || sources.usedChannels.length === 0 ? [sandbox] : real(tx, owner));
}
