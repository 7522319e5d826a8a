import { defineEntity, p } from '@mikro-orm/postgresql';
import { createdAt, id, instant } from '../../../platform/database/tables/columns.ts';
import {
  AUTHENTICATION_POLICY,
  OWNER_POLICIES,
  purgePolicy,
  tenantTable,
} from '../../../platform/database/tables/tenant-table.ts';
import { Client } from './client.ts';
import { Member } from './member.ts';

const tenancy = tenantTable();

/**
 * Another address that somebody asked for, for itself or for the company. It counts once both addresses, the present
 * and the new one, have confirmed it, which deletes the row.
 */
export const EmailChange = defineEntity({
  name: 'EmailChange',
  tableName: 'email_changes',
  properties: {
    id: id(),
    clientId: () => p.manyToOne(Client).mapToPk().fieldName('client_id'),
    /** The member who asked. */
    memberId: () => p.manyToOne(Member).mapToPk().fieldName('member_id'),
    /** Whether it is the address of the company; else that of the member. */
    ofCompany: p.boolean(),
    /** The address that confirms the change beside the new one. Should it change meanwhile, this change is worth nothing. */
    presentEmail: p.text(),
    newEmail: p.text(),
    /** The SHA-256 of the tokens, which only the mails contain. Null until the mails are written. */
    presentTokenHash: p.text().nullable(),
    newTokenHash: p.text().nullable(),
    presentConfirmedAt: instant().nullable(),
    newConfirmedAt: instant().nullable(),
    createdAt: createdAt(),
    expiresAt: instant(),
  },
  uniques: [
    { name: 'email_changes_present_token', properties: ['presentTokenHash'] },
    { name: 'email_changes_new_token', properties: ['newTokenHash'] },
  ],
  indexes: [
    { name: 'email_changes_client', properties: ['clientId'] },
    { name: 'email_changes_member', properties: ['memberId'] },
    { name: 'email_changes_expires_at', properties: ['expiresAt'] },
  ],
  checks: [
    {
      name: 'email_changes_lower_case',
      expression: 'present_email = lower(present_email) and new_email = lower(new_email)',
    },
    { name: 'email_changes_another', expression: 'present_email <> new_email' },
  ],
  ...tenancy,
  policies: [
    ...tenancy.policies,
    AUTHENTICATION_POLICY,
    ...OWNER_POLICIES,
    purgePolicy('expires_at < current_timestamp'),
  ],
});
