import type { Pool, PoolClient } from 'pg';
import { transactionOf } from './bind-transactions.ts';
import type { SignScope } from './scope-signer.ts';
import type { ScopeSetting } from './tables/tenant-table.ts';

/** Says whose rows a transaction may see. An empty scope sees only tables without row security. */
export interface Scope {
  readonly clientId?: string;
  /** A public page may read the rows of this debt. */
  readonly debtId?: string;
  /** Sign-up, login and authentication look clients up before the client is known. */
  readonly auth?: true;
  /** The transaction is one of an owner of the client: see `OWNER_POLICIES`. */
  readonly role?: 'owner';
  /** What an operator decides, or a single company's owner in its place: see `OPERATOR_TABLE` and `verify_client`. */
  readonly operator?: true;
  /** The member for whose request the transaction runs. What it writes names that member: see `writtenBy`. */
  readonly member?: string;
  /** A signed link may read the one receipt of this protocol. */
  readonly receiptProtocol?: string;
}

export interface NamedQuery {
  /** Each connection prepares the statement once under this name. A name has one text and at most 63 bytes. */
  readonly name: string;
  readonly text: string;
}

/** Returns the settings of a transaction. Row security accepts them with a signature alone. */
export const sessionVariables = (scope: Scope): Partial<Record<ScopeSetting, string>> => ({
  ...(scope.clientId === undefined ? {} : { 'app.client_id': scope.clientId }),
  ...(scope.debtId === undefined ? {} : { 'app.debt_ids': scope.debtId }),
  ...(scope.auth === undefined ? {} : { 'app.auth': 'on' }),
  ...(scope.role === undefined ? {} : { 'app.role': scope.role }),
  ...(scope.operator === undefined ? {} : { 'app.operator': 'on' }),
  ...(scope.member === undefined ? {} : { 'app.member': scope.member }),
  ...(scope.receiptProtocol === undefined ? {} : { 'app.receipt_protocol': scope.receiptProtocol }),
});

const settled = <T>(result: PromiseSettledResult<T>): T => {
  if (result.status === 'rejected') throw result.reason;
  return result.value;
};

export interface Access {
  readonly pool: Pool;
  readonly sign: SignScope;
}

/** Signs a setting for the transaction that is open. */
export type SignHere = (setting: ScopeSetting, value: string) => string;

/**
 * Runs one statement in a transaction under row security: `begin` says what the signatures are bound to, and then the
 * scope, the prepared statement and commit are sent together. When one of them fails, PostgreSQL refuses the rest, and
 * the commit becomes a rollback.
 */
export async function runScoped<T extends object>(
  { pool, sign }: Access,
  scope: Scope,
  query: NamedQuery,
  paramsOf: (sign: SignHere) => readonly unknown[],
  begin: 'begin' | 'begin read only',
): Promise<T[]> {
  const variables = Object.entries(sessionVariables(scope)) as [ScopeSetting, string][];
  const client: PoolClient = await pool.connect();
  let broken = true;
  try {
    await client.query(begin);
    const transaction = transactionOf(client);
    const signHere: SignHere = (setting, value) => sign(setting, value, transaction);
    const setScope = {
      name: `scope_${variables.length}`,
      text: `select ${variables.map((_, i) => `set_config($${2 * i + 1}, $${2 * i + 2}, true)`).join(', ')}`,
      values: variables.flatMap(([setting, value]) => [setting, signHere(setting, value)]),
    };
    const results = await Promise.allSettled([
      variables.length === 0 ? Promise.resolve() : client.query(setScope),
      client.query<T>({ name: query.name, text: query.text, values: [...paramsOf(signHere)] }),
      client.query('commit'),
    ]);
    // A connection that is still inside a transaction would give this scope to its next user.
    broken = client.getTransactionStatus() !== 'I';
    const [scoped, rows, committed] = results;
    settled(scoped);
    const answer = settled(rows).rows;
    settled(committed);
    return answer;
  } finally {
    client.release(broken);
  }
}
