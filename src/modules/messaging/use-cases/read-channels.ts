import type { LocalDate } from '../../../kernel/calendar.ts';
import { AppError } from '../../../kernel/errors.ts';
import { REAL_CHANNELS, type RealChannel } from '../../../kernel/messaging-channels.ts';
import { startOfStatisticsDay, statisticsMonth } from '../../../kernel/statistics-day.ts';
import type { SharedDeps } from '../../deps.ts';
import type { SenderQuality } from '../ports/messaging-channel.ts';
import { CONNECTED_SENDERS } from '../queries/channel-senders.ts';
import { USAGE_OF_MONTH } from '../queries/message-usage.ts';
import { WHATSAPP_KINDS, type WhatsAppKind } from '../rules/counted-kinds.ts';
import {
  costOfMessages,
  type DeliveredOfMonth,
  freeEachMonth,
  isNearEnd,
  type PriceList,
  reaisOfMicro,
  shownCost,
  usageOfMonth,
} from '../rules/message-prices.ts';
import { PAYMENT_SUSPECTED } from '../rules/watched-number.ts';
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
  /** What the number of WhatsApp has delivered this month; other channels have none. */
  readonly usage?: ChannelUsage;
}

export interface ChannelUsage {
  /** Such as `2026-11`, as the statistics count days. */
  readonly month: string;
  readonly messages: {
    readonly kind: WhatsAppKind;
    readonly free: number;
    readonly paid: number;
    /** Reais; null where the price is not known. */
    readonly unit: number | null;
    readonly total: number | null;
  }[];
  readonly freeMessages: { readonly eachMonth: number; readonly used: number; readonly isEnding: boolean };
  readonly total: number | null;
}

export interface ReadChannelsDeps extends Pick<SharedDeps, 'db' | 'now'>, Pick<MessagingDeps, 'sendersOf'> {
  /** The channels of the deployment, in the order in which they are tried. */
  readonly usedChannels: readonly RealChannel[];
  readonly prices: PriceList;
}

/** Returns every channel that reaches real people: those of the deployment first, in its order. */
export const readChannels =
  (deps: ReadChannelsDeps) =>
  async (clientId: string): Promise<ChannelView[]> =>
    (await readAll(deps, clientId)).map(({ row: _, carriesPixCodes: __, ...view }) => view);

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
    const { row, carriesPixCodes, ...view } = found;
    const refusal = row?.pixRefusal ?? null;
    const to = deps.channelToConnect(channel);
    const connectedBy = to === 'not_offered' ? 'nobody' : to === 'set_by_operator' ? 'operator' : 'company';
    return {
      ...view,
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
  const { db, now, usedChannels, prices } = deps;
  const month = statisticsMonth(now().getTime());
  const [senders, rows, delivered] = await Promise.all([
    db.tenant(clientId).transactional((tx) => realSendersOf(tx, deps, clientId)),
    db.readPrepared({ clientId }, CONNECTED_SENDERS, { clientId }),
    db.readPrepared({ clientId }, USAGE_OF_MONTH, { clientId, since: new Date(startOfStatisticsDay(month)) }),
  ]);
  const names = [...usedChannels, ...REAL_CHANNELS.filter((name) => !usedChannels.includes(name))];
  return names.map(
    (channel): ChannelView & { readonly row: (typeof rows)[number] | undefined; readonly carriesPixCodes: boolean } => {
      const sender = senders.find(({ name }) => name === channel);
      if (sender === undefined) {
        return { channel, state: 'not_connected', reason: null, sender: null, row: undefined, carriesPixCodes: false };
      }
      // A sender of the deployment's configuration has no row before its first message.
      const row = rows.find((one) => one.channel === channel && one.senderId === sender.id);
      const { state = 'ready' as const, shownAs = sender.id, paymentSuspectedAt = null } = row ?? {};
      const reason = row?.reason ?? (paymentSuspectedAt === null ? null : PAYMENT_SUSPECTED);
      const own = delivered.filter(({ senderId }) => senderId === sender.id);
      const usage = channel === 'whatsapp' ? { usage: usageOf(prices, month, own) } : {};
      const carriesPixCodes = sender.channel.capabilities.pixCodes;
      return { channel, state, reason, sender: shownAs, ...usage, row, carriesPixCodes };
    },
  );
}

function usageOf(prices: PriceList, month: LocalDate, delivered: readonly DeliveredOfMonth[]): ChannelUsage {
  const eachMonth = freeEachMonth(prices);
  const { counted, freeUsed } = usageOfMonth(delivered, eachMonth, WHATSAPP_KINDS);
  const { kinds, totalCentavos } = costOfMessages(prices, counted);
  return {
    month: month.slice(0, 7),
    messages: kinds.map(({ kind, free, paid, unitMicroReais, totalCentavos: cost }) => ({
      kind: kind as WhatsAppKind,
      free,
      paid,
      unit: reaisOfMicro(unitMicroReais),
      total: shownCost(cost),
    })),
    freeMessages: { eachMonth, used: freeUsed, isEnding: isNearEnd(freeUsed, eachMonth) },
    total: shownCost(totalCentavos),
  };
}
