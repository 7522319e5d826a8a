/**
 * `node bench/hostile.ts [seconds] [findings]` sends every hostile input of the second penetration test at once, or those
 * of some findings such as `7,9`. Each comes from an address and an account of its own at the rates that the service
 * allows, beside twenty honest calls a second. The same honest calls without hostile inputs are the baseline of the run.
 * The goals are that no honest call takes longer than a second, and that the API needs less than 1.5 GiB. It needs Linux,
 * and calls nothing but this machine.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Answered } from './hostile/attackers.ts';
import { prepareHonest } from './hostile/honest.ts';
import { watchProcesses } from './load/processes.ts';
import type { Recorder } from './load/recorder.ts';
import { startStack } from './stack/stack.ts';
import { peakRss } from './support/api-process-memory.ts';
import { sized } from './support/quick.ts';
import { report } from './support/report.ts';

const SECONDS = Number(process.argv[2] ?? sized(1_800, 30));
const IDLE_SECONDS = Math.min(120, Math.max(20, SECONDS / 4));
const RATE = 20;
const MIB = 1024 * 1024;
const GOAL_MS = 1_000;
const GOAL_MIB = 1.5 * 1024;
const SAMPLE_MS = 500;
const LOOP_RESOLUTION_MS = 10;
const NOBODY = 'http://127.0.0.1:9';
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const folder = mkdtempSync(join(tmpdir(), 'quita-hostile-'));
const stack = await startStack({
  folder,
  direct: true,
  env: async () => ({
    ACCESS_TOKEN_TTL: '12h',
    LOGIN_RATE_PER_MINUTE: '5',
    SIGNUP_RATE_PER_MINUTE: '30',
    PUBLIC_RATE_PER_MINUTE: '600',
    CLIENT_RATE_PER_MINUTE: '600',
    PAYMENT_PROVIDER: 'mercadopago',
    MERCADOPAGO_BASE_URL: NOBODY,
    MESSAGING_CHANNEL: 'whatsapp',
    WHATSAPP_BASE_URL: NOBODY,
    WHATSAPP_VERIFY_TOKEN: 'verify-token',
  }),
});
const api = stack.products.find(({ role }) => role === 'api');

interface Seen {
  readonly calls: Recorder;
  readonly longest: number;
  readonly p99: number;
  /** MiB of the API's process, and of that together with the processes that it starts. */
  readonly rss: number;
  readonly together: number;
}

async function measure(name: string, work: () => Promise<Recorder>): Promise<Seen> {
  const pid = api?.pid();
  if (pid === undefined) throw new Error('The API does not run.');
  const delay = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS });
  delay.enable();
  const watched = watchProcesses(stack.processes, SAMPLE_MS);
  const { peak, result: calls } = await peakRss(pid, work);
  watched.stop();
  delay.disable();
  const samplesOf = (process: string) => watched.samples.get(process) ?? [];
  const cores = (process: string): string => {
    const [first, last] = [samplesOf(process)[0], samplesOf(process).at(-1)];
    return first === undefined || last === undefined ? '-' : ((last.cpu - first.cpu) / (last.at - first.at)).toFixed(2);
  };
  const rss = peak / MIB;
  const together = Math.max(...samplesOf('api-1').map(({ memory }) => memory)) / MIB;
  const [p50, p99, longest] = [calls.quantile(0.5), calls.quantile(0.99), calls.quantile(1)];
  say(
    `${name}: ${calls.count} honest calls in ${calls.seconds.toFixed(0)} s, ${calls.errorCount} of them failed; p50 ${p50.toFixed(0)} ms, p95 ${calls.quantile(0.95).toFixed(0)} ms, p99 ${p99.toFixed(0)} ms, longest ${longest.toFixed(0)} ms (of which the caller's own event loop at most ${(delay.max / 1e6 - LOOP_RESOLUTION_MS).toFixed(0)} ms)`,
  );
  say(`  API: RSS at most ${rss.toFixed(0)} MiB, with its processes ${together.toFixed(0)} MiB`);
  say(
    `  cores: ${stack
      .processes()
      .map((one) => `${one.name} ${cores(one.name)}`)
      .join(', ')}`,
  );
  for (const kind of calls.kinds().toSorted((one, other) => other.longest - one.longest)) {
    say(
      `  ${kind.kind.padEnd(18)} ${String(kind.count).padStart(6)}  p50 ${kind.p50.toFixed(0).padStart(5)} ms  p99 ${kind.p99.toFixed(0).padStart(5)} ms  longest ${kind.longest.toFixed(0).padStart(5)} ms`,
    );
  }
  for (const { what, count } of calls.errors()) say(`  ${count} × ${what}`);
  return { calls, longest, p99, rss, together };
}

const attackers = fork(new URL('./hostile/attackers.ts', import.meta.url), [api?.url ?? '', process.argv[3] ?? '']);
// Attackers compute on machines of their own: here they take what the service leaves of the cores.
if (attackers.pid !== undefined) setPriority(attackers.pid, 19);
try {
  const honest = await prepareHonest(api?.url ?? '');
  await Promise.race([
    once(attackers, 'message'),
    once(attackers, 'exit').then(() => Promise.reject(new Error('The hostile inputs could not be prepared.'))),
  ]);
  // In production the documents are made when the process starts.
  for (const path of ['/openapi.json', '/docs', '/api/policy']) await (await fetch(`${api?.url}${path}`)).arrayBuffer();
  await honest.call(RATE, 5);
  const idle = await measure('nothing beside', () => honest.call(RATE, IDLE_SECONDS));
  attackers.send('begin');
  const seen = await measure('beside hostile inputs', () => honest.call(RATE, SECONDS));
  attackers.send('end');
  const [answered] = (await once(attackers, 'message')) as [readonly Answered[]];
  for (const { name, finding, outcomes } of answered) {
    const counts = Object.entries(outcomes).map(([outcome, count]) => `${outcome} × ${count}`);
    say(`  ${`${finding}. ${name}`.padEnd(42)} ${counts.join(', ') || 'no answer yet'}`);
  }
  const deaths = stack.products.reduce((sum, one) => sum + one.deaths(), 0);
  if (deaths > 0) throw new Error(`${deaths} processes of the product ended.`);
  report(
    `longest honest call ${seen.longest.toFixed(0)} ms beside hostile inputs and ${idle.longest.toFixed(0)} ms without (goal: ${GOAL_MS} ms); the API took ${seen.together.toFixed(0)} MiB with its processes (goal: ${GOAL_MIB} MiB)`,
    {
      name: 'longest honest call beside hostile inputs',
      value: seen.longest,
      unit: 'ms',
      better: 'less',
      baseline: { name: 'nothing beside', value: idle.longest },
      goal: { of: 'value', limit: GOAL_MS },
    },
    {
      name: 'p99 of honest calls beside hostile inputs',
      value: seen.p99,
      unit: 'ms',
      better: 'less',
      baseline: { name: 'nothing beside', value: idle.p99 },
    },
    {
      name: 'memory of the API and its processes beside hostile inputs',
      value: Math.max(seen.rss, seen.together),
      unit: 'MiB',
      better: 'less',
      baseline: { name: 'nothing beside', value: Math.max(idle.rss, idle.together) },
      goal: { of: 'value', limit: GOAL_MIB },
    },
    {
      name: 'failed honest calls beside hostile inputs',
      value: seen.calls.errorCount,
      unit: 'calls',
      better: 'less',
      goal: { of: 'value', limit: 0 },
    },
  );
} finally {
  attackers.kill();
  await stack.stop();
  rmSync(folder, { recursive: true, force: true });
}
