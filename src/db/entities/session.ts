import { defineEntity, p } from '@mikro-orm/postgresql';
import { Client } from './client.ts';
import { createdAt, id, instant } from './columns.ts';
import { AUTHENTICATION_POLICY, functionsPolicy, purgePolicy, tenantTable } from './tenant-table.ts';

const tenancy = tenantTable();

/** One login. Access tokens name their session, so that its end invalidates them on every instance at once. */
export const Session = defineEntity({
  name: 'Session',
  tableName: 'sessions',
  properties: {
    id: id(),
    clientId: () => p.manyToOne(Client).mapToPk().fieldName('client_id'),
    createdAt: createdAt(),
    /** The session does not expire before the last of its tokens. */
    expiresAt: instant(),
    endedAt: instant().nullable(),
  },
  indexes: [
    { name: 'sessions_client', properties: ['clientId'] },
    { name: 'sessions_expires_at', properties: ['expiresAt'] },
  ],
  ...tenancy,
  policies: [
    ...tenancy.policies,
    AUTHENTICATION_POLICY,
    purgePolicy('expires_at < current_timestamp'),
    functionsPolicy('select'),
  ],
});
