import { defineEntity, p } from '@mikro-orm/postgresql';
import { createdAt, id } from '../../../platform/database/tables/columns.ts';
import { AUTHENTICATION_POLICY, tenantTable } from '../../../platform/database/tables/tenant-table.ts';
import { Client } from './client.ts';
import { Member } from './member.ts';

const tenancy = tenantTable();

/** A member's identity at an identity provider. Members are never matched by e-mail. */
export const Identity = defineEntity({
  name: 'Identity',
  tableName: 'identities',
  properties: {
    id: id(),
    clientId: () => p.manyToOne(Client).mapToPk().fieldName('client_id'),
    memberId: () => p.manyToOne(Member).mapToPk().fieldName('member_id'),
    issuer: p.text(),
    subject: p.text(),
    createdAt: createdAt(),
  },
  uniques: [{ name: 'identities_issuer_subject', properties: ['issuer', 'subject'] }],
  indexes: [
    { name: 'identities_client', properties: ['clientId'] },
    { name: 'identities_member', properties: ['memberId'] },
  ],
  ...tenancy,
  policies: [...tenancy.policies, AUTHENTICATION_POLICY],
});
