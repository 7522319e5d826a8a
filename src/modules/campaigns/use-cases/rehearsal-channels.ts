import type { RealChannel } from '../../../kernel/messaging-channels.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import type { CollectionDeps } from '../../collection/deps.ts';
import type { MessagingChannel } from '../../messaging/ports/messaging-channel.ts';
import { numbersOf } from '../../messaging/use-cases/deps.ts';

export { MESSAGING_CHANNELS } from '../../messaging/ports/messaging-channel.ts';

export interface RehearsalChannel {
  readonly channel: Pick<MessagingChannel, 'name' | 'capabilities'>;
}

export interface RehearsalChannels {
  /** Never empty on a deployment that has channels. */
  readonly list: readonly RehearsalChannel[];
  /** The numbers by which an opt-out that another client received binds this one. */
  readonly numbers: readonly string[];
}

/**
 * Returns the channels by which a launch would send. Those that the campaign names, or else those of the deployment, are
 * taken as connected while the client has none, because a client plans before it connects them.
 */
export async function channelsOfRehearsal(
  tx: Tx,
  deps: Pick<CollectionDeps, 'sendersOf' | 'usedChannels' | 'files'>,
  owner: { readonly clientId: string; readonly sandbox: boolean; readonly channels: readonly RealChannel[] | null },
): Promise<RehearsalChannels> {
  const senders = await deps.sendersOf(tx, owner);
  const numbers = numbersOf(senders);
  if (owner.sandbox || (owner.channels === null && senders.length > 0)) return { list: senders, numbers };
  const names = owner.channels ?? deps.usedChannels;
  const list = names.flatMap((name) => {
    const channel = deps.files.channelOf(name);
    return channel === undefined ? [] : [{ channel }];
  });
  return { list, numbers };
}
