import { defineEntity, p } from '@mikro-orm/postgresql';
import { createdAt, id } from '../../../platform/database/tables/columns.ts';
import { AUTHENTICATION_POLICY, tenantTable } from '../../../platform/database/tables/tenant-table.ts';
import { Client } from './client.ts';

const tenancy = tenantTable();

/** The client's identity at an identity provider. Clients are never matched by e-mail. */
export const Identity = defineEntity({
  name: 'Identity',
  tableName: 'identities',
  properties: {
    id: id(),
    clientId: () => p.manyToOne(Client).mapToPk().fieldName('client_id'),
    issuer: p.text(),
    subject: p.text(),
    createdAt: createdAt(),
  },
  uniques: [{ name: 'identities_issuer_subject', properties: ['issuer', 'subject'] }],
  indexes: [{ name: 'identities_client', properties: ['clientId'] }],
  ...tenancy,
  policies: [...tenancy.policies, AUTHENTICATION_POLICY],
});
