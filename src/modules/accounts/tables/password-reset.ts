import { defineEntity, p } from '@mikro-orm/postgresql';
import { createdAt, id, instant } from '../../../platform/database/tables/columns.ts';
import { AUTHENTICATION_POLICY, purgePolicy, tenantTable } from '../../../platform/database/tables/tenant-table.ts';
import { Client } from './client.ts';
import { Member } from './member.ts';

const tenancy = tenantTable();

/** The token of one reset mail. The use of one token ends all tokens of the member. */
export const PasswordReset = defineEntity({
  name: 'PasswordReset',
  tableName: 'password_resets',
  properties: {
    id: id(),
    clientId: () => p.manyToOne(Client).mapToPk().fieldName('client_id'),
    memberId: () => p.manyToOne(Member).mapToPk().fieldName('member_id'),
    /** The SHA-256 of the token, which only the mail contains. */
    tokenHash: p.text(),
    createdAt: createdAt(),
    expiresAt: instant(),
    usedAt: instant().nullable(),
  },
  uniques: [{ name: 'password_resets_token_hash', properties: ['tokenHash'] }],
  indexes: [
    { name: 'password_resets_client', properties: ['clientId'] },
    { name: 'password_resets_member', properties: ['memberId'] },
    { name: 'password_resets_expires_at', properties: ['expiresAt'] },
  ],
  ...tenancy,
  policies: [...tenancy.policies, AUTHENTICATION_POLICY, purgePolicy('expires_at < current_timestamp')],
});
