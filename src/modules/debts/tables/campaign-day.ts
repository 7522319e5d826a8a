import { defineEntity, p } from '@mikro-orm/postgresql';
import { centavos } from '../../../platform/database/tables/columns.ts';
import { tenantTable } from '../../../platform/database/tables/tenant-table.ts';
import { Client } from '../../accounts/tables/client.ts';
import { Campaign } from './campaign.ts';

/**
 * The counters of a campaign for one day (America/Sao_Paulo, by the real clock). Each event updates them, so that
 * statistics over millions of messages are a sum of few rows. They are spread over `slot`, so that the writers of a
 * busy campaign do not wait for one row.
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
    remindersSent: p.integer().default(0),
    contactsBlocked: p.integer().default(0),
    messagesReceived: p.integer().default(0),
    paymentsApproved: p.integer().default(0),
    /** The approved amount less the refunded amount. */
    recoveredCentavos: centavos().default(0),
    /** The parts of it that were credited to something else than the principal. */
    recoveredFineCentavos: centavos().default(0),
    recoveredInterestCentavos: centavos().default(0),
    recoveredCorrectionCentavos: centavos().default(0),
    /** What codes and payments have asked for beside the principal. A renewed code counts what it adds. */
    chargedFineCentavos: centavos().default(0),
    chargedInterestCentavos: centavos().default(0),
    chargedCorrectionCentavos: centavos().default(0),
    /** Promises after which the debt was paid, and promises that lapsed. */
    promisesKept: p.integer().default(0),
    promisesBroken: p.integer().default(0),
  },
  indexes: [{ name: 'campaign_days_client_day', properties: ['clientId', 'day'] }],
  ...tenantTable(),
});
