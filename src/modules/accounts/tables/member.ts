import { defineEntity, p } from '@mikro-orm/postgresql';
import { MEMBER_ROLES, type MemberRole } from '../../../kernel/member-rights.ts';
import { createdAt, id, instant, oneOf, updatedAt } from '../../../platform/database/tables/columns.ts';
import {
  AUTHENTICATION_POLICY,
  functionsPolicy,
  OWNER_POLICIES,
  tenantTable,
} from '../../../platform/database/tables/tenant-table.ts';
import { Client } from './client.ts';

const tenancy = tenantTable();

/** A person who works for a client. The row stays when the member leaves, so that what it did keeps its name. */
export const Member = defineEntity({
  name: 'Member',
  tableName: 'members',
  properties: {
    id: id(),
    clientId: () => p.manyToOne(Client).mapToPk().fieldName('client_id'),
    /** The e-mail address in lower case. Another member may have it once this one has left. */
    email: p.text(),
    name: p.text(),
    role: p.text().$type<MemberRole>(),
    /** Null for a member that enters by an identity provider only, and for one that has left. */
    passwordHash: p.text().nullable(),
    leftAt: instant().nullable(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  uniques: [{ name: 'members_email_key', properties: ['email'], where: 'left_at is null' }],
  indexes: [{ name: 'members_client', properties: ['clientId', 'createdAt', 'id'] }],
  checks: [
    { name: 'members_role_known', expression: oneOf('role', MEMBER_ROLES) },
    { name: 'members_email_lower_case', expression: 'email = lower(email)' },
    { name: 'members_left_without_password', expression: 'left_at is null or password_hash is null' },
  ],
  ...tenancy,
  policies: [...tenancy.policies, AUTHENTICATION_POLICY, functionsPolicy('select'), ...OWNER_POLICIES],
});
