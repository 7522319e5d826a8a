import type { CollectionDeps } from '../../modules/collection/deps.ts';
import { createHttpWebhookSender } from '../../modules/events/adapters/webhooks/http/http-webhook-sender.ts';
import type { EventDeps } from '../../modules/events/use-cases/deps.ts';
import { createAesGcmCipher } from '../../platform/adapters/credential-cipher/aes-gcm/aes-gcm-cipher.ts';
import type { Config } from '../../platform/config/index.ts';
import { createEventWorkflows } from '../../platform/temporal/event-workflows.ts';

/** Composes the dependencies of events and webhooks, for the use cases of the API and for those of the worker. */
export const composeEvents = (config: Config, { db, now, cursors, workflows }: CollectionDeps): EventDeps => ({
  db,
  now,
  cursors,
  realNow: Date.now,
  sender: createHttpWebhookSender({ allowLoopback: config.nodeEnv !== 'production' }),
  cipher: createAesGcmCipher(config.encryptionKey),
  workflows: createEventWorkflows(workflows),
});
