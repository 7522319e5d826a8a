import { defineEntity, p } from '@mikro-orm/postgresql';
import { createdAt, id, instant } from '../../../platform/database/tables/columns.ts';
import { AUTHENTICATION_POLICY, OWNER_POLICIES, tenantTable } from '../../../platform/database/tables/tenant-table.ts';
import { Client } from './client.ts';
import { Member } from './member.ts';

const tenancy = tenantTable();

/** A code that takes the place of the app's, once. The codes of a member are made and deleted with its second factor. */
export const RecoveryCode = defineEntity({
  name: 'RecoveryCode',
  tableName: 'recovery_codes',
  properties: {
    id: id(),
    clientId: () => p.manyToOne(Client).mapToPk().fieldName('client_id'),
    memberId: () => p.manyToOne(Member).mapToPk().fieldName('member_id'),
    /** The SHA-256 of the member and the code, which one answer alone has shown. */
    codeHash: p.text(),
    usedAt: instant().nullable(),
    createdAt: createdAt(),
  },
  uniques: [{ name: 'recovery_codes_code', properties: ['memberId', 'codeHash'] }],
  indexes: [{ name: 'recovery_codes_client', properties: ['clientId'] }],
  ...tenancy,
  policies: [...tenancy.policies, AUTHENTICATION_POLICY, ...OWNER_POLICIES],
});
