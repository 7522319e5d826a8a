import type { SharedDeps } from '../deps.ts';
import { changeChannel } from './use-cases/change-channel.ts';
import type { ChannelEventDeps } from './use-cases/channel-event-deps.ts';
import { type ConnectChannelDeps, connectOwnChannel } from './use-cases/connect-channel.ts';
import { disconnectChannel } from './use-cases/disconnect-channel.ts';
import { pushOwnTemplates, readOwnTemplates } from './use-cases/own-templates.ts';
import { readChannel, readChannels } from './use-cases/read-channels.ts';
import { readSandboxMails } from './use-cases/read-sandbox-mails.ts';
import { checkChannelHead, receiveChannelEvents } from './use-cases/receive-channel-events.ts';
import { readSandboxOutbox, sendSandboxMessage } from './use-cases/sandbox-messages.ts';
import {
  changeSavedAnswer,
  createSavedAnswer,
  listSavedAnswers,
  removeSavedAnswer,
} from './use-cases/saved-answers.ts';
import { type TestOwnDeps, testOwnChannel } from './use-cases/try-channels.ts';
import { type UnsubscribeDeps, unsubscribe } from './use-cases/unsubscribe.ts';
import { answerSubscription, type SubscriptionDeps } from './use-cases/verify-channel-request.ts';

/** What connecting and testing senders needs beside the rest. */
export type SenderSetup = Pick<ConnectChannelDeps, 'credentials' | 'channelToConnect' | 'fromAddress'> &
  Pick<TestOwnDeps, 'takeFromTestRate'>;

/** The use cases of messaging that a request of the API may call. */
export const createMessagingServices = (
  deps: Parameters<typeof readChannels>[0] & SharedDeps,
  channels: ChannelEventDeps & UnsubscribeDeps & SubscriptionDeps,
  setup: SenderSetup,
) => ({
  answerSubscription: answerSubscription(channels),
  changeSavedAnswer: changeSavedAnswer(deps),
  createSavedAnswer: createSavedAnswer(deps),
  listSavedAnswers: listSavedAnswers(deps),
  removeSavedAnswer: removeSavedAnswer(deps),
  connectChannel: connectOwnChannel({ ...deps, ...setup }),
  disconnectChannel: disconnectChannel(deps),
  changeChannel: changeChannel(deps),
  readChannel: readChannel({ ...deps, ...setup }),
  readChannels: readChannels(deps),
  readChannelTemplates: readOwnTemplates(deps),
  pushChannelTemplates: pushOwnTemplates(deps),
  testChannel: testOwnChannel({ ...deps, ...setup }),
  readSandboxMails: readSandboxMails(deps),
  readSandboxOutbox: readSandboxOutbox(deps),
  checkChannelHead: checkChannelHead(channels),
  receiveChannelEvents: receiveChannelEvents(channels),
  sendSandboxMessage: sendSandboxMessage(deps),
  unsubscribe: unsubscribe(channels),
});
