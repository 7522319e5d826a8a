import type { Database } from '../../db/database.ts';
import type { NamedQuery } from '../../db/statement.ts';
import { coalesceCalls } from './coalesce-calls.ts';

/**
 * Rows by their `key`, for a query that takes the keys and its signed scope; what is asked at once is one statement. Asked of the database each time: what has ended has ended at once.
 */
export function createBatchedLookup<Row extends { readonly key: string }>(
  db: Pick<Database, 'pool'>,
  query: NamedQuery,
  valuesOf: (keys: readonly string[]) => readonly unknown[],
) {
  return coalesceCalls<string, Row | undefined>(async (keys) => {
    const { rows } = await db.pool.query<Row>({ ...query, values: [...valuesOf(keys)] });
    const byKey = new Map(rows.map((row) => [row.key, row]));
    return keys.map((key) => byKey.get(key));
  });
}
