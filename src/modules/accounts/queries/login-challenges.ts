import { type Insertable, sql } from 'kysely';
import { prepared, queriesIn, type Tables } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';

// Challenges protect against guessing, so they count real time, whatever `CLOCK_OFFSET` is.
const REAL_NOW = sql<Date>`now()`;

type NewChallenge = Pick<
  Insertable<Tables['login_challenges']>,
  'clientId' | 'memberId' | 'tokenHash' | 'kind' | 'remember' | 'knownSource'
>;

export const insertChallenge = (tx: Tx, minutes: number, challenge: NewChallenge) =>
  queriesIn(tx)
    .insertInto('login_challenges')
    .values({ ...challenge, expiresAt: sql<Date>`now() + make_interval(mins => ${minutes})` })
    .execute();

export const CHALLENGE = prepared('login_challenge_by_hash', (queries, { tokenHash }: { readonly tokenHash: string }) =>
  queries
    .selectFrom('login_challenges')
    .innerJoin('members', 'members.id', 'login_challenges.memberId')
    .select(['login_challenges.id', 'login_challenges.clientId', 'login_challenges.memberId', 'login_challenges.kind'])
    .select(['login_challenges.remember', 'login_challenges.knownSource', 'members.email'])
    .where('login_challenges.tokenHash', '=', tokenHash)
    .where('login_challenges.expiresAt', '>', REAL_NOW),
);

/** The same, for a passkey that was asked for by its id. */
export const CHALLENGE_BY_ID = prepared('login_challenge_by_id', (queries, { id }: { readonly id: string }) =>
  queries
    .selectFrom('login_challenges')
    .select(['id', 'clientId', 'memberId', 'kind', 'remember', 'knownSource'])
    .where('id', '=', id)
    .where('expiresAt', '>', REAL_NOW),
);

/**
 * Counts a try and locks the challenge, so that tries come one after the other. Returns undefined when the challenge has
 * ended or had as many as it may have.
 */
export const takeTry = (tx: Tx, id: string, most: number) =>
  queriesIn(tx)
    .updateTable('login_challenges')
    .set((row) => ({ tries: sql<number>`${row.ref('tries')} + 1` }))
    .where('id', '=', id)
    .where('tries', '<', most)
    .where('expiresAt', '>', REAL_NOW)
    .returning('id')
    .executeTakeFirst();

export const endChallenge = (tx: Tx, id: string) =>
  queriesIn(tx).deleteFrom('login_challenges').where('id', '=', id).execute();

/** Ends the logins of a client, or of one member, that wait for their second factor. */
export const endChallenges = (
  tx: Tx,
  { clientId, memberId }: { readonly clientId: string; readonly memberId?: string | undefined },
) =>
  queriesIn(tx)
    .deleteFrom('login_challenges')
    .where('clientId', '=', clientId)
    .$if(memberId !== undefined, (open) => open.where('memberId', '=', memberId!))
    .execute();
