import { createWordingGuard } from '../adapters/agent/guarded/own-wording.ts';
import { createAesGcmCipher } from '../adapters/credential-cipher/aes-gcm/aes-gcm-cipher.ts';
import { createSandboxChannel } from '../adapters/messaging/sandbox/sandbox-channel.ts';
import type { Config } from '../config/index.ts';
import type { Database } from '../db/database.ts';
import { createSandboxOutboxStore } from '../db/sandbox-outbox-store.ts';
import type { Logger } from '../runtime/logger.ts';
import { serviceClock } from '../runtime/service-clock.ts';
import type { CollectionDeps } from '../services/collection/deps.ts';
import { createReadOutbox } from '../services/collection/play-sandbox-debtors.ts';
import { realNameOf } from '../services/messaging/candidates.ts';
import type { Sender } from '../services/messaging/deps.ts';
import { loadPolicy } from '../services/shared/load-policy.ts';
import { createPersonKeys } from '../services/shared/person-keys.ts';
import { createReceiptLinks } from '../services/shared/receipt-links.ts';
import { createSealedCursors } from '../services/shared/sealed-cursors.ts';
import { createCollectionWorkflows } from '../temporal/collection-workflows.ts';
import { composeAgent } from './agent.ts';
import { composeChannels } from './channels.ts';
import { type ApiUrl, composePayments } from './payments.ts';
import { composeChannelCredentials, composeFiles, composeSenders } from './senders.ts';
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
  const sendersOf = composeSenders(config, channels, channelCredentials, sandbox);
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
    sendersOf,
    usedChannels: config.messagingChannels,
    files: composeFiles(config, channels, channelCredentials),
    missingConnections: async (clientId) => {
      const [{ credentials }, senders] = await Promise.all([
        payments.accountFor({ clientId, sandbox: false }),
        db.tenant(clientId).transactional((em) => sendersOf(em, { clientId, sandbox: false, channels: null })),
      ]);
      return [
        ...(senders.some((sender) => realNameOf(sender) !== null) ? [] : (['channel'] as const)),
        ...(credentials === null ? (['payment_provider'] as const) : []),
      ];
    },
    publicUrl: config.publicUrl,
    receiptLinks: createReceiptLinks({ secrets: config.receiptSecret, publicUrl: config.publicUrl }),
    cursors: createSealedCursors(createAesGcmCipher(config.encryptionKey)),
    sandboxOnly: config.messagingChannels.length === 0,
    sandboxMaxWaitMs: config.sandboxMaxWait,
    note: (message, facts) => logger.info(facts, message),
  };
}
