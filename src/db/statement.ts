import type { EntityManager } from '@mikro-orm/postgresql';
import { CompiledQuery } from 'kysely';
import type { Pool, PoolClient } from 'pg';
import type { SignScope } from './scope-signer.ts';

/** Whose rows a transaction may see. Nothing: only tables without row security. */
export interface Scope {
  readonly clientId?: string;
  /** A public page: the rows of this debt, to read. */
  readonly debtId?: string;
  /** Sign-up, login, authentication: look clients up before the client is known. */
  readonly auth?: true;
  /** A signed link: the one receipt of this protocol, to read. */
  readonly receiptProtocol?: string;
}

export interface NamedQuery {
  /** Prepared once a connection under this name: one name, one text, at most 63 bytes. */
  readonly name: string;
  readonly text: string;
}

/** The settings of a transaction, signed: row security believes no other. */
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
 * One statement under row security in one round trip: begin, the scope, the prepared statement and commit are sent
 * together. When one of them fails PostgreSQL refuses the rest, and the commit becomes a rollback.
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
    // A client that is still inside a transaction would carry this scope to whoever borrows it next.
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

/**
 * Raw SQL with bound parameters ($1, arrays kept) in the transaction of `em`. Only there: outside of one, MikroORM
 * does not set the tenant, and the statement would see nothing.
 */
export async function runInTransaction<T extends object>(
  em: EntityManager,
  text: string,
  params: readonly unknown[] = [],
): Promise<T[]> {
  if (!em.isInTransaction()) throw new Error('Raw SQL runs inside em.transactional only');
  const result = await em.getKysely().executeQuery<T>(CompiledQuery.raw(text, [...params]));
  return result.rows;
}
