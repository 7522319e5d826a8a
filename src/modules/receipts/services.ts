import { issueAnnualQuittance, readAnnualQuittance } from './use-cases/annual-quittance.ts';
import { archiveReceipts } from './use-cases/archive-receipts.ts';
import type { ReceiptDeps } from './use-cases/deps.ts';
import { downloadAgreement } from './use-cases/download-agreement.ts';
import { downloadReceipt } from './use-cases/download-receipt.ts';
import { listReceipts, searchReceipts } from './use-cases/list-receipts.ts';
import { downloadAnnualQuittance, verifyAnnualQuittance } from './use-cases/quittance-document.ts';
import type { QuittanceDeps } from './use-cases/read-quittance-year.ts';
import { regenerateReceipts } from './use-cases/regenerate-receipts.ts';
import { requestReceipt } from './use-cases/request-receipt.ts';
import { verifyAgreement } from './use-cases/verify-agreement.ts';
import { verifyReceipt } from './use-cases/verify-receipt.ts';

/** The use cases of receipts that a request of the API may call. */
export const createReceiptsServices = (deps: ReceiptDeps & QuittanceDeps) => ({
  archiveReceipts: archiveReceipts(deps),
  downloadAgreement: downloadAgreement(deps),
  downloadAnnualQuittance: downloadAnnualQuittance(deps),
  downloadReceipt: downloadReceipt(deps),
  issueAnnualQuittance: issueAnnualQuittance(deps),
  listReceipts: listReceipts(deps),
  readAnnualQuittance: readAnnualQuittance(deps),
  regenerateReceipts: regenerateReceipts(deps),
  requestReceipt: requestReceipt(deps),
  searchReceipts: searchReceipts(deps),
  verifyAgreement: verifyAgreement(deps),
  verifyAnnualQuittance: verifyAnnualQuittance(deps),
  verifyReceipt: verifyReceipt(deps),
});
