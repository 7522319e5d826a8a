import { defineEntity, p } from '@mikro-orm/postgresql';
import { createdAt, id, instant, oneOf } from '../../../platform/database/tables/columns.ts';
import { AUTHENTICATION_POLICY, purgePolicy, tenantTable } from '../../../platform/database/tables/tenant-table.ts';
import { LOGIN_KINDS, type LoginKind } from '../rules/second-factor.ts';
import { Client } from './client.ts';
import { Member } from './member.ts';

const tenancy = tenantTable();

/** A login whose password was right and whose second factor is still to come. Its end deletes the row. */
export const LoginChallenge = defineEntity({
  name: 'LoginChallenge',
  tableName: 'login_challenges',
  properties: {
    id: id(),
    clientId: () => p.manyToOne(Client).mapToPk().fieldName('client_id'),
    memberId: () => p.manyToOne(Member).mapToPk().fieldName('member_id'),
    /** The SHA-256 of the token, which only the answer to the login contains. */
    tokenHash: p.text(),
    /** What the login opens: the other one does not take its challenge. */
    kind: p.text().$type<LoginKind>(),
    /** Whether a session of the console is kept for long. */
    remember: p.boolean().default(false),
    /** The browser or address by which the login was recognised: its tries count apart from those of strangers. */
    knownSource: p.text().nullable(),
    tries: p.integer().default(0),
    createdAt: createdAt(),
    /** In real time: `CLOCK_OFFSET` does not shift what protects against guessing. */
    expiresAt: instant(),
  },
  uniques: [{ name: 'login_challenges_token_hash', properties: ['tokenHash'] }],
  indexes: [
    { name: 'login_challenges_client', properties: ['clientId'] },
    { name: 'login_challenges_member', properties: ['memberId'] },
    { name: 'login_challenges_expires_at', properties: ['expiresAt'] },
  ],
  checks: [{ name: 'login_challenges_kind_known', expression: oneOf('kind', LOGIN_KINDS) }],
  ...tenancy,
  policies: [...tenancy.policies, AUTHENTICATION_POLICY, purgePolicy('expires_at < current_timestamp')],
});
