import type { SharedDeps } from '../deps.ts';
import type { ChannelEventDeps } from './use-cases/channel-event-deps.ts';
import { readChannels } from './use-cases/read-channels.ts';
import { readSandboxMails } from './use-cases/read-sandbox-mails.ts';
import { checkChannelHead, receiveChannelEvents } from './use-cases/receive-channel-events.ts';
import { readSandboxOutbox, sendSandboxMessage } from './use-cases/sandbox-messages.ts';
import { type UnsubscribeDeps, unsubscribe } from './use-cases/unsubscribe.ts';
import { answerSubscription, type SubscriptionDeps } from './use-cases/verify-channel-request.ts';

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
