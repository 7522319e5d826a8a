import { AppError } from '../../domain/errors.ts';
import type { ScoreReason } from '../../domain/score.ts';
import type { ServiceDeps } from '../deps.ts';
import { DEBT_COLUMNS, type DebtColumns, type DebtView, debtView } from './debt-view.ts';
import { readTimeline, type TimelineEntry } from './read-timeline.ts';

export interface DebtDetails extends DebtView {
  readonly scoreReasons: ScoreReason[] | null;
  readonly timeline: TimelineEntry[];
}

interface Row extends DebtColumns {
  readonly score_reasons: ScoreReason[] | null;
  readonly created_at: Date;
  readonly scored_at: Date | null;
  readonly launched_at: Date | null;
}

const read = {
  name: 'read_debt',
  text: `select ${DEBT_COLUMNS.map((column) => `d.${column}`).join(', ')}, d.score_reasons, d.created_at, d.scored_at,
      c.launched_at
    from debts d join campaigns c on c.id = d.campaign_id
    where d.client_id = $1 and d.id = $2`,
};

export const readDebt =
  (deps: Pick<ServiceDeps, 'db'>) =>
  async ({ clientId, debtId }: { clientId: string; debtId: string }): Promise<DebtDetails> => {
    const [row] = await deps.db.read<Row>({ clientId }, read, [clientId, debtId]);
    if (row === undefined) throw new AppError('not_found');
    const timeline = await readTimeline(deps)(clientId, debtId, {
      createdAt: row.created_at,
      launchedAt: row.launched_at,
      scoredAt: row.scored_at,
      score: row.score,
    });
    return { ...debtView(row), scoreReasons: row.score_reasons, timeline };
  };
