import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Connection, Client as TemporalClient } from '@temporalio/client';
import { Client } from 'pg';
import { readTemporalConfig } from '../../src/platform/config/temporal-config.ts';
import { migrate } from '../../src/platform/database/migrate.ts';
import { startEmbeddedPostgres } from '../../src/platform/runtime/embedded-postgres.ts';
import { startEmbeddedTemporal } from '../../src/platform/runtime/embedded-temporal.ts';
import { cpfOf } from '../../testing/debts.ts';
import { LET_OWNER_SEE } from '../../testing/owner-sees.ts';
import { collectionWorkflowId } from '../../workflows/ids.ts';
import { createFirstTimers } from './first-timers.ts';

const CLIENT = `
  insert into clients (id, name, email, plan, status, cnpj, verified_at, verified_name, verified_cnpj)
  values ($1, 'Bench', $2, 'GROWTH', 'ACTIVE', '11222333000181', now(), 'Bench', '11222333000181')`;
const CAMPAIGN = `
  insert into campaigns (id, client_id, name, status, sandbox, launched_at) values ($1, $2, 'Bench', 'RUNNING', false, now())`;
const DEBTS = `
  insert into debts (id, client_id, campaign_id, position, debtor_name, debtor_phone, debtor_tax_id,
    original_amount_centavos, due_date, status, sandbox)
  select id, $1, $2, n, 'Maria ' || n, phone, cpf, 15075, (now() at time zone 'America/Sao_Paulo')::date, 'QUEUED', false
  from unnest($3::uuid[], $4::int[], $5::text[], $6::text[]) as row (id, n, phone, cpf)`;
const START = `
  insert into outbox (id, kind, workflow, workflow_id, payload) values ($1, 'start', 'run-campaign', $2, $3)`;

let people = 0;

/** Starts PostgreSQL and Temporal as the product does, in a temporary folder. */
export async function startEngineHarness() {
  const folder = mkdtempSync(join(tmpdir(), 'quita-bench-'));
  const quiet = (): void => {};
  const postgres = await startEmbeddedPostgres({ dataDir: folder, log: quiet });
  const temporal = await startEmbeddedTemporal({
    dataDir: folder,
    port: 0,
    uiPort: 0,
    ui: false,
    namespace: 'default',
    searchAttributes: readTemporalConfig().searchAttributes,
    log: quiet,
  });
  process.env['TEST_TEMPORAL_ADDRESS'] = temporal.address;
  await migrate(postgres.url);
  const owner = new Client({ connectionString: postgres.url });
  await owner.connect();
  await owner.query(LET_OWNER_SEE);
  const connection = await Connection.connect({ address: temporal.address });
  const client = new TemporalClient({ connection });

  return {
    address: temporal.address,
    databaseUrl: postgres.url,
    client,
    pids: () => ({ postgres: postgres.pid() ?? 0, temporal: temporal.pid() ?? 0 }),
    ...createFirstTimers(client),
    /** Creates a running real campaign whose debts are due today, so that no contact is allowed before tomorrow. */
    async campaignOf(debts: number): Promise<{ workflowId: string; children: string[] }> {
      const [clientId, campaignId] = [randomUUID(), randomUUID()];
      const ids = Array.from({ length: debts }, () => randomUUID());
      const first = people + 1;
      people += debts;
      await owner.query('begin');
      await owner.query(CLIENT, [clientId, `${clientId}@bench.com.br`]);
      await owner.query(CAMPAIGN, [campaignId, clientId]);
      await owner.query(DEBTS, [
        clientId,
        campaignId,
        ids,
        ids.map((_, n) => n + 1),
        ids.map((_, n) => `+55119${80_000_000 + first + n}`),
        ids.map((_, n) => cpfOf(first + n)),
      ]);
      const input = { clientId, campaignId, sandbox: false, maxWaitMs: null, launchedAt: Date.now() };
      await owner.query(START, [randomUUID(), `campaign-${campaignId}`, JSON.stringify(input)]);
      await owner.query('commit');
      return { workflowId: `campaign-${campaignId}`, children: ids.map(collectionWorkflowId) };
    },
    async stop(): Promise<void> {
      await connection.close();
      await owner.end();
      await temporal.stop();
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export type EngineHarness = Awaited<ReturnType<typeof startEngineHarness>>;
