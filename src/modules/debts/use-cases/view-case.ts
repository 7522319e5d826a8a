import { AppError } from '../../../kernel/errors.ts';
import type { Author } from '../../accounts/rules/author.ts';
import type { SharedDeps } from '../../deps.ts';
import { viewDebt, WORKERS_OF_DEBT } from '../queries/case-viewers.ts';

export interface CaseWorkers {
  /** The member who has the case. */
  readonly assignee?: Author;
  /** The other members who have it open. */
  readonly viewing: readonly Author[];
}

export const workersView = (
  found: { readonly assignee: Author | null; readonly viewing: readonly Author[] } | undefined,
): CaseWorkers => ({
  ...(found?.assignee == null ? {} : { assignee: found.assignee }),
  viewing: found?.viewing ?? [],
});

interface View {
  readonly clientId: string;
  readonly debtId: string;
  readonly memberId: string;
}

/**
 * Says that the calling member has the case of a debt open, for two minutes or until it opens another one, and returns
 * who else works on it. It locks nothing that a decision needs.
 */
export const viewCase =
  ({ db }: Pick<SharedDeps, 'db'>) =>
  async ({ clientId, debtId, memberId }: View): Promise<CaseWorkers> => {
    const known = await db.tenant(clientId).transactional((tx) => viewDebt(tx, debtId));
    if (!known) throw new AppError('not_found');
    const [workers] = await db.readPrepared({ clientId }, WORKERS_OF_DEBT, { debtId, memberId });
    return workersView(workers);
  };
