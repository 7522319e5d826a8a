/**
 * `node bench/export.ts` exports 50,000 debts as CSV and as XLSX: the time, the memory of the process that serves, and
 * how long other requests wait meanwhile. It also times searches over them, and 1,000 withdrawals in one call.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { migrate } from '../src/platform/database/migrate.ts';
import { startEmbeddedPostgres } from '../src/platform/runtime/embedded-postgres.ts';
import { cpfOf, debtInputs } from '../testing/debts.ts';
import { type ApiProcess, peakRss, rssOf, startApiProcess } from './support/api-process-memory.ts';
import { sized } from './support/quick.ts';
import { report } from './support/report.ts';

const DEBTS = sized(50_000, 20_000);
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

const folder = mkdtempSync(join(tmpdir(), 'quita-bench-'));
const postgres = await startEmbeddedPostgres({ dataDir: folder, log: () => {} });
let api: ApiProcess | undefined;
try {
  await migrate(postgres.url);
  api = await startApiProcess(postgres.url);
  const { url, clientId, token, pid } = api;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const post = (path: string, body: unknown, more: Record<string, string> = {}) =>
    fetch(`${url}${path}`, { method: 'POST', headers: { ...headers, ...more }, body: JSON.stringify(body) });
  const campaign = (await (await post('/api/campaigns', { name: 'Bench' })).json()) as { id: string };
  for (let from = 1; from <= DEBTS; from += 10_000) {
    await post(`/api/import/json/${campaign.id}`, { clientId, debts: debtInputs(10_000, from) });
  }

  for (const [name, accept] of [
    ['CSV', 'text/csv'],
    ['XLSX', XLSX],
  ] as const) {
    const waits: number[] = [];
    let running = true;
    const asking = (async () => {
      while (running) {
        const start = performance.now();
        await (await fetch(`${url}/health/live`)).text();
        waits.push(performance.now() - start);
        await sleep(2);
      }
    })();
    const before = rssOf(pid);
    const start = performance.now();
    const { peak, result } = await peakRss(pid, async () => {
      const answer = await post('/api/debts/export', {}, { accept });
      let bytes = 0;
      for await (const part of answer.body ?? []) bytes += (part as Uint8Array).length;
      return bytes;
    });
    const seconds = (performance.now() - start) / 1000;
    running = false;
    await asking;
    const longest = Math.max(...waits).toFixed(0);
    const sorted = waits.toSorted((a, b) => a - b);
    report(
      `${name}: ${DEBTS} debts in ${seconds.toFixed(1)} s (goal 10), ${(result / 1e6).toFixed(1)} MB, process ${(peak / 1e6).toFixed(0)} MB, +${((peak - before) / 1e6).toFixed(0)} MB (goal 200); ${waits.length} other requests, p99 ${sorted[Math.floor(waits.length * 0.99)]!.toFixed(0)} ms, longest ${longest} ms`,
      { name: `export as ${name}`, value: seconds, unit: 's', better: 'less', goal: { of: 'value', limit: 10 } },
      {
        name: `memory of an export as ${name}`,
        value: (peak - before) / 1e6,
        unit: 'MB',
        better: 'less',
        goal: { of: 'value', limit: 200 },
      },
    );
  }

  const searches: readonly (readonly [string, object])[] = [
    ['without a filter', {}],
    ['by amount', { sort: '-amount' }],
    ['by name', { sort: 'name' }],
    ['a CPF', { q: cpfOf(100_012_345) }],
    ['an invoice', { q: 'NF-1234' }],
    ['a name that all have', { q: 'maria' }],
    ['campaign and status', { campaignId: campaign.id, status: ['IMPORTED'] }],
  ];
  for (const [name, body] of searches) {
    const times: number[] = [];
    for (let round = 0; round < 7; round++) {
      const start = performance.now();
      await (await post('/api/debts/search', body)).text();
      times.push(performance.now() - start);
    }
    const middle = times.toSorted((a, b) => a - b)[3]!;
    report(`search ${name}: median ${middle.toFixed(0)} ms`, {
      name: `search ${name}`,
      value: middle,
      unit: 'ms',
      better: 'less',
    });
  }

  const start = performance.now();
  const found = (await (await post('/api/debts/search', { q: 'NF-33', sort: 'dueDate' })).json()) as { total: number };
  const answer = await post('/api/debts/actions', { action: 'withdraw', search: { q: 'NF-33' }, expect: found.total });
  const { done } = (await answer.json()) as { done: number };
  const seconds = (performance.now() - start) / 1000;
  report(`${done} debts withdrawn in ${seconds.toFixed(1)} s`, {
    name: 'withdrawal of a debt among many',
    value: (seconds * 1000) / done,
    unit: 'ms',
    better: 'less',
  });
} finally {
  api?.stop();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}
