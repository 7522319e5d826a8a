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
