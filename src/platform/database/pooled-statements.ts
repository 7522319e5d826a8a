import { createHash } from 'node:crypto';
import type { Pool, PoolClient, QueryConfig } from 'pg';

/** What the service's own statements begin with. None of them leaves anything behind in the session. */
const STATEMENT = /^\s*(?:select|insert|update|delete|with)\b/i;
const CONTROL =
  /^(?:begin(?: read only)?|start transaction[a-z ,]*|commit|rollback|(?:savepoint|release savepoint|release|rollback to savepoint|rollback to) "?\w+"?)$/i;

/** The longest text that control of a transaction has. */
const MAX_CONTROL_LENGTH = 100;

export class StatementRefused extends Error {
  constructor() {
    super('A statement of another kind than the service sends was refused');
    this.name = 'StatementRefused';
  }
}

type Query = (text: unknown, values?: unknown, callback?: unknown) => unknown;

/**
 * Sends one statement at a time, by the extended protocol, and refuses every statement that could leave something in the
 * session for the next user of the connection: `prepare` would replace a statement of another client, and `set` its
 * settings. Text that is injected into a statement can neither end it nor begin another one.
 */
export function refuseStatements(pool: Pool): void {
  pool.on('connect', (client: PoolClient) => {
    const query = client.query.bind(client) as Query;
    client.query = ((given: unknown, values?: unknown, callback?: unknown) => {
      const text = typeof given === 'string' ? given : (given as QueryConfig).text;
      const then = [values, callback].find((value) => typeof value === 'function') as
        | ((error: Error) => void)
        | undefined;
      if (text.length <= MAX_CONTROL_LENGTH && CONTROL.test(text)) return query(given, values, then);
      if (!STATEMENT.test(text)) {
        const refused = new StatementRefused();
        if (then === undefined) return Promise.reject(refused);
        process.nextTick(then, refused);
        return undefined;
      }
      // The driver sends text without values by the simple protocol, which takes several statements at once.
      if (typeof given !== 'string')
        return query({ ...(given as QueryConfig), queryMode: 'extended' }, undefined, then);
      if (Array.isArray(values) && values.length > 0) return query(given, values, then);
      return query({ text, queryMode: 'extended' }, undefined, then);
    }) as typeof client.query;
  });
}

/** How many statements a connection keeps planned. Each takes some tens of kilobytes of its server process. */
const MAX_PLANNED = 300;
/** How many texts a connection counts. Texts that depend on the number of their values would fill the map for ever. */
const MAX_COUNTED = 2_000;
/** A longer value brings many rows. */
const MAX_VALUE_LENGTH = 2_000;

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
