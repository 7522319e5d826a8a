import { sql } from 'kysely';
import { NOW, prepared, queriesIn } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';

/** `over` is true when the token has expired or its session has ended. */
export const REFRESH_TOKEN = prepared('refresh_token_by_hash', (queries, params: { readonly tokenHash: string }) =>
  queries
    .selectFrom('refresh_tokens as token')
    .innerJoin('sessions', 'sessions.id', 'token.sessionId')
    .innerJoin('clients', 'clients.id', 'token.clientId')
    .select(['token.id', 'token.clientId', 'token.sessionId', 'clients.status'])
    .select([
      sql<boolean>`token.used_at is not null`.as('used'),
      sql<boolean>`token.expires_at <= quita_now() or sessions.ended_at is not null`.as('over'),
    ])
    .where('token.tokenHash', '=', params.tokenHash),
);

export type RefreshToken = ReturnType<(typeof REFRESH_TOKEN)['rowsOf']>[number];

export const insertRefreshToken = (
  tx: Tx,
  {
    seconds,
    ...token
  }: {
    readonly sessionId: string;
    readonly clientId: string;
    readonly tokenHash: string;
    readonly seconds: number;
  },
) =>
  queriesIn(tx)
    .insertInto('refresh_tokens')
    .values({ ...token, expiresAt: sql<Date>`quita_now() + make_interval(secs => ${seconds})` })
    .execute();

/**
 * Returns undefined when the token was used before. Of many concurrent uses, one finds the token unused. The others
 * wait for its commit and then find it used.
 */
export const useRefreshToken = (tx: Tx, id: string) =>
  queriesIn(tx)
    .updateTable('refresh_tokens')
    .set({ usedAt: NOW })
    .where('id', '=', id)
    .where('usedAt', 'is', null)
    .returning('id')
    .executeTakeFirst();
