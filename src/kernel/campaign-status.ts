export const CAMPAIGN_STATUSES = ['DRAFT', 'RUNNING', 'PAUSED', 'COMPLETED', 'ARCHIVED'] as const;
export type CampaignStatus = (typeof CAMPAIGN_STATUSES)[number];

/** A campaign with one of these statuses still contacts debtors, or may be launched. */
export const CAMPAIGN_STATUSES_LEFT: readonly CampaignStatus[] = ['DRAFT', 'RUNNING', 'PAUSED'];
