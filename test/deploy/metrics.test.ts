import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { takePort } from '../../src/platform/runtime/free-port.ts';
import { SECRETS } from '../../testing/app.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { expressionsOf, metricsIn, readDashboard, readRules, servedNames } from '../../testing/observability.ts';
import { createScratch, eventually, type Started } from '../startup/support.ts';
import { createTemporalServer, type TemporalServer } from '../workflows/support/temporal-server.ts';

const PATIENCE = 60_000;
const TOKEN = 'the-token-of-the-scraper-in-this-test';
const scratch = createScratch();

let database: TestDatabase;
let temporal: TemporalServer;
let api: string;
let ports: { readonly worker: number; readonly relay: number };
let worker: Started;

const freePort = () => takePort({ name: 'metrics', preferred: 0, log: () => {} });
const serve = (role: string, env: Record<string, string>): Started =>
  scratch.run(process.execPath, ['src/main.ts', role], {
    DATA_DIR: join(scratch.folder, 'data'),
    PORT: '0',
    DATABASE_URL: database.url,
    TEMPORAL_ADDRESS: temporal.target.address,
    SANDBOX_MAX_WAIT: '300ms',
    METRICS_TOKEN: TOKEN,
    NODE_ENV: 'test',
    ...SECRETS,
    ...env,
  });
const at = (port: number, path: string, init: RequestInit = {}) => fetch(`http://127.0.0.1:${port}${path}`, init);
const bearer = { headers: { authorization: `Bearer ${TOKEN}` } };
const scrape = async (url: string): Promise<string> => (await fetch(`${url}/metrics`, bearer)).text();
const ask = async (method: string, path: string, token: string, body?: object) => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const answer = await fetch(`${api}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  return (await answer.json()) as Record<string, string>;
};
/** The sum of a metric's series that have these labels, in any order. */
const sumOf = (text: string, name: string, labels: Record<string, string> = {}): number =>
  [...text.matchAll(new RegExp(`^${name}(?:\\{(.*)\\})? (\\S+)$`, 'gm'))]
    .filter(([, of = '']) => Object.entries(labels).every(([label, value]) => of.includes(`${label}="${value}"`)))
    .reduce((sum, [, , value]) => sum + Number(value), 0);

beforeAll(async () => {
  [database, temporal] = await Promise.all([createTestDatabase(), createTemporalServer()]);
  await temporal.start();
  ports = { worker: await freePort(), relay: await freePort() };
  worker = serve('worker', { METRICS_PORT: String(ports.worker) });
  serve('relay', { METRICS_PORT: String(ports.relay) });
  const started = serve('api', { METRICS_PORT: String(ports.worker) });
  api = (await started.says(/API\s+(http:\S+)/, PATIENCE))[1] ?? '';
  expect(started.output()).toContain('METRICS_PORT is not used');
  await eventually(async () => (await fetch(`${api}/health/ready`)).status === 200, 'the service is ready', PATIENCE);
}, PATIENCE * 2);

afterAll(async () => {
  await scratch.clean();
  await temporal?.remove();
  await database?.drop();
}, PATIENCE);

describe('a worker and a relay of their own', () => {
  it('answer at METRICS_PORT, and refuse what is not theirs as the API does', async () => {
    for (const port of Object.values(ports)) {
      const live = await at(port, '/health/live');
      expect([live.status, await live.json()]).toEqual([200, { status: 'up' }]);
      expect((await at(port, '/health/live', { method: 'HEAD' })).status).toBe(200);
      expect((await at(port, '/metrics')).status).toBe(401);
      expect((await at(port, '/metrics', { headers: { authorization: 'Bearer wrong' } })).status).toBe(401);
      const metrics = await at(port, '/metrics', bearer);
      expect([metrics.status, metrics.headers.get('content-type')]).toEqual([
        200,
        expect.stringMatching(/^text\/plain; version=0\.0\.4/),
      ]);
      const posted = await at(port, '/metrics', { method: 'POST' });
      expect([posted.status, posted.headers.get('allow')]).toEqual([405, expect.stringContaining('GET')]);
      for (const path of ['/', '/api/campaigns', '/health/ready', '/openapi.json']) {
        const unknown = await at(port, path);
        expect([unknown.status, unknown.headers.get('content-type')]).toEqual([404, 'application/problem+json']);
      }
    }
  });

  it('count what was sent, paid and delivered, and have no personal data', async () => {
    const account = { name: 'Escola Aurora', email: 'financeiro@escola-aurora.com.br', password: 'Segredo123' };
    const { id: clientId = '', token = '' } = await ask('POST', '/api/onboarding/signup', '', account);
    const { id = '' } = await ask('POST', '/api/campaigns', token, { name: 'Mensalidades' });
    const debt = {
      debtorName: 'Maria da Silva',
      debtorPhone: '+5511987650001',
      debtorCpf: '52998224725',
      originalAmount: 150.5,
      dueDate: new Date(Date.now() - 20 * 86_400_000).toISOString().slice(0, 10),
      invoiceId: 'F-1',
    };
    await ask('POST', `/api/import/json/${id}`, token, { clientId, debts: [debt] });
    await ask('POST', `/api/campaigns/${id}/launch?sandbox=true`, token);
    const ofWorker = await eventually(
      async () => {
        const text = await scrape(`http://127.0.0.1:${ports.worker}`);
        return sumOf(text, 'quita_messages_sent_total', { purpose: 'receipt' }) > 0 ? text : undefined;
      },
      'the receipt is sent',
      PATIENCE,
    );
    const first = { channel: 'sandbox', purpose: 'collection', outcome: 'sent' };
    expect(sumOf(ofWorker, 'quita_messages_sent_total', first)).toBe(1);
    expect(sumOf(ofWorker, 'quita_payments_total', { outcome: 'settled' })).toBe(1);
    expect(sumOf(ofWorker, 'quita_payments_total')).toBe(1);
    expect(sumOf(ofWorker, 'quita_receipts_issued_total')).toBe(1);
    expect(sumOf(ofWorker, 'quita_debts_moved_total', { status: 'PAID' })).toBe(1);
    const ofRelay = await scrape(`http://127.0.0.1:${ports.relay}`);
    const delivered = sumOf(ofRelay, 'quita_outbox_delivered_total');
    expect(delivered).toBeGreaterThanOrEqual(3);
    expect(sumOf(ofRelay, 'quita_outbox_delivery_seconds_count')).toBe(delivered);
    expect(ofRelay).toMatch(/^quita_inbox_unhandled\{kind="message"\} 0$/m);
    expect(ofRelay).toMatch(/^quita_inbox_unhandled\{kind="payment"\} 0$/m);
    for (const text of [ofWorker, ofRelay, await scrape(api)]) {
      for (const secret of ['Maria', '52998224725', '987650001', 'escola-aurora', clientId, id, 'F-1']) {
        expect(text).not.toContain(secret);
      }
    }
  });

  it('serve every metric that the dashboard and the alerts name', async () => {
    const urls = [api, ...Object.values(ports).map((port) => `http://127.0.0.1:${port}`)];
    const served = new Set((await Promise.all(urls.map(scrape))).flatMap((text) => [...servedNames(text)]));
    const rules = readRules();
    const records = rules.flatMap(({ record }) => record ?? []);
    const named = [...expressionsOf(readDashboard()), ...rules.map(({ expr }) => expr)].flatMap(metricsIn);
    expect(named.length).toBeGreaterThan(60);
    const missing = new Set(named.filter((name) => !served.has(name) && !records.includes(name)));
    expect([...missing].toSorted()).toEqual(AFTER_A_FAILURE);
    for (const name of AFTER_A_FAILURE) expect(sdkKnows(name)).toBe(true);
    expect(sdkKnows('temporal_activity_execution_fallen_total')).toBe(false);
  });

  it(
    'end with one clear line when the port is taken',
    async () => {
      const other = createServer();
      const port = await freePort();
      await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve));
      const late = serve('relay', { METRICS_PORT: String(port) });
      expect(await late.ended).toBe(1);
      expect(late.output()).toContain(
        `Port ${port} on 127.0.0.1 is taken: stop what listens there, or set METRICS_PORT`,
      );
      await new Promise((resolve) => other.close(resolve));
    },
    PATIENCE,
  );

  it(
    'stop cleanly while a scraper keeps its connection',
    async () => {
      await at(ports.worker, '/health/live', { headers: { connection: 'keep-alive' } });
      worker.signal('SIGTERM');
      expect(await worker.ended).toBe(0);
      await expect(at(ports.worker, '/health/live')).rejects.toThrow();
    },
    PATIENCE,
  );
});

/** The SDK serves these counters from the first failure on. */
const AFTER_A_FAILURE = ['temporal_activity_execution_failed_total', 'temporal_workflow_task_execution_failed_total'];

/** Tells whether the program of the SDK has the name of this counter. */
function sdkKnows(counter: string): boolean {
  const bridge = dirname(createRequire(import.meta.url).resolve('@temporalio/core-bridge/package.json'));
  const folder = join(bridge, 'releases');
  const programs = readdirSync(folder)
    .map((name) => join(folder, name, 'index.node'))
    .filter((file) => existsSync(file));
  const name = counter.replace(/^temporal_/, '').replace(/_total$/, '');
  return programs.some((file) => readFileSync(file).includes(name));
}
