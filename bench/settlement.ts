/**
 * `node bench/settlement.ts [seconds]` measures the time from a notification to APPROVED, at 10 notifications a second
 * for a minute, with API, worker, relay, PostgreSQL and Temporal on this machine. The goal is a p95 under 1 s.
 */
import { createHmac, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startService } from '../src/app/container.ts';
import { signatureManifest } from '../src/modules/payments/rules/webhook-signature.ts';
import { loadConfig, ROLES } from '../src/platform/config/index.ts';
import { startEmbeddedTemporal } from '../src/platform/runtime/embedded-temporal.ts';
import { createLogger } from '../src/platform/runtime/logger.ts';
import { startPaymentsHarness } from './support/payments-harness.ts';
import { sized } from './support/quick.ts';
import { report } from './support/report.ts';
import { BENCH_SECRETS, BENCH_WEBHOOK_SECRET } from './support/secrets.ts';

const SECONDS = Number(process.argv[2] ?? sized(60, 20));
const A_SECOND = 10;
const folder = mkdtempSync(join(tmpdir(), 'quita-bench-'));
const config = loadConfig({ NODE_ENV: 'test', PORT: '0', ...BENCH_SECRETS });
const { namespace, searchAttributes } = config.temporal;
const [bench, temporal] = await Promise.all([
  startPaymentsHarness(SECONDS * A_SECOND),
  startEmbeddedTemporal({ dataDir: folder, port: 0, uiPort: 0, ui: false, namespace, searchAttributes, log: () => {} }),
]);
const harness = await startService(
  { ...config, databaseUrl: bench.databaseUrl, temporal: { ...config.temporal, address: temporal.address } },
  createLogger({ level: 'error', destination: process.stderr }),
  ROLES,
  { onWorkerDeath: () => process.stderr.write('the worker died\n') },
);

async function notify(dataId: string): Promise<void> {
  const requestId = randomUUID();
  const ts = String(Math.floor(Date.now() / 1000));
  const secret = BENCH_WEBHOOK_SECRET;
  const v1 = createHmac('sha256', secret).update(signatureManifest({ dataId, requestId, ts })).digest('hex');
  const path = `/api/payments/webhook?data.id=${dataId}&type=payment&account=${bench.api.clientId}`;
  const response = await fetch(`${harness.url}${path}`, {
    method: 'POST',
    headers: { 'x-signature': `ts=${ts},v1=${v1}`, 'x-request-id': requestId, 'content-type': 'application/json' },
    body: JSON.stringify({ type: 'payment', data: { id: dataId } }),
  });
  if (response.status !== 200) throw new Error(`answered ${response.status}`);
}

try {
  // One notification passes through all steps before the measurement.
  await notify(bench.charges[0] ?? '');
  await sleep(5_000);
  const sent = new Map<string, number>();
  const start = performance.now();
  for (const [index, charge] of bench.charges.slice(1).entries()) {
    await sleep(Math.max(0, start + (index * 1000) / A_SECOND - performance.now()));
    sent.set(charge, Date.now());
    void notify(charge);
  }
  await sleep(10_000);
  const { rows } = await bench.owner.query<{ charge: string; at: Date }>(
    'select provider_payment_id as charge, approved_at as at from charges where approved_at is not null',
  );
  const times = rows.flatMap(({ charge, at }) => (sent.has(charge) ? [at.getTime() - sent.get(charge)!] : []));
  times.sort((a, b) => a - b);
  const part = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))];
  report(
    `${times.length} of ${sent.size} approved: p50 ${part(0.5)} ms, p95 ${part(0.95)} ms, longest ${times.at(-1)} ms (goal p95 < 1000)`,
    {
      name: 'from the notification to APPROVED, p95',
      value: part(0.95) ?? Number.NaN,
      unit: 'ms',
      better: 'less',
      goal: { of: 'value', limit: 1_000 },
    },
    {
      name: 'payments that were not settled',
      value: sent.size - times.length,
      unit: 'payments',
      better: 'less',
      goal: { of: 'value', limit: 0 },
    },
  );
} finally {
  await harness.close();
  await temporal.stop();
  await bench.close();
  rmSync(folder, { recursive: true, force: true });
}
