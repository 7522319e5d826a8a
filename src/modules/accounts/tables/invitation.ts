import { defineEntity, p } from '@mikro-orm/postgresql';
import { MEMBER_ROLES, type MemberRole } from '../../../kernel/member-rights.ts';
import { EXPIRED_INVITATION_DAYS } from '../../../kernel/retention-periods.ts';
import { createdAt, id, instant, oneOf } from '../../../platform/database/tables/columns.ts';
import {
  AUTHENTICATION_POLICY,
  OWNER_POLICIES,
  purgePolicy,
  tenantTable,
} from '../../../platform/database/tables/tenant-table.ts';
import { Client } from './client.ts';

const tenancy = tenantTable();

/** A person whom an owner has invited. The acceptance deletes the row, and the member has its id. */
export const Invitation = defineEntity({
  name: 'Invitation',
  tableName: 'invitations',
  properties: {
    id: id(),
    clientId: () => p.manyToOne(Client).mapToPk().fieldName('client_id'),
    /** The e-mail address in lower case. */
    email: p.text(),
    name: p.text(),
    role: p.text().$type<MemberRole>(),
    /** The SHA-256 of the token, which only the mail contains. Null until the mail is written. */
    tokenHash: p.text().nullable(),
    createdAt: createdAt(),
    expiresAt: instant(),
  },
  uniques: [
    { name: 'invitations_email', properties: ['clientId', 'email'] },
    { name: 'invitations_token_hash', properties: ['tokenHash'] },
  ],
  indexes: [{ name: 'invitations_expires_at', properties: ['expiresAt'] }],
  checks: [
    { name: 'invitations_role_known', expression: oneOf('role', MEMBER_ROLES) },
    { name: 'invitations_email_lower_case', expression: 'email = lower(email)' },
  ],
  ...tenancy,
  policies: [
    ...tenancy.policies,
    AUTHENTICATION_POLICY,
    ...OWNER_POLICIES,
    purgePolicy(`expires_at < (current_timestamp - '${EXPIRED_INVITATION_DAYS} days'::interval)`),
  ],
});
