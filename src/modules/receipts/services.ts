import { archiveReceipts } from './use-cases/archive-receipts.ts';
import type { ReceiptDeps } from './use-cases/deps.ts';
import { downloadAgreement } from './use-cases/download-agreement.ts';
import { downloadReceipt } from './use-cases/download-receipt.ts';
import { listReceipts, searchReceipts } from './use-cases/list-receipts.ts';
import { regenerateReceipts } from './use-cases/regenerate-receipts.ts';
import { requestReceipt } from './use-cases/request-receipt.ts';
import { verifyAgreement } from './use-cases/verify-agreement.ts';
import { verifyReceipt } from './use-cases/verify-receipt.ts';

/** The use cases of receipts that a request of the API may call. */
export const createReceiptsServices = (deps: ReceiptDeps) => ({
  archiveReceipts: archiveReceipts(deps),
  downloadAgreement: downloadAgreement(deps),
  downloadReceipt: downloadReceipt(deps),
  listReceipts: listReceipts(deps),
  regenerateReceipts: regenerateReceipts(deps),
  requestReceipt: requestReceipt(deps),
  searchReceipts: searchReceipts(deps),
  verifyAgreement: verifyAgreement(deps),
  verifyReceipt: verifyReceipt(deps),
});
