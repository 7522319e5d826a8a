import type { CollectionDeps } from '../../modules/collection/deps.ts';
import { createSandboxMailer } from '../../modules/messaging/adapters/mail-sandbox/sandbox-mailer.ts';
import { createSandboxOutboxStore } from '../../modules/messaging/queries/sandbox-outbox-store.ts';
import type { DeliveryDeps, ReceiptDeps } from '../../modules/receipts/use-cases/deps.ts';
import type { Config } from '../../platform/config/index.ts';
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
