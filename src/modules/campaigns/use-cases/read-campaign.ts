import { AppError } from '../../../kernel/errors.ts';
import { READ_CAMPAIGN } from '../../debts/queries/campaigns.ts';
import type { SharedDeps } from '../../deps.ts';
import { type CampaignView, campaignView } from './campaign-view.ts';

export const readCampaign =
  ({ db }: Pick<SharedDeps, 'db'>) =>
  async ({ clientId, campaignId }: { clientId: string; campaignId: string }): Promise<CampaignView> => {
    const [row] = await db.readPrepared({ clientId }, READ_CAMPAIGN, { clientId, campaignId });
    if (row === undefined) throw new AppError('not_found');
    return campaignView(row);
  };
