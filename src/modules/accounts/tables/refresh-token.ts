import { defineEntity, p } from '@mikro-orm/postgresql';
import { createdAt, id, instant } from '../../../platform/database/tables/columns.ts';
import { AUTHENTICATION_POLICY, purgePolicy, tenantTable } from '../../../platform/database/tables/tenant-table.ts';
import { Client } from './client.ts';
import { Session } from './session.ts';

const tenancy = tenantTable();

/** A used token stays until it would have expired, because its second use shows that it was stolen. */
export const RefreshToken = defineEntity({
  name: 'RefreshToken',
  tableName: 'refresh_tokens',
  properties: {
    id: id(),
    sessionId: () => p.manyToOne(Session).mapToPk().fieldName('session_id'),
    clientId: () => p.manyToOne(Client).mapToPk().fieldName('client_id'),
    /** The SHA-256 of the token, which is not stored. */
    tokenHash: p.text(),
    createdAt: createdAt(),
    expiresAt: instant(),
    usedAt: instant().nullable(),
  },
  uniques: [{ name: 'refresh_tokens_token_hash', properties: ['tokenHash'] }],
  indexes: [
    { name: 'refresh_tokens_session', properties: ['sessionId'] },
    { name: 'refresh_tokens_client', properties: ['clientId'] },
    { name: 'refresh_tokens_expires_at', properties: ['expiresAt'] },
  ],
  ...tenancy,
  policies: [...tenancy.policies, AUTHENTICATION_POLICY, purgePolicy('expires_at < current_timestamp')],
});
