import { defineEntity, p } from '@mikro-orm/postgresql';
import type { DebtStatus } from '../../../kernel/debt-status.ts';
import { centavos } from '../../../platform/database/tables/columns.ts';
import { tenantTable } from '../../../platform/database/tables/tenant-table.ts';
import { Client } from '../../accounts/tables/client.ts';
import { Campaign } from './campaign.ts';

/**
 * The number and the amount of a campaign's debts by status, so that statistics over 200,000 debts are a sum of few
 * rows. Only triggers of `debts` write this table. Only the sum over `slot` is meaningful, because a single slot may be
 * negative: each transaction counts in a slot that no other uses at that time, so that writers do not wait for one row.
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
