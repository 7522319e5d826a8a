import { type Expression, type RawBuilder, sql } from 'kysely';

/**
 * Is true for a row with these values in its columns, of which the first is the one to look for. The others are compared
 * as one row, so that only an index that begins with the first one can serve. With an equal sign for each column every
 * index with the client could, and an ANALYZE during a large import, which does not see its debts yet, makes all indexes
 * look alike: PostgreSQL then reads all debts of the client for each look-up.
 */
export function isRow(
  columns: readonly Expression<unknown>[],
  values: readonly Expression<unknown>[],
): RawBuilder<boolean> {
  const row = sql`(${sql.join(columns)})`;
  const wanted = sql`(${sql.join(values)})`;
  return sql<boolean>`(${columns[0]!} = ${values[0]!} and ${row} >= ${wanted} and ${row} <= ${wanted})`;
}
