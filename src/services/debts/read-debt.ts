import { READ_DEBT } from '../../db/queries/debt-lists.ts';
import { AppError } from '../../domain/errors.ts';
import type { ScoreReason } from '../../domain/score.ts';
import type { SharedDeps } from '../shared/deps.ts';
import { debtNow } from './clock.ts';
import { type DebtView, debtView } from './debt-view.ts';
import { readTimeline, type TimelineEntry } from './read-timeline.ts';

export interface DebtDetails extends DebtView {
  /** Until when staff have the conversation, by the debt's own clock; null when the agent has it. */
  readonly staffAnswersUntil: string | null;
  readonly scoreReasons: ScoreReason[] | null;
  readonly timeline: TimelineEntry[];
}

export const readDebt =
  (deps: Pick<SharedDeps, 'db' | 'now'>) =>
  async ({ clientId, debtId }: { clientId: string; debtId: string }): Promise<DebtDetails> => {
    const [row] = await deps.db.readPrepared({ clientId }, READ_DEBT, { clientId, debtId });
    if (row === undefined) throw new AppError('not_found');
    const timeline = await readTimeline(deps)(clientId, debtId, {
      createdAt: row.createdAt,
      launchedAt: row.launchedAt,
      scoredAt: row.scoredAt,
      score: row.score,
    });
    const until = row.staffAnswersUntil;
    const isOver = until === null || until.getTime() <= debtNow(row.clockOffsetMs, deps.now().getTime());
    const staffAnswersUntil = isOver ? null : until.toISOString();
    return { ...debtView(row), staffAnswersUntil, scoreReasons: row.scoreReasons?.slice() ?? null, timeline };
  };
