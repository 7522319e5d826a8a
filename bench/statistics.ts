/**
 * `node bench/statistics.ts` measures how fast statistics and dashboard answer over 200,000 debts, and prints their
 * plans. The goal is under 50 ms over HTTP. The debts belong to one client, and as many of another client lie between
 * them.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { OPEN_BY_DUE_DATE, WAITING_DEBTS } from '../src/modules/campaigns/queries/open-work.ts';
import { STATUSES_OF_CAMPAIGN, STATUSES_OF_DASHBOARD } from '../src/modules/debts/queries/statistics.ts';
import { openDatabase } from '../src/platform/database/database.ts';
import { migrate } from '../src/platform/database/migrate.ts';
import { startEmbeddedPostgres } from '../src/platform/runtime/embedded-postgres.ts';
import type { TestClient } from '../testing/campaigns-app.ts';
import { runInTransaction } from '../testing/raw-sql.ts';
import { startBenchApp } from './support/bench-app.ts';
import { sized } from './support/quick.ts';
import { report } from './support/report.ts';

const DEBTS = sized(200_000, 50_000);
const CALLS = sized(40, 15);
const GOAL_MS = 50;
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const BATCH = 10_000;
const FILL_DEBTS = `
  insert into debts (client_id, campaign_id, position, debtor_name, debtor_phone, debtor_tax_id, original_amount_centavos,
    due_date, invoice_id, status)
  select $1::uuid, $2::uuid, n, 'Maria da Silva', '+5511900000000', lpad(n::text, 11, '0'), 1 + n % 100000, date '2026-10-05' - n % 1000,
    'NF-' || n,
    (array['QUEUED','IN_COLLECTION','PROMISED','ON_HOLD','DISPUTED','OPTED_OUT','PAID','EXHAUSTED','STOPPED'])[1 + n % 9]
  from generate_series($3::int + 1, $3::int + ${BATCH}) n`;
const FILL_DAYS = `
  insert into campaign_days (campaign_id, client_id, day, slot, contacts_sent, payments_approved, recovered_centavos)
  select $2::uuid, $1::uuid, current_date - day, slot, 100, 10, 100000
  from generate_series(0, 364) day, generate_series(0, 7) slot`;

/** One debt of twenty waits for the staff. */
const FILL_INBOX = `
  insert into inbox_items (client_id, debt_id, reason)
  select client_id, id, 'human' from debts where client_id = $1 and position % 20 = 0`;

async function measure(client: TestClient, path: string): Promise<{ readonly text: string; readonly median: number }> {
  const times: number[] = [];
  for (let call = 0; call < CALLS; call++) {
    const start = performance.now();
    const { status } = await client.call('GET', path);
    if (status !== 200) throw new Error(`${path} answered ${status}`);
    times.push(performance.now() - start);
  }
  const sorted = times.toSorted((a, b) => a - b);
  const at = (part: number) => sorted[Math.floor(sorted.length * part)]!;
  return {
    text: `fastest ${sorted[0]!.toFixed(0)} ms, median ${at(0.5).toFixed(0)} ms, p95 ${at(0.95).toFixed(0)} ms`,
    median: at(0.5),
  };
}

const folder = mkdtempSync(join(tmpdir(), 'quita-bench-'));
const postgres = await startEmbeddedPostgres({ dataDir: folder, log: () => {} });
const owner = new Client({ connectionString: postgres.url });
await migrate(postgres.url);
const app = await startBenchApp(postgres.url);
const db = await openDatabase({ url: postgres.url, role: 'quita_worker' });
const asClient = <T extends object>(clientId: string, text: string, params: readonly unknown[]): Promise<T[]> =>
  db.tenant(clientId).transactional((tx) => runInTransaction<T>(tx, text, params));
try {
  await owner.connect();
  const [client, other] = [await app.newClient(), await app.newClient()];
  const [campaignId, otherCampaign] = [await client.createCampaign(), await other.createCampaign()];
  for (let from = 0; from < DEBTS; from += BATCH) {
    await asClient(client.id, FILL_DEBTS, [client.id, campaignId, from]);
    await asClient(other.id, FILL_DEBTS, [other.id, otherCampaign, from]);
  }
  await asClient(client.id, FILL_DAYS, [client.id, campaignId]);
  await asClient(client.id, FILL_INBOX, [client.id]);

  const paths = [
    `/api/campaigns/${campaignId}/statistics`,
    '/api/dashboard?sandbox=true',
    '/api/campaigns?include=statistics',
    `/api/campaigns/${campaignId}/debts?status=PAID&limit=100`,
    `/api/campaigns/${campaignId}/debts?invoiceId=NF-199999`,
  ];
  const measureAll = async (when: string): Promise<void> => {
    for (const path of paths) {
      const { text, median } = await measure(client, path);
      const name = `${path.replace(campaignId, ':id')}, ${when}`;
      report(`${when}: ${path.replace(campaignId, ':id')}: ${text}`, {
        name,
        value: median,
        unit: 'ms',
        better: 'less',
        goal: { of: 'value', limit: GOAL_MS },
      });
    }
  };
  await measureAll('right after the fill');
  // Autovacuum does this within a minute of an import.
  await owner.query('vacuum analyze');
  await measureAll('vacuumed');

  const all = { clientId: client.id, sandbox: true, sandboxOnly: true };
  const plans = [
    [STATUSES_OF_CAMPAIGN, STATUSES_OF_CAMPAIGN.valuesOf({ clientId: client.id, campaignId })],
    [STATUSES_OF_DASHBOARD, STATUSES_OF_DASHBOARD.valuesOf(all)],
    [OPEN_BY_DUE_DATE, OPEN_BY_DUE_DATE.valuesOf({ ...all, today: '2026-11-22' })],
    [WAITING_DEBTS, WAITING_DEBTS.valuesOf(all)],
  ] as const;
  for (const [query, params] of plans) {
    const explain = `explain (analyze, buffers, costs off) ${query.text}`;
    const rows = await asClient<{ 'QUERY PLAN': string }>(client.id, explain, params);
    say(`\n${query.name}\n${rows.map((row) => row['QUERY PLAN']).join('\n')}`);
  }
} finally {
  await owner.end();
  await db.close();
  await app.close();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}
