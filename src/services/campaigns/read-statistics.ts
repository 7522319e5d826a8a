import { AppError } from '../../domain/errors.ts';
import type { ServiceDeps } from '../deps.ts';
import {
  COUNTER_COLUMNS,
  type CountersRow,
  type RecoveryFigures,
  recoveryFigures,
  STATUS_COLUMNS,
  type StatusRow,
} from './recovery-figures.ts';

const exists = { name: 'campaign_exists', text: 'select 1 from campaigns where client_id = $1 and id = $2' };

export const statisticsByStatus = {
  name: 'statistics_by_status',
  text: `select ${STATUS_COLUMNS} from campaign_status_counts where client_id = $1 and campaign_id = $2 group by status`,
};

const counters = {
  name: 'statistics_counters',
  text: `select ${COUNTER_COLUMNS} from campaign_days where client_id = $1 and campaign_id = $2`,
};

export const readStatistics =
  ({ db }: Pick<ServiceDeps, 'db'>) =>
  async ({ clientId, campaignId }: { clientId: string; campaignId: string }): Promise<RecoveryFigures> => {
    const params = [clientId, campaignId];
    const [campaigns, statuses, [totals]] = await Promise.all([
      db.read({ clientId }, exists, params),
      db.read<StatusRow>({ clientId }, statisticsByStatus, params),
      db.read<CountersRow>({ clientId }, counters, params),
    ]);
    if (campaigns.length === 0) throw new AppError('not_found');
    return recoveryFigures(statuses, totals!);
  };
