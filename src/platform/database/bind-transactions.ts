import type { MikroORM, Transaction } from '@mikro-orm/postgresql';
import { CompiledQuery, type Transaction as KyselyTransaction } from 'kysely';
import type { Pool, PoolClient, QueryConfig, QueryResult } from 'pg';
import type { SignScope } from './scope-signer.ts';
import type { ScopeSetting } from './tables/tenant-table.ts';

/** A value of the setting that limits a transaction. It is signed when it is sent, for the transaction that sends it. */
export class UnsignedScope {
  readonly setting: ScopeSetting;
  readonly value: string;

  constructor(setting: ScopeSetting, value: string) {
    this.setting = setting;
    this.value = value;
  }
}

/** The moment at which the transaction began, to the microsecond. `quita_scope` computes the same. */
const IDENTITY = {
  name: 'transaction_identity',
  text: 'select extract(epoch from transaction_timestamp())::text as id',
};
const BEGINS = /^(?:begin|start transaction)\b/i;

type Query = (text: unknown, values?: unknown, callback?: unknown) => unknown;
type Sent = QueryResult<{ id: string }>;

const identities = new WeakMap<PoolClient, string>();

/** Returns what signatures of this connection's transaction are bound to. */
export const transactionOf = (client: PoolClient): string => identities.get(client) ?? '';

/**
 * Asks each transaction for its identity, in the round trip of its `begin`, and signs scopes for it. A signature that is
 * seen in one transaction is worth nothing in another one.
 */
export function bindTransactions(pool: Pool, sign: SignScope): void {
  pool.on('connect', (client: PoolClient) => {
    const query = client.query.bind(client) as Query;
    const begin = async (text: string): Promise<Sent> => {
      const [begun, { rows }] = await Promise.all([query(text) as Promise<Sent>, query(IDENTITY) as Promise<Sent>]);
      identities.set(client, rows[0]?.id ?? '');
      return begun;
    };
    client.query = ((text: unknown, values?: unknown, callback?: unknown) => {
      if (typeof text !== 'string') return query(text, values, callback);
      if (BEGINS.test(text)) return begin(text);
      // Only the statement that sets a scope has such a value, and it has one beside each name.
      if (!Array.isArray(values) || !(values[1] instanceof UnsignedScope)) return query(text, values, callback);
      const transaction = transactionOf(client);
      const signed = values.map((value: unknown) =>
        value instanceof UnsignedScope ? sign(value.setting, value.value, transaction) : value,
      );
      return query({ text, values: signed } satisfies QueryConfig, callback);
    }) as typeof client.query;
  });
}

type Apply = (
  transaction: Transaction,
  context: { readonly variables?: Readonly<Record<string, unknown>> },
) => Promise<void>;

/**
 * Binds the scope as a parameter. MikroORM would write it into the text of a statement, and `pg_stat_activity` shows
 * the texts of running statements, with the signature, to every session of the same login.
 */
export function bindSessionContext(orm: MikroORM): void {
  const connection = orm.em.getConnection() as unknown as { applySessionContext: Apply };
  connection.applySessionContext = async (transaction, { variables = {} }) => {
    const entries = Object.entries(variables);
    if (entries.length === 0) return;
    const text = `select ${entries.map((_, i) => `set_config($${2 * i + 1}, $${2 * i + 2}, true)`).join(', ')}`;
    await (transaction as unknown as KyselyTransaction<unknown>).executeQuery(
      CompiledQuery.raw(
        text,
        entries.flatMap(([name, value]) => [name, new UnsignedScope(name as ScopeSetting, String(value))]),
      ),
    );
  };
}
