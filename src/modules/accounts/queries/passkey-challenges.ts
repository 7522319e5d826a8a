import { type Insertable, sql } from 'kysely';
import { prepared, type Tables } from '../../../platform/database/queries/builder.ts';
import type { PasskeyPurpose } from '../rules/passkeys.ts';

// Challenges protect logins, so they count real time, whatever `CLOCK_OFFSET` is.
const REAL_NOW = sql<Date>`now()`;

type NewChallenge = Pick<Insertable<Tables['passkey_challenges']>, 'challengeHash' | 'purpose' | 'boundTo'> & {
  readonly minutes: number;
};

export const INSERT_PASSKEY_CHALLENGE = prepared(
  'insert_passkey_challenge',
  (queries, { challengeHash, purpose, boundTo, minutes }: NewChallenge) =>
    queries
      .insertInto('passkey_challenges')
      .values({ challengeHash, purpose, boundTo, expiresAt: sql<Date>`now() + make_interval(mins => ${minutes})` })
      .returning('id'),
);

/** Of two calls with the same challenge, the second finds none. */
export const USE_PASSKEY_CHALLENGE = prepared(
  'use_passkey_challenge',
  (
    queries,
    { challengeHash, purposes }: { readonly challengeHash: string; readonly purposes: readonly PasskeyPurpose[] },
  ) =>
    queries
      .deleteFrom('passkey_challenges')
      .where('challengeHash', '=', challengeHash)
      .where('purpose', '=', sql<PasskeyPurpose>`any(${purposes}::text[])`)
      .where('expiresAt', '>', REAL_NOW)
      .returning(['purpose', 'boundTo']),
);
