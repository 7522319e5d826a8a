import type { PrivacyWorkflows } from '../../kernel/ports/privacy-workflows.ts';
import type { Database } from '../../platform/database/database.ts';
import { changeRetention, readRetention } from '../accounts/use-cases/retention.ts';
import { askForErasure } from './use-cases/ask-for-erasure.ts';

export interface PrivacyDeps {
  readonly db: Database;
  readonly workflows: PrivacyWorkflows;
}

/** The use cases of privacy that a request of the API may call. */
export const createPrivacyServices = (deps: PrivacyDeps) => ({
  askForErasure: askForErasure(deps),
  changeRetention: changeRetention(deps),
  readRetention: readRetention(deps),
});
