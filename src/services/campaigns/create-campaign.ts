import type { RequestSource } from '../../db/audit.ts';
import type { ServiceDeps } from '../deps.ts';
import { CAMPAIGN_COLUMNS, type CampaignColumns, type CampaignView, campaignView } from './campaign-view.ts';

const insert = {
  name: 'create_campaign',
  text: `
    with made as (
      insert into campaigns (client_id, name, status, created_at, updated_at) values ($1, $2, 'DRAFT', $3, $3)
      returning ${CAMPAIGN_COLUMNS}
    ), audited as (
      insert into audit_log (client_id, actor, action, target, ip, details)
      select $1, 'client', 'campaign_created', id, $4, jsonb_build_object('by', $5::text) from made
    )
    select * from made`,
};

export const createCampaign =
  ({ db, now }: Pick<ServiceDeps, 'db' | 'now'>) =>
  async (request: { clientId: string; name: string; source: RequestSource }): Promise<CampaignView> => {
    const { clientId, name, source } = request;
    const values = [clientId, name, new Date(now()), source.ip, source.by];
    const [row] = await db.write<CampaignColumns>({ clientId }, insert, values);
    return campaignView(row!);
  };
