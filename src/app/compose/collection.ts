import { createWordingGuard } from '../../modules/agent/adapters/guarded/own-wording.ts';
import { createReadOutbox } from '../../modules/collection/conversation/play-sandbox-debtors.ts';
import type { CollectionDeps } from '../../modules/collection/deps.ts';
import { missingConnections } from '../../modules/collection/staff/missing-connections.ts';
import { createSandboxChannel } from '../../modules/messaging/adapters/sandbox/sandbox-channel.ts';
import { createSandboxOutboxStore } from '../../modules/messaging/queries/sandbox-outbox-store.ts';
import type { Sender } from '../../modules/messaging/use-cases/deps.ts';
import { createReceiptLinks } from '../../modules/messaging/use-cases/receipt-links.ts';
import { sendersOf } from '../../modules/messaging/use-cases/senders-of.ts';
import { loadPolicy } from '../../modules/policy/use-cases/load-policy.ts';
import { createAesGcmCipher } from '../../platform/adapters/credential-cipher/aes-gcm/aes-gcm-cipher.ts';
import type { Config } from '../../platform/config/index.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Logger } from '../../platform/runtime/logger.ts';
import { serviceClock } from '../../platform/runtime/service-clock.ts';
import { createPersonKeys } from '../../platform/shared/person-keys.ts';
import { createSealedCursors } from '../../platform/shared/sealed-cursors.ts';
import { createCollectionWorkflows } from '../../platform/temporal/collection-workflows.ts';
import { composeAgent } from './agent.ts';
import { composeChannels } from './channels.ts';
import { type ApiUrl, composePayments } from './payments.ts';
import { composeChannelCredentials, composeFiles, composeSenderSources } from './senders.ts';
import type { ServiceParts } from './service-parts.ts';

/** Composes the dependencies of collection, for the use cases of the API and for those of the worker. */
export function composeCollection(
  config: Config,
  db: Database,
  logger: Logger,
  apiUrl: ApiUrl,
  understanding: ServiceParts['understanding'],
): CollectionDeps {
  const now = serviceClock(config.clockOffset);
  const outbox = createReadOutbox(db, createSandboxOutboxStore(db));
  const sandbox: Sender = { channel: createSandboxChannel(outbox), credentials: null, id: null, number: null };
  const channelCredentials = composeChannelCredentials(config, db);
  const channels = composeChannels(config, db);
  const senders = sendersOf(composeSenderSources(config, channels, channelCredentials), sandbox);
  const workflows = createCollectionWorkflows({
    sandboxMaxWaitMs: config.sandboxMaxWait,
    clockOffsetMs: config.clockOffset,
  });
  const payments = composePayments(config, db, workflows, apiUrl);
  return {
    db,
    now,
    policy: loadPolicy(),
    agent: composeAgent(config, logger, understanding),
    wordingGuard: createWordingGuard(),
    workflows,
    personKeys: createPersonKeys(config.personSecret),
    payments,
    contactsPerSecond: config.temporal.contactsPerSecond,
    sendersOf: senders,
    usedChannels: config.messagingChannels,
    files: composeFiles(config, channels, channelCredentials),
    missingConnections: missingConnections({ db, payments, sendersOf: senders }),
    publicUrl: config.publicUrl,
    receiptLinks: createReceiptLinks({ secrets: config.receiptSecret, publicUrl: config.publicUrl }),
    cursors: createSealedCursors(createAesGcmCipher(config.encryptionKey)),
    sandboxOnly: config.messagingChannels.length === 0,
    sandboxMaxWaitMs: config.sandboxMaxWait,
    note: (message, facts) => logger.info(facts, message),
  };
}
