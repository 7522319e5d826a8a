import { daysBetween, localDate } from '../../../kernel/calendar.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import type { ScoreInput } from '../../debts/rules/score.ts';
import { lockDebts } from '../../debts/use-cases/debt-context.ts';
import type { CollectionDeps } from '../deps.ts';
import { debtsToScore, storeScores } from '../queries/scores.ts';

const PAGE = 1_000;
const MOBILE = /^\+55\d{2}9\d{8}$/;

/** Returns what the agent scores. `today` is the date in São Paulo. */
export const scoreInputOf = (row: Awaited<ReturnType<typeof debtsToScore>>[number], today: string): ScoreInput => ({
  debtId: row.debtId,
  amountCentavos: row.amountCentavos,
  daysOverdue: daysBetween(row.dueDate, today),
  paidBefore: row.paidBefore,
  unpaidBefore: row.unpaidBefore,
  brokenPromises: row.brokenPromises,
  hasMobile: MOBILE.test(row.debtorPhone),
  hasEmail: row.hasEmail,
  lastDelivery: row.lastDelivery,
  hasAnswered: row.hasAnswered,
});

/**
 * Stores the score of every queued debt with its reasons, page by page: of the whole campaign, or of those behind a
 * position. The function is idempotent.
 */
export const scoreCampaign =
  (deps: Pick<CollectionDeps, 'db' | 'agent' | 'now'>) =>
  async (
    task: { readonly clientId: string; readonly campaignId: string; readonly behind?: number },
    heartbeat: () => void,
  ): Promise<void> => {
    const today = localDate(deps.now().getTime(), -3);
    for (let after = task.behind ?? 0; ; ) {
      const rows = await deps.db
        .tenant(task.clientId)
        .transactional((tx) => debtsToScore(tx, { campaignId: task.campaignId, after, limit: PAGE, launch: null }));
      const last = rows.at(-1);
      if (last === undefined) return;
      const scored = await deps.agent.score(rows.map((row) => scoreInputOf(row, today)));
      await deps.db.tenant(task.clientId).transactional(async (tx) => {
        await lockDebts(
          tx,
          scored.map(({ debtId }) => debtId),
        );
        await storeScores(tx, scored);
      });
      after = last.position;
      heartbeat();
    }
  };

/** Scores one debt again, because its facts were corrected. */
export async function scoreDebt(tx: Tx, deps: Pick<CollectionDeps, 'agent' | 'now'>, debtId: string): Promise<void> {
  const today = localDate(deps.now().getTime(), -3);
  const rows = await debtsToScore(tx, { debtId });
  await storeScores(tx, await deps.agent.score(rows.map((row) => scoreInputOf(row, today))));
}
