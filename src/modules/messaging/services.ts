import type { SharedDeps } from '../deps.ts';
import type { SubscriptionDeps } from './use-cases/answer-subscription.ts';
import { answerSubscription } from './use-cases/answer-subscription.ts';
import type { ChannelEventDeps } from './use-cases/channel-event-deps.ts';
import { readChannels } from './use-cases/read-channels.ts';
import { readSandboxMails } from './use-cases/read-sandbox-mails.ts';
import { readSandboxOutbox } from './use-cases/read-sandbox-outbox.ts';
import { checkChannelHead, receiveChannelEvents } from './use-cases/receive-channel-events.ts';
import { sendSandboxMessage } from './use-cases/send-sandbox-message.ts';
import type { UnsubscribeDeps } from './use-cases/unsubscribe.ts';
import { unsubscribe } from './use-cases/unsubscribe.ts';

/** The use cases of messaging that a request of the API may call. */
export const createMessagingServices = (
  deps: Parameters<typeof readChannels>[0] & SharedDeps,
  channels: ChannelEventDeps & UnsubscribeDeps & SubscriptionDeps,
) => ({
  answerSubscription: answerSubscription(channels),
  readChannels: readChannels(deps),
  readSandboxMails: readSandboxMails(deps),
  readSandboxOutbox: readSandboxOutbox(deps),
  checkChannelHead: checkChannelHead(channels),
  receiveChannelEvents: receiveChannelEvents(channels),
  sendSandboxMessage: sendSandboxMessage(deps),
  unsubscribe: unsubscribe(channels),
});
