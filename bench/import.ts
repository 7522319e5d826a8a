/**
 * `node bench/import.ts` measures the rate of an import. It is compared with the work that no import can avoid:
 * JSON.parse of the body, and a bare COPY of the same rows into an equal table (columns, indexes, checks) as its owner,
 * without row security and without the foreign key. COPY with the foreign key, which an import cannot avoid either, is
 * told beside it, because the ratio to it is lower.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { migrate } from '../src/platform/database/migrate.ts';
import { startEmbeddedPostgres } from '../src/platform/runtime/embedded-postgres.ts';
import { debtInputs } from '../testing/debts.ts';
import { type ApiProcess, peakRss, rssOf, startApiProcess } from './support/api-process-memory.ts';
import { copyInto, equalTable } from './support/copy.ts';
import { cpuSecondsOf } from './support/cpu.ts';
import { sized } from './support/quick.ts';
import { report } from './support/report.ts';

const ROUNDS = sized(5, 3);
const middle = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

async function timed<T>(work: () => Promise<T> | T): Promise<{ ms: number; result: T }> {
  const start = performance.now();
  const result = await work();
  return { ms: performance.now() - start, result };
}

const folder = mkdtempSync(join(tmpdir(), 'quita-bench-'));
const postgres = await startEmbeddedPostgres({ dataDir: folder, log: () => {} });
let api: ApiProcess | undefined;
let owner: Client | undefined;
try {
  await migrate(postgres.url);
  owner = new Client({ connectionString: postgres.url });
  await owner.connect();
  api = await startApiProcess(postgres.url);
  const { url, clientId, token, pid } = api;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const newCampaign = async (): Promise<string> => {
    const body = JSON.stringify({ name: 'Bench' });
    const answer = await fetch(`${url}/api/campaigns`, { method: 'POST', headers, body });
    return ((await answer.json()) as { id: string }).id;
  };
  const send = async (campaignId: string, body: string): Promise<void> => {
    const answer = await fetch(`${url}/api/import/json/${campaignId}`, { method: 'POST', headers, body });
    const { imported, skipped } = (await answer.json()) as { imported: number; skipped: number };
    if (skipped !== 0) throw new Error(`${skipped} debts were skipped, ${imported} imported`);
  };
  const bodyOf = (count: number, from: number) => JSON.stringify({ clientId, debts: debtInputs(count, from) });

  await send(await newCampaign(), bodyOf(2_000, 90_000_000));

  const times = {
    copy: [] as number[],
    copyWithKey: [] as number[],
    parse: [] as number[],
    http: [] as number[],
    growth: [] as number[],
  };
  // The process of the benchmark parses the reference; PostgreSQL copies it and stores the import.
  const cpu = { bare: [] as number[], own: [] as number[] };
  const cpuNow = (program: number): number =>
    cpuSecondsOf(postgres.pid() ?? 0) +
    (program === process.pid ? process.cpuUsage().user / 1e6 : cpuSecondsOf(program));
  for (let round = 0; round < ROUNDS; round++) {
    const from = 1 + round * 20_000;
    const body = bodyOf(20_000, from);
    const campaignId = await newCampaign();
    const debts = debtInputs(20_000, from);
    await equalTable(owner, { withKey: true });
    times.copyWithKey.push(await copyInto(owner, { clientId, campaignId, debts }));
    await equalTable(owner, { withKey: false });
    const bareBefore = cpuNow(process.pid);
    times.parse.push((await timed(() => JSON.parse(body) as unknown)).ms);
    times.copy.push(await copyInto(owner, { clientId, campaignId, debts }));
    cpu.bare.push(cpuNow(process.pid) - bareBefore);
    const before = rssOf(pid);
    const ownBefore = cpuNow(pid);
    const { peak, result } = await peakRss(pid, () => timed(() => send(campaignId, body)));
    cpu.own.push(cpuNow(pid) - ownBefore);
    times.http.push(result.ms);
    times.growth.push((peak - before) / Buffer.byteLength(body));
  }
  const yardstick = middle(times.copy) + middle(times.parse);
  const fastest = Math.min(...times.http) / (Math.min(...times.copy) + Math.min(...times.parse));
  const withKey = middle(times.copyWithKey) + middle(times.parse);
  report(
    `20,000 debts: COPY ${middle(times.copy).toFixed(0)} ms + JSON.parse ${middle(times.parse).toFixed(0)} ms, over HTTP ${middle(times.http).toFixed(0)} ms: ${(middle(times.http) / yardstick).toFixed(2)} times, of the fastest ${fastest.toFixed(2)} (goal: 1.6); ${(middle(times.http) / withKey).toFixed(2)} times COPY with the foreign key`,
    {
      name: 'import of 20,000 debts',
      value: middle(times.http),
      unit: 'ms',
      better: 'less',
      baseline: { name: 'COPY and JSON.parse', value: yardstick },
      goal: { of: 'ratio', limit: 1.6 },
    },
  );
  report(
    `CPU of 20,000 debts: COPY and JSON.parse ${middle(cpu.bare).toFixed(2)} s, import ${middle(cpu.own).toFixed(2)} s: ${(middle(cpu.own) / middle(cpu.bare)).toFixed(2)} times`,
    {
      name: 'CPU of an import of 20,000 debts',
      value: middle(cpu.own),
      unit: 's',
      better: 'less',
      baseline: { name: 'COPY and JSON.parse', value: middle(cpu.bare) },
    },
  );
  report(
    `memory grew by ${middle(times.growth).toFixed(1)} times the body (${times.growth.map((one) => one.toFixed(1)).join(', ')}; goal: 10)`,
    {
      name: 'memory of an import, in sizes of the body',
      value: middle(times.growth),
      unit: 'times',
      better: 'less',
      goal: { of: 'value', limit: 10 },
    },
  );

  const campaignId = await newCampaign();
  const body = bodyOf(50_000, 10_000_000);
  const waits: number[] = [];
  let importing = true;
  const before = rssOf(pid);
  const asking = (async () => {
    while (importing) {
      waits.push(
        (await timed(() => fetch(`${url}/api/campaigns/${campaignId}`, { headers }).then((r) => r.text()))).ms,
      );
      await sleep(2);
    }
  })();
  const { peak, result } = await peakRss(pid, () => timed(() => send(campaignId, body)));
  importing = false;
  await asking;
  const sorted = waits.toSorted((a, b) => a - b);
  report(
    `50,000 debts in ${(result.ms / 1000).toFixed(1)} s (body ${(body.length / 1e6).toFixed(1)} MB, memory +${((peak - before) / Buffer.byteLength(body)).toFixed(1)} times): ${sorted.length} other requests, median ${middle(sorted).toFixed(0)} ms, p99 ${sorted[Math.floor(sorted.length * 0.99)]!.toFixed(0)} ms, longest ${sorted.at(-1)!.toFixed(0)} ms (goal: p99 250 ms)`,
    {
      name: 'p99 of other requests during an import',
      value: sorted[Math.floor(sorted.length * 0.99)]!,
      unit: 'ms',
      better: 'less',
      goal: { of: 'value', limit: 250 },
    },
  );
} finally {
  await owner?.end();
  api?.stop();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}
