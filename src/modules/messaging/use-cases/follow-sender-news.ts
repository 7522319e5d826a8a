import type { EntityManager } from '@mikro-orm/postgresql';
import type { ChannelEvent } from '../ports/channel-webhook.ts';
import { type SenderOnChannel, setSenderNews, setTemplateState } from '../queries/sender-news.ts';
import type { ChannelEventDeps, ReceivedBy } from './channel-event-deps.ts';
import { QUALITY_BLOCKED, startSender, stopSender } from './sender-state.ts';

/** News about a client's templates, senders or account. */
export type SenderEvent = Extract<ChannelEvent, { kind: 'template' | 'sender' }>;

/** Stores what a channel says of templates and senders: a low quality slows the sender down, a block pauses it. */
export async function followSenderNews(
  em: EntityManager,
  deps: ChannelEventDeps,
  by: ReceivedBy,
  senders: readonly SenderOnChannel[],
  events: readonly SenderEvent[],
): Promise<void> {
  for (const event of events) {
    if (event.kind === 'template') {
      const { accountId, name, state, reason } = event;
      await setTemplateState(em, { channel: by.channel, accountId, name }, { state, reason });
      continue;
    }
    for (const sender of senders.filter((each) => each.replacedAt === null && isMeant(each, event))) {
      await follow(em, deps, by, sender, event);
    }
  }
}

/** News of an account concern all of its senders, unless they name one. */
const isMeant = (
  sender: SenderOnChannel,
  { senderId, accountId }: Extract<SenderEvent, { kind: 'sender' }>,
): boolean => (senderId === null ? accountId !== null && sender.accountId === accountId : sender.senderId === senderId);

async function follow(
  em: EntityManager,
  deps: ChannelEventDeps,
  { clientId, channel }: ReceivedBy,
  { senderId, state, reason }: SenderOnChannel,
  { quality, peoplePerDay }: Extract<SenderEvent, { kind: 'sender' }>,
): Promise<void> {
  const key = { clientId, channel, senderId };
  const isUntold = quality === null && peoplePerDay === null;
  await setSenderNews(em, key, {
    ...(quality === null ? {} : { quality }),
    ...(peoplePerDay === null ? {} : { peoplePerDay }),
    ...(isUntold ? { checkedAt: null } : {}),
  });
  if (quality === 'blocked') await stopSender(em, deps, key, { state: 'paused', reason: QUALITY_BLOCKED });
  if (quality === 'good' && state === 'paused' && reason === QUALITY_BLOCKED) await startSender(em, deps, key);
}
