import { defineEntity, p } from '@mikro-orm/postgresql';
import { Client } from './client.ts';
import { createdAt, id, instant } from './columns.ts';
import { AUTHENTICATION_POLICY, tenantTable } from './tenant-table.ts';

const tenancy = tenantTable();

/** For server-to-server use; lives until it is revoked or replaced. */
export const ApiKey = defineEntity({
  name: 'ApiKey',
  tableName: 'api_keys',
  properties: {
    id: id(),
    clientId: () => p.manyToOne(Client).mapToPk().fieldName('client_id'),
    /** SHA-256; the key itself is shown once. */
    keyHash: p.text(),
    createdAt: createdAt(),
    /** To the hour at most: reading a key writes this only when it is older. */
    lastUsedAt: instant().nullable(),
    revokedAt: instant().nullable(),
  },
  uniques: [
    { name: 'api_keys_key_hash', properties: ['keyHash'] },
    { name: 'api_keys_one_active', properties: ['clientId'], where: 'revoked_at is null' },
  ],
  indexes: [{ name: 'api_keys_client', properties: ['clientId'] }],
  ...tenancy,
  policies: [...tenancy.policies, AUTHENTICATION_POLICY],
});
