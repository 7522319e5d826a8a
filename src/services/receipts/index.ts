import type { ReceiptDeps } from './deps.ts';
import { downloadReceipt, verifyReceipt } from './read-receipt.ts';
import { regenerateReceipts } from './regenerate-receipts.ts';
import { requestReceipt } from './request-receipt.ts';

/** The services that the API calls for requests about receipts. */
export const createReceiptRequests = (deps: ReceiptDeps) => ({
  downloadReceipt: downloadReceipt(deps),
  regenerateReceipts: regenerateReceipts(deps),
  requestReceipt: requestReceipt(deps),
  verifyReceipt: verifyReceipt(deps),
});
