/**
 * `node testing/growth/generate.ts --debts 5000000 --data FOLDER [--clients 200]` fills a PostgreSQL server of its own in
 * FOLDER with as many debts, ten times as many events of timelines, and what belongs to them. The server does not sync
 * to the disk, and is stopped at the end. FOLDER needs about 8 GB for each million debts.
 */
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { migrate } from '../../src/platform/database/migrate.ts';
import { startEmbeddedPostgres } from '../../src/platform/runtime/embedded-postgres.ts';
import { fillDatabase } from './fill-database.ts';

const { values } = parseArgs({
  options: {
    debts: { type: 'string', default: '100000' },
    clients: { type: 'string', default: '200' },
    data: { type: 'string' },
  },
});
const DEBT_COUNT = Number(values.debts);
const CLIENT_COUNT = Number(values.clients);
if (values.data === undefined || !(DEBT_COUNT >= 1_000) || !(CLIENT_COUNT >= 2)) {
  process.stderr.write('Usage: node testing/growth/generate.ts --debts NUMBER --data FOLDER [--clients NUMBER]\n');
  process.exit(2);
}

const started = Date.now();
const say = (line: string): void =>
  void process.stdout.write(`${((Date.now() - started) / 1000).toFixed(0).padStart(5)} s  ${line}\n`);

const postgres = await startEmbeddedPostgres({ dataDir: values.data, durable: false, log: say });
try {
  await migrate(postgres.url);
  const owner = new Client({ connectionString: postgres.url });
  await owner.connect();
  await fillDatabase(owner, { debts: DEBT_COUNT, clients: CLIENT_COUNT, say });
  const { rows } = await owner.query<{ size: string }>(
    'select pg_size_pretty(pg_database_size(current_database())) as size',
  );
  say(`the database has ${rows[0]!.size}`);
  await owner.end();
} finally {
  await postgres.stop();
}
