import type { Config } from '../config/index.ts';
import type { Database } from '../db/database.ts';
import { purgeExpired } from '../services/accounts/purge-expired.ts';
import { sendAccountMail } from '../services/accounts/send-account-mail.ts';
import type { CollectionDeps } from '../services/collection/deps.ts';
import { deliverReceipt } from '../services/receipts/deliver-receipt.ts';
import type { ReceiptDeps } from '../services/receipts/deps.ts';
import { shortenReceipts } from '../services/receipts/shorten-receipts.ts';
import { composeMailer } from './mailer.ts';
import { composeReceipts } from './receipts.ts';

/** What the worker's activities call. */
export const composeWorkerUseCases = (
  config: Config,
  db: Database,
  collection: CollectionDeps,
  renderer: ReceiptDeps['renderer'],
) => ({
  deliverReceipt: deliverReceipt(composeReceipts(config, collection, renderer)),
  purgeExpired: async () => (await purgeExpired({ db })()) + (await shortenReceipts({ db, now: collection.now })()),
  sendAccountMail: sendAccountMail({ db, mailer: composeMailer(config, db), publicUrl: config.publicUrl }),
});
