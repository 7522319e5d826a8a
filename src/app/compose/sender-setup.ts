import type { RealChannel } from '../../kernel/messaging-channels.ts';
import { createZenviaSubscriptions } from '../../modules/messaging/adapters/zenvia/zenvia-subscriptions.ts';
import type { SenderSetup } from '../../modules/messaging/services.ts';
import type { ChannelToConnect, NotOffered } from '../../modules/messaging/use-cases/connect-channel.ts';
import type { Config } from '../../platform/config/index.ts';
import type { Database } from '../../platform/database/database.ts';
import { createRateLimit } from '../../platform/database/rate-limits.ts';
import { addressOf } from '../../platform/mail/mailbox.ts';
import { composeChannel, webhookUrlOf } from './channels.ts';
import { composeChannelCredentials } from './senders.ts';

const TESTS_PER_HOUR = 5;
const HOUR = 3_600;

/** Composes what connecting senders needs, for the API and for the operator's command. */
export const composeSenderSetup = (config: Config, db: Database): SenderSetup => ({
  credentials: composeChannelCredentials(config, db),
  channelToConnect: (name) => channelToConnect(config, db, name),
  fromAddress: config.mailFrom === undefined ? null : addressOf(config.mailFrom),
  takeFromTestRate: createRateLimit(db, { name: 'channel_test', points: TESTS_PER_HOUR, durationSeconds: HOUR }),
});

function channelToConnect(config: Config, db: Database, name: RealChannel): ChannelToConnect | NotOffered {
  if (!config.messagingChannels.includes(name)) return 'not_offered';
  if (config.singleClient) return 'set_by_operator';
  const channel = composeChannel(config, db, name);
  if (channel === null) return 'not_offered';
  if (name !== 'zenvia') return { channel };
  const webhookUrl = webhookUrlOf(config, 'zenvia');
  return { channel, subscribe: createZenviaSubscriptions({ baseUrl: config.zenviaBaseUrl, webhookUrl }) };
}
