import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { NOW, prepared, queriesIn } from './builder.ts';

/** A link that was used or has expired is not found. */
export const RESET_OF_TOKEN = prepared(
  'password_reset_by_hash',
  (queries, { tokenHash }: { readonly tokenHash: string }) =>
    queries
      .selectFrom('password_resets')
      .select(['id', 'clientId'])
      .where('tokenHash', '=', tokenHash)
      .where('usedAt', 'is', null)
      .where('expiresAt', '>', NOW),
);

export const INSERT_RESET = prepared(
  'password_reset_insert',
  (queries, params: { readonly clientId: string; readonly tokenHash: string; readonly minutes: number }) =>
    queries.insertInto('password_resets').values({
      clientId: params.clientId,
      tokenHash: params.tokenHash,
      expiresAt: sql<Date>`now() + make_interval(mins => ${params.minutes})`,
    }),
);

/** Returns undefined when the link was used or has expired. */
export const useReset = (em: EntityManager, id: string) =>
  queriesIn(em)
    .updateTable('password_resets')
    .set({ usedAt: NOW })
    .where('id', '=', id)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', NOW)
    .returning('id')
    .executeTakeFirst();

/** Invalidates all links that were mailed to the client. */
export const useResets = (em: EntityManager, clientId: string) =>
  queriesIn(em)
    .updateTable('password_resets')
    .set({ usedAt: NOW })
    .where('clientId', '=', clientId)
    .where('usedAt', 'is', null)
    .execute();
