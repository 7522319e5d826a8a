import { sql } from 'kysely';

/** The name of the member whose id a column has, also after it left. A look-up by the primary key for each row. */
export const nameOfMember = (column: string) =>
  sql<string | null>`(select members.name from members where members.id = ${sql.ref(column)})`;
