import { createHash } from 'node:crypto';
import type { Pool, PoolClient, QueryConfig } from 'pg';

/** How many statements a connection keeps planned. Each takes some tens of kilobytes of its server process. */
const MAX_PLANNED = 300;
/** How many texts a connection counts. Texts that depend on the number of their values would fill the map for ever. */
const MAX_COUNTED = 2_000;
/** A longer value brings many rows. */
const MAX_VALUE_LENGTH = 2_000;

type Query = (text: unknown, values?: unknown, callback?: unknown) => unknown;

/**
 * Makes the server plan a statement once for each connection instead of each time: a statement with values that a
 * connection runs again gets a name. Planning was a third of what PostgreSQL did for a contact. Which plan fits is still
 * up to the server, which plans anew where the values matter.
 */
export function nameRepeatedStatements(pool: Pool): void {
  pool.on('connect', (client: PoolClient) => {
    const query = client.query.bind(client) as Query;
    const counted = new Map<string, string | null>();
    let planned = 0;
    const nameOf = (text: string): string | null => {
      const known = counted.get(text);
      if (known !== undefined && known !== null) return known;
      if (known === undefined) {
        if (counted.size < MAX_COUNTED) counted.set(text, null);
        return null;
      }
      if (planned >= MAX_PLANNED) return null;
      planned += 1;
      const name = `q_${createHash('sha256').update(text).digest('base64url').slice(0, 40)}`;
      counted.set(text, name);
      return name;
    };
    client.query = ((text: unknown, values?: unknown, callback?: unknown) => {
      if (typeof text !== 'string' || !Array.isArray(values) || values.length === 0) {
        return query(text, values, callback);
      }
      const name = values.some(isLong) ? null : nameOf(text);
      if (name === null) return query(text, values, callback);
      return query({ name, text, values } satisfies QueryConfig, callback);
    }) as typeof client.query;
  });
}

const isLong = (value: unknown): boolean =>
  (typeof value === 'string' || Array.isArray(value)) && value.length > MAX_VALUE_LENGTH;
