import type { EntityManager } from '@mikro-orm/postgresql';
import { addRequestAudit, type RequestSource } from '../../db/audit.ts';
import { addOutbox } from '../../db/outbox.ts';
import { runInTransaction } from '../../db/statement.ts';
import { AppError } from '../../domain/errors.ts';
import { debtNow } from './clock.ts';
import { type DebtContext, loadDebt } from './debt-context.ts';
import type { CollectionDeps } from './deps.ts';
import { moveDebt } from './move-debt.ts';

interface DebtRequest {
  readonly clientId: string;
  readonly debtId: string;
  readonly source: RequestSource;
}

const RUN_AGAIN = `update campaigns set status = 'RUNNING', updated_at = now() where id = $1 and status = 'COMPLETED'`;

const change =
  (
    deps: CollectionDeps,
    event: 'resumed' | 'withdrawn',
    also: (em: EntityManager, debt: DebtContext) => Promise<void>,
  ) =>
  async ({ clientId, debtId, source }: DebtRequest): Promise<void> => {
    await deps.db.tenant(clientId).transactional(async (em) => {
      const debt = await loadDebt(em, debtId, { hold: true });
      if (debt === null) throw new AppError('not_found');
      const at = debtNow(debt.clockOffsetMs, deps.now().getTime());
      const moved = await moveDebt(em, deps.workflows, debtId, event, at);
      if (moved === null) {
        throw new AppError('debt_state', { detail: `A debt that is ${debt.status} cannot do this.` });
      }
      await also(em, debt);
      const details = { from: debt.status };
      await addRequestAudit(em, { clientId, source, action: `debt_${event}`, target: debtId, details });
      // A debt of a draft has no workflow, and needs none to be left alone.
      if (debt.campaignStatus !== 'DRAFT') await addOutbox(em, deps.workflows.wakeDebt(debt, 'stateChanged'));
    });
  };

/** The client has looked at a dispute or a hold: collection goes on, from the gate's next opening. */
export const resumeDebt = (deps: CollectionDeps) =>
  change(deps, 'resumed', async (em, debt) => {
    if (debt.campaignStatus === 'ARCHIVED') throw new AppError('debt_state', { detail: 'Its campaign is archived.' });
    if (debt.campaignStatus === 'DRAFT') throw new AppError('debt_state', { detail: 'Its campaign is not launched.' });
    await runInTransaction(em, RUN_AGAIN, [debt.campaignId]);
  });

/** The client gives the debt up. */
export const withdrawDebt = (deps: CollectionDeps) => change(deps, 'withdrawn', async () => {});
