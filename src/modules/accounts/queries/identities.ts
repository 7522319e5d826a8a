import { prepared, queriesIn } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';

interface IdentityKey {
  readonly issuer: string;
  readonly subject: string;
}

export const CLIENT_OF_IDENTITY = prepared('authenticate_identity', (queries, { issuer, subject }: IdentityKey) =>
  queries
    .selectFrom('identities')
    .innerJoin('clients', 'clients.id', 'identities.clientId')
    .select(['clients.id', 'clients.status'])
    .where('identities.issuer', '=', issuer)
    .where('identities.subject', '=', subject),
);

export const insertIdentity = (tx: Tx, { clientId, issuer, subject }: IdentityKey & { readonly clientId: string }) =>
  queriesIn(tx).insertInto('identities').values({ clientId, issuer, subject }).execute();
