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

type Query = (text: unknown, values?: unknown, callback?: (error: Error) => void) => unknown;

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
