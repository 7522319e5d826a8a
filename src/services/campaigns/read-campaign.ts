import { AppError } from '../../domain/errors.ts';
import type { ServiceDeps } from '../deps.ts';
import { CAMPAIGN_COLUMNS, type CampaignColumns, type CampaignView, campaignView } from './campaign-view.ts';

const read = {
  name: 'read_campaign',
  text: `select ${CAMPAIGN_COLUMNS} from campaigns where client_id = $1 and id = $2`,
};

export const readCampaign =
  ({ db }: Pick<ServiceDeps, 'db'>) =>
  async ({ clientId, campaignId }: { clientId: string; campaignId: string }): Promise<CampaignView> => {
    const [row] = await db.read<CampaignColumns>({ clientId }, read, [clientId, campaignId]);
    if (row === undefined) throw new AppError('not_found');
    return campaignView(row);
  };
