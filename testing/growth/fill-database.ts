import type { Client } from 'pg';
import { CAMPAIGNS, CLIENTS, DEBTS, EVENT_ROUNDS, events, MESSAGE_ROUNDS, messages, OTHERS, sizesOf } from './fill.ts';

interface Rebuilt {
  readonly table: string;
  readonly drop: string;
  readonly create: string;
}

/** Foreign keys and indexes are made again after the fill, which takes a fraction of the time of keeping them. */
async function rebuiltParts(owner: Client, tables: readonly string[]): Promise<Rebuilt[]> {
  const keys = await owner.query<Rebuilt>(
    `select conrelid::regclass::text as table, format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
       format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as create
     from pg_constraint where contype = 'f' and conrelid::regclass::text = any($1)`,
    [tables],
  );
  const indexes = await owner.query<Rebuilt>(
    `select indrelid::regclass::text as table, format('drop index %s', indexrelid::regclass) as drop,
       pg_get_indexdef(indexrelid) as create
     from pg_index where indrelid::regclass::text = any($1)
       and not exists (select from pg_constraint where conindid = indexrelid)`,
    [tables],
  );
  // Foreign keys come last, because PostgreSQL checks them by the indexes.
  return [...indexes.rows, ...keys.rows];
}

export interface Fill {
  readonly debts: number;
  readonly clients: number;
  readonly say: (line: string) => void;
}

/** Fills a migrated database, as its owner. */
export async function fillDatabase(owner: Client, { debts, clients: count, say }: Fill): Promise<void> {
  const run = async (what: string, text: string, params: unknown[] = []): Promise<void> => {
    const { rowCount } = await owner.query(text, params);
    say(`${what}${rowCount === null ? '' : `: ${rowCount} rows`}`);
  };
  for (const setting of [
    'synchronous_commit = off',
    "work_mem = '512MB'",
    "maintenance_work_mem = '1GB'",
    'max_parallel_maintenance_workers = 0',
    'max_parallel_workers_per_gather = 0',
  ]) {
    await owner.query(`set ${setting}`);
  }
  const tables = ['campaigns', 'debts', 'messages', 'debt_events', ...Object.keys(OTHERS)];
  const parts = await rebuiltParts(owner, tables);
  for (const { drop } of parts.toReversed()) await owner.query(drop);
  for (const table of ['clients', ...tables]) {
    // Row security also binds the owner, and the triggers would count and tell of each row.
    await owner.query(`alter table ${table} no force row level security`);
    await owner.query(`alter table ${table} disable trigger user`);
  }

  const { rows: clients } = await owner.query<{ id: string }>(CLIENTS, [count]);
  const sizes = sizesOf(debts, count);
  for (const [at, { id }] of clients.entries()) {
    await owner.query(CAMPAIGNS, [id, sizes[at]]);
    await owner.query(DEBTS, [id, sizes[at]]);
  }
  say(`debts of ${clients.length} clients`);
  for (const round of MESSAGE_ROUNDS) await run(`messages, round ${round}`, messages(round));
  for (let round = 0; round < EVENT_ROUNDS; round += 1) await run(`events, round ${round}`, events(round));
  for (const [table, text] of Object.entries(OTHERS)) await run(table, text);

  for (const { create } of parts) await run(create.slice(0, 90), create);
  for (const table of ['clients', ...tables]) {
    await owner.query(`alter table ${table} enable trigger user`);
    await owner.query(`alter table ${table} force row level security`);
  }
  await run('vacuum analyze', 'vacuum (analyze, parallel 0)');
}
