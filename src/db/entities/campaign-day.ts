import { defineEntity, p } from '@mikro-orm/postgresql';
import { Campaign } from './campaign.ts';
import { Client } from './client.ts';
import { centavos } from './columns.ts';
import { tenantTable } from './tenant-table.ts';

/**
 * What happened in a campaign on one day (America/Sao_Paulo, by the real clock), counted as it happens: statistics over
 * millions of messages stay a sum of few rows. Spread over `slot`, so that busy campaigns do not queue for one row.
 */
export const CampaignDay = defineEntity({
  name: 'CampaignDay',
  tableName: 'campaign_days',
  properties: {
    campaignId: () => p.manyToOne(Campaign).mapToPk().fieldName('campaign_id').primary(),
    day: p.date().primary(),
    slot: p.smallint().primary(),
    clientId: () => p.manyToOne(Client).mapToPk().fieldName('client_id'),
    contactsSent: p.integer().default(0),
    contactsBlocked: p.integer().default(0),
    messagesReceived: p.integer().default(0),
    paymentsApproved: p.integer().default(0),
    /** Approved less refunded. */
    recoveredCentavos: centavos().default(0),
  },
  indexes: [{ name: 'campaign_days_client_day', properties: ['clientId', 'day'] }],
  ...tenantTable(),
});
