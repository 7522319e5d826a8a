/**
 * `node bench/launch.ts` measures how long a launch takes to answer. No server listens at Temporal's address, which
 * also shows that a launch does not need Temporal. The goals are 200 ms for 1,000 debts and 2 s for 50,000.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../src/platform/database/migrate.ts';
import { startEmbeddedPostgres } from '../src/platform/runtime/embedded-postgres.ts';
import { debtInputs } from '../testing/debts.ts';
import { startBenchApp } from './support/bench-app.ts';
import { sized } from './support/quick.ts';
import { report } from './support/report.ts';

const ROUNDS = sized({ 1000: 7, 50000: 3 }, { 1000: 3, 50000: 1 });
const GOALS = { 1000: 200, 50000: 2_000 };
const middle = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

const folder = mkdtempSync(join(tmpdir(), 'quita-bench-'));
const postgres = await startEmbeddedPostgres({ dataDir: folder, log: () => {} });
try {
  await migrate(postgres.url);
  const app = await startBenchApp(postgres.url);
  const client = await app.newClient();
  let from = 1;
  for (const debts of [1_000, 50_000] as const) {
    const times: number[] = [];
    for (let round = 0; round < ROUNDS[debts]; round += 1) {
      const campaignId = await client.createCampaign();
      await client.importJson(campaignId, debtInputs(debts, from));
      from += debts;
      const start = performance.now();
      const { body } = await client.call('POST', `/api/campaigns/${campaignId}/launch?sandbox=true`);
      times.push(performance.now() - start);
      if (body.queued !== debts) throw new Error(`queued ${body.queued} of ${debts}`);
    }
    const [half, most] = [middle(times), Math.max(...times)].map((ms) => ms.toFixed(0));
    report(`launch of ${debts} debts: median ${half} ms, longest ${most} ms (goal: ${GOALS[debts]} ms)`, {
      name: `launch of ${debts} debts`,
      value: middle(times),
      unit: 'ms',
      better: 'less',
      goal: { of: 'value', limit: GOALS[debts] },
    });
  }
  await app.close();
} finally {
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}
