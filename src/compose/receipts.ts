import { createSandboxMailer } from '../adapters/mail/sandbox/sandbox-mailer.ts';
import type { Config } from '../config/index.ts';
import { createSandboxOutboxStore } from '../db/sandbox-outbox-store.ts';
import type { CollectionDeps } from '../services/collection/deps.ts';
import type { DeliveryDeps, ReceiptDeps } from '../services/receipts/deps.ts';
import { composeMailer } from './mailer.ts';

/** A worker's receipts. A sandbox debt's mail never leaves the machine, whatever mail server there is. */
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
