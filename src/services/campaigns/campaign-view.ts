import type { ListedCampaign } from '../../db/queries/campaigns.ts';
import type { CampaignStatus } from '../../domain/campaign-status.ts';

export interface CampaignView {
  readonly id: string;
  readonly name: string;
  readonly status: CampaignStatus;
  /** Null until the campaign is launched. */
  readonly sandbox: boolean | null;
  readonly createdAt: string;
  readonly launchedAt: string | null;
}

export const campaignView = (row: ListedCampaign): CampaignView => ({
  id: row.id,
  name: row.name,
  status: row.status,
  sandbox: row.sandbox,
  createdAt: row.createdAt.toISOString(),
  launchedAt: row.launchedAt?.toISOString() ?? null,
});
