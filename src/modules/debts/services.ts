import type { SharedDeps } from '../deps.ts';
import { assignCase } from './use-cases/assign-case.ts';
import { exportDebts } from './use-cases/export-debts.ts';
import { listDebts } from './use-cases/list-debts.ts';
import { listInbox } from './use-cases/list-inbox.ts';
import { previewTerms } from './use-cases/preview-terms.ts';
import { quoteDebt } from './use-cases/quote-debt.ts';
import { readDebt, readDebtState, readTimeline } from './use-cases/read-debt.ts';
import { searchDebts } from './use-cases/search-debts.ts';
import { snoozeDebt } from './use-cases/snooze-debt.ts';
import { viewCase } from './use-cases/view-case.ts';
import { writeNote } from './use-cases/write-note.ts';

/** The use cases of debts that a request of the API may call. */
export const createDebtsServices = (deps: SharedDeps) => ({
  assignCase: assignCase(deps),
  exportDebts: exportDebts(deps),
  listDebts: listDebts(deps),
  listInbox: listInbox(deps),
  previewTerms: previewTerms(deps),
  quoteDebt: quoteDebt(deps),
  readDebt: readDebt(deps),
  readDebtState: readDebtState(deps),
  readTimeline: readTimeline(deps),
  searchDebts: searchDebts(deps),
  snoozeDebt: snoozeDebt(deps),
  viewCase: viewCase(deps),
  writeNote: writeNote(deps),
});
