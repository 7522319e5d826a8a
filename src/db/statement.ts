import type { Pool, PoolClient } from 'pg';
import type { SignScope } from './scope-signer.ts';

/** Says whose rows a transaction may see. An empty scope sees only tables without row security. */
export interface Scope {
  readonly clientId?: string;
  /** A public page may read the rows of this debt. */
  readonly debtId?: string;
  /** Sign-up, login and authentication look clients up before the client is known. */
  readonly auth?: true;
  /** A signed link may read the one receipt of this protocol. */
  readonly receiptProtocol?: string;
}

export interface NamedQuery {
  /** Each connection prepares the statement once under this name. A name has one text and at most 63 bytes. */
  readonly name: string;
  readonly text: string;
}

/** Returns the settings of a transaction with their signatures, because row security accepts no others. */
export const sessionVariables = (scope: Scope, sign: SignScope): Record<string, string> => ({
  ...(scope.clientId === undefined ? {} : { 'app.client_id': sign('app.client_id', scope.clientId) }),
  ...(scope.debtId === undefined ? {} : { 'app.debt_ids': sign('app.debt_ids', scope.debtId) }),
  ...(scope.auth === undefined ? {} : { 'app.auth': sign('app.auth', 'on') }),
  ...(scope.receiptProtocol === undefined
    ? {}
    : { 'app.receipt_protocol': sign('app.receipt_protocol', scope.receiptProtocol) }),
});

const settled = <T>(result: PromiseSettledResult<T>): T => {
  if (result.status === 'rejected') throw result.reason;
  return result.value;
};

/**
 * Runs one statement under row security in one round trip: begin, the scope, the prepared statement and commit are sent
 * together. When one of them fails, PostgreSQL refuses the rest, and the commit becomes a rollback.
 */
export async function runScoped<T extends object>(
  pool: Pool,
  scope: Readonly<Record<string, string>>,
  query: NamedQuery,
  params: readonly unknown[],
  begin: 'begin' | 'begin read only',
): Promise<T[]> {
  const variables = Object.entries(scope);
  const setScope = {
    name: `scope_${variables.length}`,
    text: `select ${variables.map((_, i) => `set_config($${2 * i + 1}, $${2 * i + 2}, true)`).join(', ')}`,
    values: variables.flat(),
  };
  const client: PoolClient = await pool.connect();
  let broken = true;
  try {
    const results = await Promise.allSettled([
      client.query(begin),
      variables.length === 0 ? Promise.resolve() : client.query(setScope),
      client.query<T>({ name: query.name, text: query.text, values: [...params] }),
      client.query('commit'),
    ]);
    // A connection that is still inside a transaction would give this scope to its next user.
    broken = client.getTransactionStatus() !== 'I';
    const [begun, scoped, rows, committed] = results;
    settled(begun);
    settled(scoped);
    const answer = settled(rows).rows;
    settled(committed);
    return answer;
  } finally {
    client.release(broken);
  }
}
