import type { RequestSource } from '../../db/add-audit.ts';
import { CREATE_CAMPAIGN } from '../../db/queries/campaigns.ts';
import type { SharedDeps } from '../shared/deps.ts';
import { type CampaignView, campaignView } from './campaign-view.ts';

export const createCampaign =
  ({ db, now }: Pick<SharedDeps, 'db' | 'now'>) =>
  async (request: { clientId: string; name: string; source: RequestSource }): Promise<CampaignView> => {
    const { clientId, name, source } = request;
    const { ip, by } = source;
    const campaign = { clientId, name, at: now(), ip, by };
    const [row] = await db.writePrepared({ clientId }, CREATE_CAMPAIGN, campaign);
    return campaignView(row!);
  };
