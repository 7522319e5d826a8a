/**
 * `node bench/regenerate.ts` measures how fast a page of receipts is drawn again and stored. It runs the use case on a
 * real PostgreSQL: the page, the lease, the drawing by the pool, the storing and the audit log.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Client } from 'pg';
import { createReceiptLinks } from '../src/modules/messaging/use-cases/receipt-links.ts';
import { loadPolicy } from '../src/modules/policy/use-cases/load-policy.ts';
import { createThreadRenderer } from '../src/modules/receipts/adapters/receipt-renderer/threads/renderer.ts';
import { warmUpRenderer } from '../src/modules/receipts/adapters/receipt-renderer/threads/warm-up.ts';
import { regenerateReceipts } from '../src/modules/receipts/use-cases/regenerate-receipts.ts';
import { openDatabase } from '../src/platform/database/database.ts';
import { migrate } from '../src/platform/database/migrate.ts';
import { startEmbeddedPostgres } from '../src/platform/runtime/embedded-postgres.ts';
import { LET_OWNER_SEE } from '../testing/owner-sees.ts';
import { paidDebts } from '../testing/receipts-harness.ts';
import { sized } from './support/quick.ts';
import { report } from './support/report.ts';

const PAGE = 100;
const ROUNDS = sized(7, 3);
const middle = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const folder = mkdtempSync(join(tmpdir(), 'quita-bench-'));
const postgres = await startEmbeddedPostgres({ dataDir: folder, log: () => {} });
try {
  await migrate(postgres.url);
  const owner = new Client({ connectionString: postgres.url });
  await owner.connect();
  const clientId = randomUUID();
  await owner.query(LET_OWNER_SEE);
  await owner.query(
    `insert into clients (id, name, email, plan, status) values ($1, 'Escola Aurora', $2, 'GROWTH', 'ACTIVE')`,
    [clientId, `financeiro@${clientId}.com.br`],
  );
  const query = async <Row extends object>(text: string, params: unknown[] = []): Promise<Row[]> =>
    (await owner.query<Row>(text, params)).rows;
  await paidDebts(query, clientId, 3 * PAGE);
  await owner.end();

  const db = await openDatabase({ url: postgres.url, role: 'quita_app' });
  const renderer = createThreadRenderer();
  const receiptLinks = createReceiptLinks({ secrets: ['bench'], publicUrl: 'https://quita.example' });
  const regenerate = regenerateReceipts({ db, now: () => new Date(), policy: loadPolicy(), receiptLinks, renderer });
  const source = { ip: '127.0.0.1', by: 'session' } as const;
  const page = async (force: boolean, skip: number): Promise<number> => {
    const start = performance.now();
    const result = await regenerate({ clientId, take: PAGE, skip, force, source });
    if (result.regenerated !== PAGE) throw new Error(`not all were drawn: ${JSON.stringify(result)}`);
    return (performance.now() - start) / 1_000;
  };
  const cold = await page(false, 0);
  await warmUpRenderer(renderer);
  const issued = [await page(false, PAGE), await page(false, 2 * PAGE)];
  const redrawn: number[] = [];
  const cpuBefore = process.cpuUsage();
  let longestStall = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    redrawn.push(await page(true, 0));
    delay.disable();
    longestStall = Math.max(longestStall, delay.max / 1e6);
  }
  const { user, system } = process.cpuUsage(cpuBefore);
  say(`pages of ${PAGE} receipts, ${availableParallelism()} cores`);
  say(`issued, cold:   ${cold.toFixed(3)} s`);
  say(`issued:         ${middle(issued).toFixed(3)} s`);
  report(
    `regenerated:    ${middle(redrawn).toFixed(3)} s (median of ${ROUNDS}; worst ${Math.max(...redrawn).toFixed(3)} s)`,
    { name: 'regeneration of 100 receipts', value: middle(redrawn), unit: 's', better: 'less' },
  );
  // Other work of the machine affects the CPU time less than the wall clock.
  const cpu = (user + system) / 1e6 / ROUNDS;
  report(`of which CPU:   ${cpu.toFixed(3)} s over all threads, without PostgreSQL's`, {
    name: 'CPU of the regeneration of 100 receipts',
    value: cpu,
    unit: 's',
    better: 'less',
  });
  say(`the main thread's longest stall meanwhile: ${longestStall.toFixed(1)} ms`);
  await renderer.close();
  await db.close();
} finally {
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}
