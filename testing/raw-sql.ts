import { CompiledQuery } from 'kysely';
import type { Database } from '../src/platform/database/database.ts';
import { type NamedQuery, runScoped, type Scope } from '../src/platform/database/statement.ts';
import type { Tx } from '../src/platform/database/tx.ts';

const raw =
  (begin: 'begin' | 'begin read only') =>
  <T extends object>(
    db: Pick<Database, 'pool' | 'signScope'>,
    scope: Scope,
    query: NamedQuery,
    params: readonly unknown[] = [],
  ): Promise<T[]> =>
    runScoped({ pool: db.pool, sign: db.signScope }, scope, query, () => params, begin);

/** Run SQL text as the service runs its prepared statements, under row security. */
export const readRaw = raw('begin read only');
export const writeRaw = raw('begin');

/**
 * Runs SQL text with bound parameters in the transaction of `tx`. Outside of a transaction MikroORM does not set the
 * tenant, and the statement would see nothing.
 */
export async function runInTransaction<T extends object>(
  tx: Tx,
  text: string,
  params: readonly unknown[] = [],
): Promise<T[]> {
  if (!tx.isInTransaction()) throw new Error('Raw SQL runs inside tx.transactional only');
  const result = await tx.getKysely().executeQuery<T>(CompiledQuery.raw(text, [...params]));
  return result.rows;
}
