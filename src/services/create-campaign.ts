import { CAMPAIGN_COLUMNS, type CampaignColumns, type CampaignView, campaignView } from './campaign-view.ts';
import type { ServiceDeps } from './deps.ts';

const insert = {
  name: 'create_campaign',
  text: `insert into campaigns (client_id, name, status, created_at, updated_at) values ($1, $2, 'DRAFT', $3, $3)
    returning ${CAMPAIGN_COLUMNS}`,
};

export const createCampaign =
  ({ db, now }: Pick<ServiceDeps, 'db' | 'now'>) =>
  async ({ clientId, name }: { clientId: string; name: string }): Promise<CampaignView> => {
    const [row] = await db.write<CampaignColumns>({ clientId }, insert, [clientId, name, new Date(now())]);
    return campaignView(row!);
  };
