import type { MikroORM, Transaction } from '@mikro-orm/postgresql';
import { CompiledQuery, type Transaction as KyselyTransaction } from 'kysely';
import { UnsignedScope } from './bind-transactions.ts';
import type { ScopeSetting } from './tables/tenant-table.ts';

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
