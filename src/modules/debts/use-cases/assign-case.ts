import { AppError } from '../../../kernel/errors.ts';
import { addRequestAudit, type RequestSource } from '../../accounts/queries/add-audit.ts';
import { findWorkingMember } from '../../accounts/queries/working-members.ts';
import type { Author } from '../../accounts/rules/author.ts';
import type { SharedDeps } from '../../deps.ts';
import { assignInboxItems, openCase } from '../queries/case-assignees.ts';
import { loadDebt } from './debt-context.ts';

interface Assignment {
  readonly clientId: string;
  readonly debtId: string;
  /** Null gives the case back to nobody. */
  readonly assigneeId: string | null;
  /** Who had the case when the caller looked; undefined: whoever has it. */
  readonly seen: string | null | undefined;
  readonly source: RequestSource;
}

const notWorking = (): AppError =>
  new AppError('validation_failed', {
    errors: [{ pointer: '/memberId', code: 'member_unknown', message: 'Nobody of this company who may work on debts' }],
  });

/**
 * Gives the case of a debt, which is all that it waits for now, to a member. The assignment ends with the case: what the
 * debt waits for after that is a new case, and nobody's.
 */
export const assignCase =
  ({ db }: Pick<SharedDeps, 'db'>) =>
  async ({ clientId, debtId, assigneeId, seen, source }: Assignment): Promise<Author | null> =>
    db.tenant(clientId).transactional(async (tx) => {
      const member = assigneeId === null ? null : await findWorkingMember(tx, clientId, assigneeId);
      if (member === undefined) throw notWorking();
      // Items are opened and closed under the same lock, and of two members who take a case at once one is second.
      const debt = await loadDebt(tx, debtId, { forUpdate: true });
      if (debt === null) throw new AppError('not_found');
      const found = await openCase(tx, debtId);
      if (found === undefined) throw new AppError('debt_state', { detail: 'This debt waits for no decision.' });
      const from = found.assigneeId;
      const to = member?.id ?? null;
      if (from === to) return member;
      if (seen !== undefined && seen !== from) throw new AppError('case_taken');
      await assignInboxItems(tx, debtId, to);
      await addRequestAudit(tx, { clientId, source, action: 'case_assigned', target: debtId, details: { from, to } });
      return member;
    });
