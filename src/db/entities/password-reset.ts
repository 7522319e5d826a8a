import { defineEntity, p } from '@mikro-orm/postgresql';
import { Client } from './client.ts';
import { createdAt, id, instant } from './columns.ts';
import { AUTHENTICATION_POLICY, purgePolicy, tenantTable } from './tenant-table.ts';

const tenancy = tenantTable();

/** One for each mail that was sent; using one uses up all of its client. */
export const PasswordReset = defineEntity({
  name: 'PasswordReset',
  tableName: 'password_resets',
  properties: {
    id: id(),
    clientId: () => p.manyToOne(Client).mapToPk().fieldName('client_id'),
    /** SHA-256; the token itself is in the mail only. */
    tokenHash: p.text(),
    createdAt: createdAt(),
    expiresAt: instant(),
    usedAt: instant().nullable(),
  },
  uniques: [{ name: 'password_resets_token_hash', properties: ['tokenHash'] }],
  indexes: [
    { name: 'password_resets_client', properties: ['clientId'] },
    { name: 'password_resets_expires_at', properties: ['expiresAt'] },
  ],
  ...tenancy,
  policies: [...tenancy.policies, AUTHENTICATION_POLICY, purgePolicy('expires_at < current_timestamp')],
});
