import type { CollectionWorkflows } from '../../kernel/ports/collection-workflows.ts';
import { createWordingGuard } from '../../modules/agent/adapters/guarded/own-wording.ts';
import { createReadOutbox } from '../../modules/collection/conversation/play-sandbox-debtors.ts';
import type { CollectionDeps } from '../../modules/collection/deps.ts';
import { missingConnections } from '../../modules/collection/staff/require-launchable-client.ts';
import { createTextHashes } from '../../modules/genuine/use-cases/text-hashes.ts';
import { createSandboxChannel } from '../../modules/messaging/adapters/sandbox/sandbox-channel.ts';
import { createSandboxOutboxStore } from '../../modules/messaging/queries/sandbox-outbox.ts';
import type { Sender } from '../../modules/messaging/use-cases/deps.ts';
import { createReceiptLinks } from '../../modules/messaging/use-cases/receipt-links.ts';
import { sendersOf } from '../../modules/messaging/use-cases/senders-of.ts';
import { createSandboxBank } from '../../modules/payments/adapters/sandbox/sandbox-bank.ts';
import { createSandboxProvider } from '../../modules/payments/adapters/sandbox/sandbox-provider.ts';
import { verifyWebhook } from '../../modules/payments/adapters/webhook-verifier/webhook-verifier.ts';
import { createSandboxChargeStore } from '../../modules/payments/queries/sandbox-charge-store.ts';
import type { PaymentDeps } from '../../modules/payments/use-cases/deps.ts';
import { paymentAccounts } from '../../modules/payments/use-cases/payment-accounts.ts';
import { loadPolicy, type Policy } from '../../modules/policy/use-cases/load-policy.ts';
import { restateReceipts } from '../../modules/receipts/use-cases/restate-receipts.ts';
import { restoreReceipt, revokeReceipt } from '../../modules/receipts/use-cases/revoke-receipt.ts';
import { createAesGcmCipher } from '../../platform/adapters/credential-cipher/aes-gcm/aes-gcm-cipher.ts';
import type { Config } from '../../platform/config/index.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Logger } from '../../platform/runtime/logger.ts';
import { serviceClock } from '../../platform/runtime/service-clock.ts';
import { createSealedCursors } from '../../platform/shared/cursor.ts';
import { createPersonKeys } from '../../platform/shared/person-keys.ts';
import { createCollectionWorkflows } from '../../platform/temporal/collection-workflows.ts';
import { composeAgent } from './agent.ts';
import { composeChannels } from './channels.ts';
import { composeAccountConnection } from './payment-accounts.ts';
import { REGISTERED_PROVIDERS } from './payment-providers.ts';
import { composeChannelCredentials, composeFiles, composeSenderSources } from './senders.ts';
import type { ServiceParts } from './service-parts.ts';

/** Returns the address of this process's API, or null when the process has none or does not listen yet. */
type ApiUrl = () => string | null;

/** Composes the dependencies of payments. */
export function composePayments(
  config: Config,
  db: Database,
  workflows: CollectionWorkflows,
  apiUrl: ApiUrl,
  policy: Policy = loadPolicy(),
): PaymentDeps {
  const now = serviceClock(config.clockOffset);
  const store = createSandboxChargeStore(db);
  const connection = composeAccountConnection(config, db);
  return {
    ...connection,
    policy,
    workflows,
    receiptLinks: createReceiptLinks({ secrets: config.receiptSecret, publicUrl: config.publicUrl }),
    sandboxOnly: config.paymentProviders.length === 0,
    ...paymentAccounts({
      sandbox: createSandboxProvider({ store, now }),
      real: connection.providers,
      credentials: connection.credentials,
      offered: config.paymentProviders,
      configured: config.singleClient ? (name) => REGISTERED_PROVIDERS[name].accessToken(config) : null,
    }),
    verifyWebhook,
    receipts: { revoke: revokeReceipt, restore: restoreReceipt, restate: restateReceipts({ policy }) },
    bank: createSandboxBank({
      store,
      now,
      webhookBaseUrl: apiUrl,
      webhookSecret: config.paymentWebhookSecret[0] ?? '',
    }),
  };
}

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
  const policy = loadPolicy();
  const payments = composePayments(config, db, workflows, apiUrl, policy);
  return {
    db,
    now,
    policy,
    agent: composeAgent(config, logger, understanding),
    wordingGuard: createWordingGuard(),
    workflows,
    personKeys: createPersonKeys(config.personSecret),
    textHashes: createTextHashes(config.encryptionKey),
    payments,
    contactsPerSecond: config.temporal.contactsPerSecond,
    sendersOf: senders,
    usedChannels: config.messagingChannels,
    files: composeFiles(config, channels, channelCredentials),
    missingConnections: missingConnections({ payments, sendersOf: senders }),
    publicUrl: config.publicUrl,
    receiptLinks: createReceiptLinks({ secrets: config.receiptSecret, publicUrl: config.publicUrl }),
    cursors: createSealedCursors(createAesGcmCipher(config.encryptionKey)),
    sandboxOnly: config.messagingChannels.length === 0,
    sandboxMaxWaitMs: config.sandboxMaxWait,
    note: (message, facts) => logger.info(facts, message),
  };
}
