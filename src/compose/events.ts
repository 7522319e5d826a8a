import { createAesGcmCipher } from '../adapters/credential-cipher/aes-gcm/aes-gcm-cipher.ts';
import { createHttpWebhookSender } from '../adapters/webhooks/http/http-webhook-sender.ts';
import type { Config } from '../config/index.ts';
import type { CollectionDeps } from '../services/collection/deps.ts';
import type { EventDeps } from '../services/events/deps.ts';
import { createEventWorkflows } from '../temporal/event-workflows.ts';

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
