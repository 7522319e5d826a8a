import { AppError } from '../../../kernel/errors.ts';
import { CAMPAIGN_EXISTS } from '../../debts/queries/campaigns.ts';
import { COUNTERS_OF_CAMPAIGN, STATUSES_OF_CAMPAIGN } from '../../debts/queries/statistics.ts';
import type { SharedDeps } from '../../deps.ts';
import { type RecoveryFigures, recoveryFigures } from './recovery-figures.ts';

export const readStatistics =
  ({ db }: Pick<SharedDeps, 'db'>) =>
  async ({ clientId, campaignId }: { clientId: string; campaignId: string }): Promise<RecoveryFigures> => {
    const params = { clientId, campaignId };
    const [campaigns, statuses, [totals]] = await Promise.all([
      db.readPrepared({ clientId }, CAMPAIGN_EXISTS, params),
      db.readPrepared({ clientId }, STATUSES_OF_CAMPAIGN, params),
      db.readPrepared({ clientId }, COUNTERS_OF_CAMPAIGN, params),
    ]);
    if (campaigns.length === 0) throw new AppError('not_found');
    return recoveryFigures(statuses, totals!);
  };
