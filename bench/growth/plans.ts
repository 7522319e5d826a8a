/**
 * `node bench/growth/plans.ts --data FOLDER [--calls 50] [--out bench/growth/plans] [--only NAME]` runs what the service
 * does on the database that `generate.ts` has filled. It saves the plan of each statement, prints how long each operation
 * took, and fails when a statement reads a large table of tenants from one end to the other.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { migrate } from '../../src/platform/database/migrate.ts';
import { startEmbeddedPostgres } from '../../src/platform/runtime/embedded-postgres.ts';
import { openEngine } from '../../testing/engine.ts';
import { createImport, IMPORTED, operationsOn } from '../../testing/growth/operations.ts';
import { type RecordedPlan, recordPlans, sequentialScans } from '../../testing/growth/plan-recorder.ts';
import { LET_OWNER_SEE } from '../../testing/owner-sees.ts';
import { startBenchApp } from '../support/bench-app.ts';

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    calls: { type: 'string', default: '50' },
    out: { type: 'string', default: join(import.meta.dirname, 'plans') },
    only: { type: 'string' },
  },
});
if (values.data === undefined) {
  process.stderr.write(
    'Usage: node bench/growth/plans.ts --data FOLDER [--calls NUMBER] [--out FOLDER] [--only NAME]\n',
  );
  process.exit(2);
}
const CALLS = Number(values.calls);
/** Reading a smaller table whole is the right plan. */
const LARGE_ROWS = 10_000;
const MAX_LINES = 60;
const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Values stand in conditions only, and may be those of a person. */
const withoutValues = (line: string): string => line.replace(/'[^']*'/g, "'…'").slice(0, 200);

const written = ({ statement, lines }: RecordedPlan): string =>
  [
    `-- ${statement
      .replaceAll(/\s+/g, ' ')
      .replace(/'[^']*'/g, "'…'")
      .slice(0, 160)}`,
    ...lines.slice(0, MAX_LINES).map(withoutValues),
  ].join('\n');

interface Times {
  readonly median: number;
  readonly p99: number;
}

async function timesOf(run: () => Promise<unknown>, calls: number): Promise<Times> {
  const times: number[] = [];
  for (let call = 0; call < calls; call += 1) {
    const start = performance.now();
    await run();
    times.push(performance.now() - start);
  }
  const sorted = times.toSorted((one, other) => one - other);
  return { median: sorted[Math.floor(calls / 2)]!, p99: sorted[Math.min(calls - 1, Math.floor(calls * 0.99))]! };
}

const line = (name: string, { median, p99 }: Times): string =>
  `${name.padEnd(18)} median ${median.toFixed(1).padStart(8)} ms   p99 ${p99.toFixed(1).padStart(8)} ms`;

const postgres = await startEmbeddedPostgres({ dataDir: values.data, durable: false, log: () => {} });
const owner = new Client({ connectionString: postgres.url });
await owner.connect();
await migrate(postgres.url);
if ((await owner.query(`select from pg_policies where policyname = 'bench_owner'`)).rowCount === 0) {
  await owner.query(LET_OWNER_SEE);
}
const recorder = recordPlans();
const app = await startBenchApp(postgres.url);
const engine = await openEngine(postgres.url);
let failed = false;
try {
  const { rows } = await owner.query<{ relname: string; rows: number }>(
    `select relname, reltuples::bigint::float8 as rows from pg_class where relkind = 'r' and relrowsecurity`,
  );
  const large = new Set(rows.filter((table) => table.rows > LARGE_ROWS).map(({ relname }) => relname));
  const all = await operationsOn(app, engine);
  const operations = all.filter(({ name }) => values.only === undefined || name === values.only);
  mkdirSync(values.out, { recursive: true });
  for (const { name, run } of operations) {
    const plans = await recorder.record(run);
    writeFileSync(join(values.out, `${name}.txt`), `${plans.map(written).join('\n\n')}\n`);
    for (const plan of plans) {
      for (const table of sequentialScans(plan).filter((scanned) => large.has(scanned))) {
        failed = true;
        say(`SEQUENTIAL SCAN over ${table} by ${name}: ${plan.statement.slice(0, 120)}`);
      }
    }
  }
  recorder.stop();
  for (const { name, run, most = CALLS } of operations) say(line(name, await timesOf(run, Math.min(most, CALLS))));

  if (values.only === undefined) {
    const empty = await importIntoEmpty();
    say(`${line('import, empty', empty)}   (${IMPORTED} debts a call)`);
  }
} finally {
  await engine.close();
  await app.close();
  await owner.end();
  await postgres.stop();
}
if (failed) process.exitCode = 1;

/** The same import into a database of the same server that has nothing else. */
async function importIntoEmpty(): Promise<Times> {
  await owner.query('drop database if exists empty_growth');
  await owner.query('create database empty_growth template template0');
  const url = new URL(postgres.url);
  url.pathname = '/empty_growth';
  await migrate(url.href);
  const emptyApp = await startBenchApp(url.href);
  try {
    const client = await emptyApp.newClient();
    return await timesOf(createImport(emptyApp, { clientId: client.id, bearer: client.token }), 5);
  } finally {
    await emptyApp.close();
  }
}
