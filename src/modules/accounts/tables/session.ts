import { defineEntity, p } from '@mikro-orm/postgresql';
import { createdAt, id, instant } from '../../../platform/database/tables/columns.ts';
import {
  AUTHENTICATION_POLICY,
  functionsPolicy,
  purgePolicy,
  tenantTable,
} from '../../../platform/database/tables/tenant-table.ts';
import { Client } from './client.ts';
import { Member } from './member.ts';

const tenancy = tenantTable();

/** One login. Access tokens name their session, so that its end invalidates them on every instance at once. */
export const Session = defineEntity({
  name: 'Session',
  tableName: 'sessions',
  properties: {
    id: id(),
    clientId: () => p.manyToOne(Client).mapToPk().fieldName('client_id'),
    memberId: () => p.manyToOne(Member).mapToPk().fieldName('member_id'),
    createdAt: createdAt(),
    /** The session does not expire before the last of its tokens. */
    expiresAt: instant(),
    endedAt: instant().nullable(),
    /** The last time that the session gave an access token. */
    lastUsedAt: instant().defaultRaw('quita_now()'),
    /** From where the session was last used: the address, and what the browser or program says of itself. */
    ip: p.text().nullable(),
    userAgent: p.text().nullable(),
    /** The SHA-256 of the console's cookie. Null for the session of a program, which has refresh tokens. */
    cookieHash: p.text().nullable(),
    /** A session of the console expires this long after its last use, and at `longestUntil` at the latest. */
    idleSeconds: p.integer().nullable(),
    longestUntil: instant().nullable(),
    /** Whether an identity provider proved more than a password when the session began. */
    factorProved: p.boolean().default(false),
    /** Until when the session may do what needs the second factor again; in real time. */
    steppedUpUntil: instant().nullable(),
  },
  uniques: [{ name: 'sessions_cookie_hash', properties: ['cookieHash'] }],
  indexes: [
    { name: 'sessions_client', properties: ['clientId'] },
    { name: 'sessions_member', properties: ['memberId'] },
    { name: 'sessions_expires_at', properties: ['expiresAt'] },
  ],
  checks: [
    {
      name: 'sessions_console_whole',
      expression: 'num_nulls(cookie_hash, idle_seconds, longest_until) in (0, 3)',
    },
  ],
  ...tenancy,
  policies: [
    ...tenancy.policies,
    AUTHENTICATION_POLICY,
    purgePolicy('expires_at < current_timestamp'),
    functionsPolicy('select'),
  ],
});
