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

export interface CampaignColumns {
  readonly id: string;
  readonly name: string;
  readonly status: CampaignStatus;
  readonly sandbox: boolean | null;
  readonly created_at: Date;
  readonly launched_at: Date | null;
}

export const CAMPAIGN_COLUMNS = 'id, name, status, sandbox, created_at, launched_at';

export const campaignView = (row: CampaignColumns): CampaignView => ({
  id: row.id,
  name: row.name,
  status: row.status,
  sandbox: row.sandbox,
  createdAt: row.created_at.toISOString(),
  launchedAt: row.launched_at?.toISOString() ?? null,
});
