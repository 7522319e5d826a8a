import { AppError } from '../../../kernel/errors.ts';
import { addRequestAudit, type RequestSource } from '../../accounts/queries/add-audit.ts';
import { loadDebt, lockDebtsOfPerson } from '../../debts/use-cases/debt-context.ts';
import type { CollectionDeps } from '../deps.ts';
import { giveBack } from './staff-conversation.ts';

/** A person at the client ends their conversation with the debtor: the agent answers and collects again. */
export const handBack =
  (deps: CollectionDeps) =>
  async (request: {
    readonly clientId: string;
    readonly debtId: string;
    readonly source: RequestSource;
  }): Promise<void> => {
    const { clientId, debtId, source } = request;
    await deps.db.tenant(clientId).transactional(async (tx) => {
      const seen = await loadDebt(tx, debtId);
      if (seen === null) throw new AppError('not_found');
      await lockDebtsOfPerson(tx, seen);
      const debt = (await loadDebt(tx, debtId)) ?? seen;
      if (!(await giveBack(tx, deps, debt))) {
        throw new AppError('debt_state', { detail: 'Nobody of your staff has the conversation with this debtor.' });
      }
      await addRequestAudit(tx, { clientId, source, action: 'debt_handed_back', target: debtId });
    });
  };
