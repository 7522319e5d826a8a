import type { RealChannel } from '../../../kernel/messaging-channels.ts';
import type { RequestSource } from '../../accounts/queries/add-audit.ts';
import { CREATE_CAMPAIGN, READ_CAMPAIGN } from '../../debts/queries/campaigns.ts';
import type { SharedDeps } from '../../deps.ts';
import { type CampaignView, campaignView } from './campaign-view.ts';

interface NewCampaign {
  readonly clientId: string;
  readonly id: string;
  readonly name: string;
  readonly channels: readonly RealChannel[] | null;
  readonly source: RequestSource;
}

export const createCampaign =
  ({ db, now }: Pick<SharedDeps, 'db' | 'now'>) =>
  async (request: NewCampaign): Promise<CampaignView> => {
    const { clientId, id, name, channels, source } = request;
    const { ip, by } = source;
    const campaign = { clientId, id, name, channels, reminders: null, sandbox: null, at: now(), ip, by };
    const [made] = await db.writePrepared({ clientId }, CREATE_CAMPAIGN, campaign);
    if (made !== undefined) return campaignView(made);
    // An attempt before this one has created the campaign and then failed to answer.
    const [row] = await db.readPrepared({ clientId }, READ_CAMPAIGN, { clientId, campaignId: id });
    return campaignView(row!);
  };
