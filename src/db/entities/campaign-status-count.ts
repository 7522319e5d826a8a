import { defineEntity, p } from '@mikro-orm/postgresql';
import type { DebtStatus } from '../../domain/debt-status.ts';
import { Campaign } from './campaign.ts';
import { Client } from './client.ts';
import { centavos } from './columns.ts';
import { tenantTable } from './tenant-table.ts';

/**
 * How many debts of a campaign have a status, and their amounts: statistics over 200,000 debts are a sum of few rows.
 * Triggers of `debts` keep it, nothing else writes here. Only the sum over `slot` means something (one slot alone may be
 * negative): each transaction counts in a slot that no other uses at the time, so that writers do not queue for one row.
 */
export const CampaignStatusCount = defineEntity({
  name: 'CampaignStatusCount',
  tableName: 'campaign_status_counts',
  properties: {
    campaignId: () => p.manyToOne(Campaign).mapToPk().fieldName('campaign_id').primary(),
    status: p.text().primary().$type<DebtStatus>(),
    slot: p.smallint().primary(),
    clientId: () => p.manyToOne(Client).mapToPk().fieldName('client_id'),
    debts: p.integer(),
    amountCentavos: centavos(),
  },
  indexes: [{ name: 'campaign_status_counts_client', properties: ['clientId', 'campaignId'] }],
  ...tenantTable(),
});
