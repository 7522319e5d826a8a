import { defineEntity, p } from '@mikro-orm/postgresql';
import { createdAt, id, instant } from '../../../platform/database/tables/columns.ts';
import { OPERATOR_TABLE } from '../../../platform/database/tables/tenant-table.ts';

/** A person whom the holder of the server has invited to operate it. The acceptance deletes the row; the operator has its id. */
export const OperatorInvitation = defineEntity({
  name: 'OperatorInvitation',
  tableName: 'operator_invitations',
  properties: {
    id: id(),
    /** The e-mail address in lower case. */
    email: p.text(),
    /** The SHA-256 of the token, which only the command prints. */
    tokenHash: p.text(),
    /** The secret that the person's app is being set up with, sealed. Null until the token is first sent. */
    sealed: p.text().nullable(),
    /** Wrong codes at the acceptance. */
    tries: p.integer().defaultRaw('0'),
    createdAt: createdAt(),
    /** In real time: `CLOCK_OFFSET` does not shift what protects against guessing. */
    expiresAt: instant(),
  },
  uniques: [
    { name: 'operator_invitations_email', properties: ['email'] },
    { name: 'operator_invitations_token_hash', properties: ['tokenHash'] },
  ],
  indexes: [{ name: 'operator_invitations_expires_at', properties: ['expiresAt'] }],
  checks: [{ name: 'operator_invitations_email_lower_case', expression: 'email = lower(email)' }],
  ...OPERATOR_TABLE,
});
