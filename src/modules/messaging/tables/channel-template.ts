import { defineEntity, p } from '@mikro-orm/postgresql';
import { instant, oneOf, updatedAt } from '../../../platform/database/tables/columns.ts';
import { OWNER_INSERT, tenantTable } from '../../../platform/database/tables/tenant-table.ts';
import { Client } from '../../accounts/tables/client.ts';
import { TEMPLATE_STATES, type TemplateState } from '../rules/template-states.ts';

const tenancy = tenantTable();

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
    /** From when on the channel takes it for advertising, which is then not sent; null when it takes it for none. */
    marketingFrom: instant().nullable(),
    /** When the channel said so, by its own clock: news that come late and are older change nothing. */
    categoryToldAt: instant().nullable(),
    /** When the client was told that the template became advertising. */
    marketingMailedAt: instant().nullable(),
    updatedAt: updatedAt(),
  },
  checks: [{ name: 'channel_templates_state_known', expression: oneOf('state', TEMPLATE_STATES) }],
  ...tenancy,
  policies: [...tenancy.policies, OWNER_INSERT],
});
