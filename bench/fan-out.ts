/**
 * `node bench/fan-out.ts` measures how fast a campaign starts collections whose first contact is allowed tomorrow. It
 * compares them with bare child workflows that start one timer, alternating on one server. The goal is 80 % of their
 * rate.
 */
import { randomUUID } from 'node:crypto';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import type { createActivities } from '../activities/index.ts';
import { bundleWorkflows } from '../src/platform/temporal/bundle.ts';
import { startWorker } from '../src/platform/temporal/worker.ts';
import { startCampaignsApp } from '../testing/campaigns-app.ts';
import { startEngineHarness } from './support/engine-harness.ts';
import { sized } from './support/quick.ts';
import { report } from './support/report.ts';

const DEBTS = Number(process.argv[2] ?? sized(2_000, 400));
const ROUNDS = Number(process.argv[3] ?? 3);
const middle = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const logger = pino({ level: 'silent' });
const harness = await startEngineHarness();
const app = await startCampaignsApp({
  roles: ['api', 'worker', 'relay'],
  database: { url: harness.databaseUrl, name: 'postgres', drop: async () => undefined },
});
const target = { address: harness.address, namespace: 'default', taskQueue: 'bare' };
const bare = startWorker({
  ...target,
  workerId: 'bare',
  bundle: await bundleWorkflows(logger, fileURLToPath(new URL('./support/bare-workflows.ts', import.meta.url))),
  activities: {} as ReturnType<typeof createActivities>,
  // These are the settings of the product's worker.
  limits: {
    maxConcurrentActivities: 50,
    maxConcurrentAnswers: 20,
    maxConcurrentWorkflowTasks: 40,
    maxCachedWorkflows: 100,
    shutdownGraceMs: 1_000,
  },
  logger,
});

async function bareFanOut(count = DEBTS): Promise<number> {
  const children = Array.from({ length: count }, () => `bare-${randomUUID()}`);
  const workflowId = `bare-parent-${randomUUID()}`;
  await harness.client.workflow.start('bareParent', { workflowId, taskQueue: 'bare', args: [children] });
  return harness.fanOutMs(workflowId, children.toReversed());
}

async function engineFanOut(count = DEBTS): Promise<number> {
  const { workflowId, children } = await harness.campaignOf(count);
  // The best score comes first. All scores are equal here, so the smallest id comes last.
  return harness.fanOutMs(workflowId, children.toSorted());
}

try {
  await bareFanOut(20);
  await engineFanOut(20);
  const times = { bare: [] as number[], engine: [] as number[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    // The two alternate in going first, so that other work of the machine affects both.
    const runs = [
      async () => void times.bare.push(await bareFanOut()),
      async () => void times.engine.push(await engineFanOut()),
    ];
    for (const run of round % 2 === 0 ? runs : runs.toReversed()) await run();
    const load = loadavg()[0]?.toFixed(1);
    say(
      `round ${round + 1}: bare ${times.bare.at(-1)?.toFixed(0)} ms, campaign ${times.engine.at(-1)?.toFixed(0)} ms (load ${load})`,
    );
  }
  const rate = (ms: number) => (DEBTS / ms) * 1000;
  const [of, to] = [rate(middle(times.engine)), rate(middle(times.bare))];
  const ratio = middle(times.bare.map((ms, round) => ms / times.engine[round]!));
  report(
    `${DEBTS} debts: ${of.toFixed(0)} a second, bare children ${to.toFixed(0)}; median of the rounds: ${(ratio * 100).toFixed(0)} % (goal: 80 %)`,
    {
      name: 'start of collections',
      value: of,
      unit: '/s',
      better: 'more',
      baseline: { name: 'bare children', value: to },
      ratio,
      goal: { of: 'ratio', limit: 0.8 },
    },
  );
} finally {
  await bare.shutdown();
  await app.close();
  await harness.stop();
}
