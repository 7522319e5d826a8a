import { defineEntity, p } from '@mikro-orm/postgresql';
import { centavos } from '../../../platform/database/tables/columns.ts';
import { tenantTable } from '../../../platform/database/tables/tenant-table.ts';
import { Client } from '../../accounts/tables/client.ts';
import { Campaign } from './campaign.ts';

/**
 * The number and the amount of a campaign's open debts by due date, so that the dashboard sums few rows whatever the
 * number of debts. Only triggers of `debts` write this table, in the slots of `campaign_status_counts`.
 */
export const CampaignDueCount = defineEntity({
  name: 'CampaignDueCount',
  tableName: 'campaign_due_counts',
  properties: {
    campaignId: () => p.manyToOne(Campaign).mapToPk().fieldName('campaign_id').primary(),
    dueDate: p.date().primary(),
    slot: p.smallint().primary(),
    clientId: () => p.manyToOne(Client).mapToPk().fieldName('client_id'),
    debts: p.integer(),
    amountCentavos: centavos(),
  },
  indexes: [{ name: 'campaign_due_counts_client', properties: ['clientId', 'campaignId'] }],
  ...tenantTable(),
});
