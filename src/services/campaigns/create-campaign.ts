import type { RequestSource } from '../../db/add-audit.ts';
import { CREATE_CAMPAIGN, READ_CAMPAIGN } from '../../db/queries/campaigns.ts';
import type { SharedDeps } from '../shared/deps.ts';
import { type CampaignView, campaignView } from './campaign-view.ts';

export const createCampaign =
  ({ db, now }: Pick<SharedDeps, 'db' | 'now'>) =>
  async (request: { clientId: string; id: string; name: string; source: RequestSource }): Promise<CampaignView> => {
    const { clientId, id, name, source } = request;
    const { ip, by } = source;
    const campaign = { clientId, id, name, at: now(), ip, by };
    const [made] = await db.writePrepared({ clientId }, CREATE_CAMPAIGN, campaign);
    if (made !== undefined) return campaignView(made);
    // An attempt before this one has created the campaign and then failed to answer.
    const [row] = await db.readPrepared({ clientId }, READ_CAMPAIGN, { clientId, campaignId: id });
    return campaignView(row!);
  };
