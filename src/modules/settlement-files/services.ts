import type { SettlementFileDeps } from './use-cases/deps.ts';
import { listOrphans } from './use-cases/list-orphans.ts';
import { settleFile } from './use-cases/settle-file.ts';

/** The use cases of payments received elsewhere that a request of the API may call. */
export const createSettlementFilesServices = (deps: SettlementFileDeps) => ({
  listOrphans: listOrphans(deps),
  settleFile: settleFile(deps),
});
