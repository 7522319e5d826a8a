import { defineEntity, p } from '@mikro-orm/postgresql';
import { createdAt, id } from '../../../platform/database/tables/columns.ts';
import { tenantTable } from '../../../platform/database/tables/tenant-table.ts';
import { Client } from '../../accounts/tables/client.ts';
import { Campaign } from '../../debts/tables/campaign.ts';

/**
 * The client's own wording of a step of a campaign. No row ever changes: a message names the version of its text, and
 * the newest one applies. A version without a text stands for the return to the product's wording.
 */
export const MessageText = defineEntity({
  name: 'MessageText',
  tableName: 'message_texts',
  properties: {
    id: id(),
    clientId: () => p.manyToOne(Client).mapToPk().fieldName('client_id'),
    campaignId: () => p.manyToOne(Campaign).mapToPk().fieldName('campaign_id'),
    /** The first step is 1. */
    step: p.integer(),
    version: p.integer(),
    text: p.text().nullable(),
    /** The wording for channels that take short texts; null for the product's. */
    short: p.text().nullable(),
    createdAt: createdAt(),
  },
  uniques: [{ name: 'message_texts_version', properties: ['campaignId', 'step', 'version'] }],
  indexes: [{ name: 'message_texts_client', properties: ['clientId'] }],
  checks: [
    { name: 'message_texts_counts', expression: 'step > 0 and version > 0' },
    { name: 'message_texts_short_has_text', expression: 'short is null or text is not null' },
  ],
  ...tenantTable(),
});
