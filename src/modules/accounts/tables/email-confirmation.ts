import { defineEntity, p } from '@mikro-orm/postgresql';
import { createdAt, id, instant } from '../../../platform/database/tables/columns.ts';
import { AUTHENTICATION_POLICY, purgePolicy, tenantTable } from '../../../platform/database/tables/tenant-table.ts';
import { Client } from './client.ts';

const tenancy = tenantTable();

/** The token of one confirmation mail. The use of one token ends all tokens of the client. */
export const EmailConfirmation = defineEntity({
  name: 'EmailConfirmation',
  tableName: 'email_confirmations',
  properties: {
    id: id(),
    clientId: () => p.manyToOne(Client).mapToPk().fieldName('client_id'),
    /** The SHA-256 of the token, which only the mail contains. */
    tokenHash: p.text(),
    createdAt: createdAt(),
    expiresAt: instant(),
    usedAt: instant().nullable(),
  },
  uniques: [{ name: 'email_confirmations_token_hash', properties: ['tokenHash'] }],
  indexes: [
    { name: 'email_confirmations_client', properties: ['clientId'] },
    { name: 'email_confirmations_expires_at', properties: ['expiresAt'] },
  ],
  ...tenancy,
  policies: [...tenancy.policies, AUTHENTICATION_POLICY, purgePolicy('expires_at < current_timestamp')],
});
