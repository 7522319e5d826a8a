import { randomUUID } from 'node:crypto';
import { p } from '@mikro-orm/postgresql';

/** A primary key that is known before the insert, so that one flush can store a row and the rows that refer to it. */
export const id = () =>
  p
    .uuid()
    .primary()
    .onCreate(() => randomUUID())
    .defaultRaw('gen_random_uuid()');

/**
 * A moment in milliseconds. A JavaScript Date would truncate microseconds, and a page's cursor would then skip rows.
 */
export const instant = () => p.datetime(3);

/** The database sets it, by the clock of the service. */
export const createdAt = () => instant().defaultRaw('quita_now()');

/**
 * The member for whose request the row was written: the signed setting of the transaction says it, so that no statement
 * names it and none can name another one. Null for an API key, and for what the service does by itself. The row of a
 * member stays when it leaves, and goes only with its client, so there is no foreign key.
 */
export const writtenBy = () => p.uuid().nullable().defaultRaw("(quita_scope('app.member'::text))::uuid");

/** Every update sets it to `NOW`. */
export const updatedAt = () => createdAt();

/** An amount of money. It is a bigint, because an integer ends at R$ 21 million and a debt may be R$ 99,999,999.99. */
export const centavos = () => p.bigint('number');

/**
 * Builds `status in ('A', 'B')`. Columns are text with a check, because the `=` of an enum is not leakproof, and under
 * row security PostgreSQL then does not use the index.
 */
export const oneOf = (column: string, values: readonly string[]): string =>
  `${column} in (${values.map((value) => `'${value}'`).join(', ')})`;
