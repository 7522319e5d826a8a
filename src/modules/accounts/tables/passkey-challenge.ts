import { defineEntity, p } from '@mikro-orm/postgresql';
import { createdAt, id, instant, oneOf } from '../../../platform/database/tables/columns.ts';
import { AUTHENTICATION_TABLE } from '../../../platform/database/tables/tenant-table.ts';
import { PASSKEY_PURPOSES, type PasskeyPurpose } from '../rules/passkeys.ts';

/**
 * What a passkey is asked to sign. Its use deletes the row. A login asks before anybody knows whose it is, so the table has
 * no client column.
 */
export const PasskeyChallenge = defineEntity({
  name: 'PasskeyChallenge',
  tableName: 'passkey_challenges',
  properties: {
    id: id(),
    /** The SHA-256 of the challenge, which only the browser that asked for it has. */
    challengeHash: p.text(),
    purpose: p.text().$type<PasskeyPurpose>(),
    /** The member that registers, the login that waits for its second factor, or the session that steps up. */
    boundTo: p.uuid().nullable(),
    createdAt: createdAt(),
    /** In real time: `CLOCK_OFFSET` does not shift what protects a login. */
    expiresAt: instant(),
  },
  uniques: [{ name: 'passkey_challenges_challenge_hash', properties: ['challengeHash'] }],
  indexes: [{ name: 'passkey_challenges_expires_at', properties: ['expiresAt'] }],
  checks: [
    { name: 'passkey_challenges_purpose_known', expression: oneOf('purpose', PASSKEY_PURPOSES) },
    { name: 'passkey_challenges_bound', expression: `(purpose = 'login') = (bound_to is null)` },
  ],
  ...AUTHENTICATION_TABLE,
});
