import { REAL_CHANNELS, type RealChannel } from '../../../kernel/messaging-channels.ts';
import type { SharedDeps } from '../../deps.ts';
import { CONNECTED_SENDERS } from '../queries/channel-senders.ts';
import type { MessagingDeps } from './deps.ts';
import { realSendersOf } from './senders-of.ts';

export interface ChannelView {
  readonly channel: RealChannel;
  readonly state: 'ready' | 'paused' | 'failing' | 'not_connected';
  /** What the channel said, in short; null when there is nothing to say. */
  readonly reason: string | null;
  /** What debtors see. */
  readonly sender: string | null;
}

export interface ReadChannelsDeps extends Pick<SharedDeps, 'db'>, Pick<MessagingDeps, 'sendersOf'> {
  /** The channels of the deployment, in the order in which they are tried. */
  readonly usedChannels: readonly RealChannel[];
}

/** Returns every channel that reaches real people: those of the deployment first, in its order. */
export const readChannels =
  (deps: ReadChannelsDeps) =>
  async (clientId: string): Promise<ChannelView[]> => {
    const senders = await deps.db.tenant(clientId).transactional((tx) => realSendersOf(tx, deps, clientId));
    const rows = await deps.db.readPrepared({ clientId }, CONNECTED_SENDERS, { clientId });
    const names = [...deps.usedChannels, ...REAL_CHANNELS.filter((name) => !deps.usedChannels.includes(name))];
    return names.map((channel) => {
      const sender = senders.find(({ name }) => name === channel);
      if (sender === undefined) return { channel, state: 'not_connected', reason: null, sender: null };
      // A sender of the deployment's configuration has no row before its first message.
      const row = rows.find((one) => one.channel === channel && one.senderId === sender.id);
      return { channel, state: row?.state ?? 'ready', reason: row?.reason ?? null, sender: row?.shownAs ?? sender.id };
    });
  };
