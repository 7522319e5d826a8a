import type { Database } from '../../db/database.ts';
import type { PreparedQuery } from '../../db/queries/builder.ts';
import { coalesceCalls } from './coalesce-calls.ts';

/**
 * Looks rows up by their key. Keys that are asked for at the same time become one statement. The database is asked each
 * time, so that a session that has ended stops working at once.
 */
export function createBatchedLookup<Params extends object, Row extends object>(
  db: Pick<Database, 'runUnscoped'>,
  query: PreparedQuery<Params, Row>,
  paramsOf: (keys: readonly string[]) => Params,
  keyOf: (row: Row) => string,
) {
  return coalesceCalls<string, Row | undefined>(async (keys) => {
    const rows = await db.runUnscoped(query, paramsOf(keys));
    const byKey = new Map(rows.map((row) => [keyOf(row), row]));
    return keys.map((key) => byKey.get(key));
  });
}
