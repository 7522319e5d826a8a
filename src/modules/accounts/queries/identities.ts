import { sql } from 'kysely';
import { prepared, queriesIn } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';

interface IdentityKey {
  readonly issuer: string;
  readonly subject: string;
}

/** `left` is true for a member that has left. */
export const MEMBER_OF_IDENTITY = prepared('authenticate_identity', (queries, { issuer, subject }: IdentityKey) =>
  queries
    .selectFrom('identities')
    .innerJoin('clients', 'clients.id', 'identities.clientId')
    .innerJoin('members', 'members.id', 'identities.memberId')
    .select(['clients.id as clientId', 'clients.status', 'members.id', 'members.name', 'members.role'])
    .select(sql<boolean>`members.left_at is not null`.as('left'))
    .select('clients.requireSecondFactor as needsFactor')
    .select(
      sql<boolean>`(exists (select from second_factors f where f.member_id = members.id and f.confirmed_at is not null)
        or exists (select from passkeys k where k.member_id = members.id))`.as('hasFactor'),
    )
    .where('identities.issuer', '=', issuer)
    .where('identities.subject', '=', subject),
);

export const insertIdentity = (
  tx: Tx,
  { clientId, memberId, issuer, subject }: IdentityKey & { readonly clientId: string; readonly memberId: string },
) => queriesIn(tx).insertInto('identities').values({ clientId, memberId, issuer, subject }).execute();
