import { AppError } from '../../../kernel/errors.ts';
import { REAL_CHANNELS, type RealChannel } from '../../../kernel/messaging-channels.ts';
import type { SharedDeps } from '../../deps.ts';
import type { SenderQuality } from '../ports/messaging-channel.ts';
import { CONNECTED_SENDERS } from '../queries/channel-senders.ts';
import type { ConnectChannelDeps } from './connect-channel.ts';
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
  async (clientId: string): Promise<ChannelView[]> =>
    (await readAll(deps, clientId)).map(({ channel, state, reason, sender }) => ({ channel, state, reason, sender }));

export interface ChannelDetails extends ChannelView {
  /** Who connects the sender: the company, or the operator by the environment; `nobody` where the channel is not used. */
  readonly connectedBy: 'company' | 'operator' | 'nobody';
  readonly quality?: SenderQuality;
  readonly peoplePerDay?: number;
  readonly pausedUntil?: string;
  readonly checkedAt?: string;
  /** Absent where no message of the channel can carry a Pix code. */
  readonly pixCodes?: 'on' | 'off' | 'refused';
  /** Why the channel has refused a code. */
  readonly pixRefusal?: string;
}

/** Returns one channel with all that it has told of the sender; what it has not told is left out. */
export const readChannel =
  (deps: ReadChannelsDeps & Pick<ConnectChannelDeps, 'channelToConnect'>) =>
  async (clientId: string, channel: RealChannel): Promise<ChannelDetails> => {
    const found = (await readAll(deps, clientId)).find((one) => one.channel === channel);
    if (found === undefined) throw new AppError('not_found');
    const { state, reason, sender, row, carriesPixCodes } = found;
    const refusal = row?.pixRefusal ?? null;
    const to = deps.channelToConnect(channel);
    const connectedBy = to === 'not_offered' ? 'nobody' : to === 'set_by_operator' ? 'operator' : 'company';
    return {
      channel,
      state,
      reason,
      sender,
      connectedBy,
      ...(row?.quality == null ? {} : { quality: row.quality }),
      ...(row?.peoplePerDay == null ? {} : { peoplePerDay: row.peoplePerDay }),
      ...(row?.pausedUntil == null ? {} : { pausedUntil: row.pausedUntil.toISOString() }),
      ...(row?.checkedAt == null ? {} : { checkedAt: row.checkedAt.toISOString() }),
      ...(carriesPixCodes ? { pixCodes: row?.pixCodes === true ? 'on' : refusal === null ? 'off' : 'refused' } : {}),
      ...(refusal === null ? {} : { pixRefusal: refusal }),
    };
  };

async function readAll(deps: ReadChannelsDeps, clientId: string) {
  const senders = await deps.db.tenant(clientId).transactional((tx) => realSendersOf(tx, deps, clientId));
  const rows = await deps.db.readPrepared({ clientId }, CONNECTED_SENDERS, { clientId });
  const names = [...deps.usedChannels, ...REAL_CHANNELS.filter((name) => !deps.usedChannels.includes(name))];
  return names.map((channel) => {
    const sender = senders.find(({ name }) => name === channel);
    if (sender === undefined) {
      return {
        channel,
        state: 'not_connected' as const,
        reason: null,
        sender: null,
        row: undefined,
        carriesPixCodes: false,
      };
    }
    // A sender of the deployment's configuration has no row before its first message.
    const row = rows.find((one) => one.channel === channel && one.senderId === sender.id);
    const { state = 'ready' as const, reason = null, shownAs = sender.id } = row ?? {};
    const carriesPixCodes = sender.channel.capabilities.pixCodes;
    return { channel, state, reason, sender: shownAs, row, carriesPixCodes };
  });
}
