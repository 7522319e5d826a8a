import { coalesceCalls } from './coalesce-calls.ts';

/**
 * Looks rows up by their key. Keys that are asked for at the same time become one statement. The database is asked each
 * time, so that a session that has ended stops working at once.
 */
export function createBatchedLookup<Row extends object>(
  rowsOf: (keys: readonly string[]) => Promise<readonly Row[]>,
  keyOf: (row: Row) => string,
) {
  return coalesceCalls<string, Row | undefined>(async (keys) => {
    const rows = await rowsOf(keys);
    const byKey = new Map(rows.map((row) => [keyOf(row), row]));
    return keys.map((key) => byKey.get(key));
  });
}
