import { defineEntity, p } from '@mikro-orm/postgresql';
import { createdAt, id, instant } from '../../../platform/database/tables/columns.ts';
import {
  AUTHENTICATION_POLICY,
  functionsPolicy,
  OWNER_POLICIES,
  tenantTable,
} from '../../../platform/database/tables/tenant-table.ts';
import { Client } from './client.ts';

const tenancy = tenantTable();

/** A key for servers of the client. It is valid until it is revoked or replaced. */
export const ApiKey = defineEntity({
  name: 'ApiKey',
  tableName: 'api_keys',
  properties: {
    id: id(),
    clientId: () => p.manyToOne(Client).mapToPk().fieldName('client_id'),
    /** The SHA-256 of the key; the key itself is shown once. */
    keyHash: p.text(),
    createdAt: createdAt(),
    /** The precision is an hour, because a use updates the moment only when the stored one is older. */
    lastUsedAt: instant().nullable(),
    revokedAt: instant().nullable(),
  },
  uniques: [
    { name: 'api_keys_key_hash', properties: ['keyHash'] },
    { name: 'api_keys_one_active', properties: ['clientId'], where: 'revoked_at is null' },
  ],
  indexes: [{ name: 'api_keys_client', properties: ['clientId'] }],
  ...tenancy,
  policies: [...tenancy.policies, AUTHENTICATION_POLICY, functionsPolicy('select'), ...OWNER_POLICIES],
});
