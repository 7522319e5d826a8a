import { createSandboxMailer } from '../adapters/mail/sandbox/sandbox-mailer.ts';
import type { Config } from '../config/index.ts';
import { createSandboxOutboxStore } from '../db/sandbox-outbox-store.ts';
import type { CollectionDeps } from '../services/collection/deps.ts';
import type { DeliveryDeps, ReceiptDeps } from '../services/receipts/deps.ts';
import { composeMailer } from './mailer.ts';

/** Composes the dependencies of receipts for a worker. The mail of a sandbox debt never reaches a mail server. */
export function composeReceipts(
  config: Config,
  collection: CollectionDeps,
  renderer: ReceiptDeps['renderer'],
): DeliveryDeps {
  const { db } = collection;
  const mailer = composeMailer(config, db);
  const sandboxMailer = createSandboxMailer(createSandboxOutboxStore(db));
  return { ...collection, renderer, mailerOf: ({ sandbox }) => (sandbox ? sandboxMailer : mailer) };
}
