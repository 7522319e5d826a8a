import type { ReceiptDeps } from './deps.ts';
import { downloadReceipt, verifyReceipt } from './read-receipt.ts';
import { regenerateReceipts } from './regenerate-receipts.ts';
import { requestReceipt } from './request-receipt.ts';

/** What clients and debtors may ask of receipts: the API's part of the services. */
export const createReceiptRequests = (deps: ReceiptDeps) => ({
  downloadReceipt: downloadReceipt(deps),
  regenerateReceipts: regenerateReceipts(deps),
  requestReceipt: requestReceipt(deps),
  verifyReceipt: verifyReceipt(deps),
});
