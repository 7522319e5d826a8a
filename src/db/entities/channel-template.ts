import { defineEntity, p } from '@mikro-orm/postgresql';
import { TEMPLATE_STATES, type TemplateState } from '../../domain/template-states.ts';
import { Client } from './client.ts';
import { oneOf, updatedAt } from './columns.ts';
import { tenantTable } from './tenant-table.ts';

/** What a channel last said about a template of the product in a client's account. */
export const ChannelTemplate = defineEntity({
  name: 'ChannelTemplate',
  tableName: 'channel_templates',
  properties: {
    clientId: () => p.manyToOne(Client).mapToPk().fieldName('client_id').primary(),
    channel: p.text().primary(),
    accountId: p.text().primary(),
    /** With its version. */
    name: p.text().primary(),
    state: p.text().$type<TemplateState>(),
    reason: p.text().nullable(),
    updatedAt: updatedAt(),
  },
  checks: [{ name: 'channel_templates_state_known', expression: oneOf('state', TEMPLATE_STATES) }],
  ...tenantTable(),
});
