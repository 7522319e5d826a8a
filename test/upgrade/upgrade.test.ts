import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MikroORM } from '@mikro-orm/postgresql';
import { Connection, Client as TemporalClient } from '@temporalio/client';
import proto from '@temporalio/proto';
import { Client } from 'pg';
import { pino } from 'pino';
import type { Activities } from '../../activities/contract.ts';
import type { DebtTask } from '../../src/modules/debts/rules/debt-task.ts';
import { ormConfig } from '../../src/platform/database/orm-config.ts';
import { bundleWorkflows } from '../../src/platform/temporal/bundle.ts';
import { createGateway } from '../../src/platform/temporal/gateway.ts';
import { startWorker } from '../../src/platform/temporal/worker.ts';
import type { CampaignsApp } from '../../testing/campaigns-app.ts';
import { createEmptyDatabase, type TestDatabase } from '../../testing/database.ts';
import { type Collector, collector, type Debt, sent, startCollectionApp } from '../../testing/engine-harness.ts';
import { LET_OWNER_SEE } from '../../testing/owner-sees.ts';
import { until } from '../../testing/poll.ts';
import { campaignWorkflowId, collectionWorkflowId } from '../../workflows/ids.ts';
import { LIMITS } from '../workflows/support/fixture.ts';

/**
 * The version before this one is the first release. Its workflows are in `version-before`, and `rows.json` is a database
 * with its schema: a sandbox deployment that was stopped in the middle of its work. The test lets the old workflows run
 * until each waits as it did then, stops their worker, and starts the present version.
 */
const LAST_MIGRATION = 'Migration20261126000000_foundation';
const VERSION_BEFORE = fileURLToPath(new URL('./version-before', import.meta.url));
const WEEK = 7 * 86_400_000;
const UNHANDLED_COMMAND =
  proto.temporal.api.enums.v1.WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_UNHANDLED_COMMAND;

interface Fixture {
  readonly recordedAt: string;
  readonly debts: Readonly<Record<string, string>>;
  readonly rows: Readonly<Record<string, readonly Record<string, unknown>[]>>;
}

interface OldDebt {
  readonly id: string;
  readonly campaign_id: string;
  readonly status: string;
  readonly next_contact_at: Date | null;
  readonly paused_at: Date | null;
}

let fixture: Fixture;
let database: TestDatabase;
let owner: Client;
let temporal: TemporalClient;
let app: CampaignsApp;
let client: Collector;
const taskQueue = `upgrade-${randomUUID()}`;
const address = process.env['TEST_TEMPORAL_ADDRESS'] ?? '';
const target = { address, namespace: 'default', taskQueue };
const logger = pino({ level: 'silent' });

/** Moves every moment by whole weeks to the present, so that weekdays stay and no debt grows old with the test. */
async function moveToPresent(table: string, weeks: number): Promise<void> {
  const { rows } = await owner.query<{ name: string }>(
    `select column_name as name from information_schema.columns where table_schema = 'public' and table_name = $1
       and is_generated = 'NEVER' and data_type in ('timestamp with time zone', 'date')`,
    [table],
  );
  if (rows.length === 0) return;
  const moved = rows.map(({ name }) => `"${name}" = "${name}" + ${weeks * 7} * interval '1 day'`);
  await owner.query(`update "${table}" set ${moved.join(', ')}`);
}

async function fillOldDatabase(): Promise<void> {
  const orm = await MikroORM.init(
    ormConfig({ clientUrl: database.url, driverOptions: { connectionString: database.url } }),
  );
  await orm.migrator.up({ to: LAST_MIGRATION });
  await orm.close(true);
  await owner.query(LET_OWNER_SEE);
  const weeks = Math.floor((Date.now() - Date.parse(fixture.recordedAt)) / WEEK);
  for (const [table, rows] of Object.entries(fixture.rows)) {
    const columns = [...new Set(rows.flatMap(Object.keys))].map((name) => `"${name}"`).join(', ');
    // What the triggers write is among the rows.
    await owner.query(`alter table "${table}" disable trigger user`);
    await owner.query(
      `insert into "${table}" (${columns}) select ${columns} from jsonb_populate_recordset(null::"${table}", $1)`,
      [JSON.stringify(rows)],
    );
    await moveToPresent(table, weeks);
    await owner.query(`alter table "${table}" enable trigger user`);
  }
  await owner.query(`select setval(pg_get_serial_sequence('debt_events', 'seq'), 1000),
    setval(pg_get_serial_sequence('payment_notifications', 'seq'), 1000),
    setval(pg_get_serial_sequence('sandbox_outbox', 'seq'), 1000)`);
}

/** Runs the old workflows until each waits as the old version had left it. */
async function runOldWorkflows(): Promise<void> {
  const { rows: debts } = await owner.query<OldDebt>(
    `select id, campaign_id, status, next_contact_at, paused_at from debts where status <> 'QUEUED'`,
  );
  const contacted = new Set<string>();
  const contactDebtor = async ({ debtId }: DebtTask) => {
    contacted.add(debtId);
    const debt = debts.find(({ id }) => id === debtId);
    const at = debt?.paused_at === null ? debt.next_contact_at : null;
    const always = { needsOperator: false, known: { contact: null, event: null } };
    return at === null || at === undefined
      ? { kind: 'waitForSignal' as const, ...always }
      : { kind: 'wait' as const, until: at.getTime(), ...always };
  };
  const worker = startWorker({
    ...target,
    workerId: 'before',
    bundle: await bundleWorkflows(logger, `${VERSION_BEFORE}/index.ts`),
    activities: {
      scoreCampaign: async () => undefined,
      planCollection: async ({ campaignId }: { readonly campaignId: string }) => ({
        debts: debts.filter((debt) => debt.campaign_id === campaignId).map(({ id }) => ({ debtId: id, firstAt: null })),
        next: null,
      }),
      reviewCampaign: async () => ({ over: false }),
      contactDebtor,
    } as unknown as Activities,
    limits: LIMITS,
    logger,
  });
  const gateway = createGateway(target);
  const [first] = fixture.rows['clients'] ?? [];
  for (const campaignId of new Set(debts.map((debt) => debt.campaign_id))) {
    const input = { clientId: String(first?.['id']), campaignId, sandbox: true, maxWaitMs: 5_000, launchedAt: 0 };
    await gateway.start({ workflow: 'run-campaign', workflowId: campaignWorkflowId(campaignId), input });
  }
  await until('every old workflow waits', () => contacted.size === debts.length);
  await worker.shutdown();
  await gateway.close();
}

const idOf = (name: string): string => fixture.debts[name] ?? '';
const days = (debt: Debt): string[] => sent(debt, 'collection').map(({ at }) => at.slice(0, 10));
const exhausted = (name: string) =>
  client.reaches(idOf(name), `${name} is exhausted`, ({ status }) => status === 'EXHAUSTED', 90_000);

beforeAll(async () => {
  fixture = JSON.parse(await readFile(`${VERSION_BEFORE}/rows.json`, 'utf8'));
  database = await createEmptyDatabase();
  owner = new Client({ connectionString: database.url });
  await owner.connect();
  temporal = new TemporalClient({ connection: await Connection.connect({ address }) });
  const gateway = createGateway(target);
  await gateway.ensureSearchAttributes();
  await gateway.close();
  await fillOldDatabase();
  await runOldWorkflows();
  app = await startCollectionApp({ database, taskQueue, env: { SANDBOX_MAX_WAIT: '1s' } });
  const email = String(fixture.rows['clients']?.[0]?.['email']);
  const { body } = await app.post<{ token: string }>('/api/auth/login', { email, password: 'Segredo123' });
  const call = (method: string, path: string, sentBody?: unknown) =>
    app.call(method, path, { body: sentBody, bearer: body.token });
  const unused = () => Promise.reject(new Error('not used'));
  const id = String(fixture.rows['clients']?.[0]?.['id']);
  client = collector({ id, token: body.token, call, createCampaign: unused, importJson: unused, importCsv: unused });
});

afterAll(async () => {
  await app?.close();
  await temporal?.connection.close();
  await owner?.end();
  await database?.drop();
});

describe('a deployment of the version before', () => {
  it('is taken over: its workflows go on with the steps that follow', async () => {
    for (const name of ['silent', 'silentToo', 'promise', 'one', 'two']) {
      const debt = await exhausted(name);
      expect([name, sent(debt, 'collection').length]).toEqual([name, 6]);
      expect(new Set(days(debt)).size).toBe(6);
    }
  });

  it('handles the payment, the message and the launch that its outbox still held', async () => {
    await client.reaches(idOf('pays'), 'paid', ({ status }) => status === 'PAID');
    const writes = await client.reaches(idOf('writes'), 'held', ({ status }) => status === 'ON_HOLD');
    expect(sent(writes, 'reply').length).toBeGreaterThan(0);
    const queued = fixture.rows['debts']?.filter(({ status }) => status === 'QUEUED') ?? [];
    expect(queued).toHaveLength(2);
    for (const { id } of queued) {
      const debt = await client.reaches(String(id), 'exhausted', ({ status }) => status === 'EXHAUSTED', 90_000);
      expect(new Set(days(debt)).size).toBe(6);
    }
  });

  it('obeys the client: a pause ends, a dispute is resumed, a held debt is withdrawn', async () => {
    const campaignId = (await client.debt(idOf('pausedOne'))).campaignId;
    expect((await client.call('POST', `/api/campaigns/${campaignId}/resume`)).status).toBe(200);
    expect(
      (await client.call('POST', `/api/debts/${idOf('dispute')}/resume`, { note: 'O contrato foi conferido.' })).status,
    ).toBe(200);
    for (const name of ['human', 'writes']) {
      expect((await client.call('POST', `/api/debts/${idOf(name)}/withdraw`)).status).toBe(200);
      await client.reaches(idOf(name), 'stopped', ({ status }) => status === 'STOPPED');
    }
    for (const name of ['pausedOne', 'pausedTwo', 'dispute']) {
      const debt = await exhausted(name);
      expect([name, new Set(days(debt)).size]).toEqual([name, 6]);
    }
  });

  it('contacts nobody twice, and ends every workflow without a failed task', async () => {
    const { rows: booked } = await owner.query<{ person: string; contacts: number; days: number }>(
      `select person_key as person, count(*)::int as contacts,
         count(distinct (at at time zone 'America/Sao_Paulo')::date)::int as days
       from contact_ledger where kind = 'booking' group by 1`,
    );
    for (const { contacts, days: different } of booked) expect(contacts).toBe(different);
    const { rows: contacts } = await owner.query<{ sent: number; booked: number }>(
      `select (select count(*)::int from sandbox_outbox where purpose = 'collection') as sent,
         (select count(*)::int from contact_ledger where kind = 'booking') as booked`,
    );
    expect(contacts[0]?.sent).toBe(contacts[0]?.booked);
    const { rows: debts } = await owner.query<{ id: string; campaign: string }>(
      'select id, campaign_id as campaign from debts',
    );
    const ids = [
      ...debts.map(({ id }) => collectionWorkflowId(id)),
      ...new Set(debts.map(({ campaign }) => campaignWorkflowId(campaign))),
    ];
    for (const id of ids) {
      const handle = temporal.workflow.getHandle(id);
      await handle.result();
      const { events } = await handle.fetchHistory();
      const failed = events?.flatMap(({ workflowTaskFailedEventAttributes: task }) => (task == null ? [] : [task]));
      // A task that was about to end the run is repeated when a signal comes at that moment, which is no failure of code.
      expect(failed?.filter(({ cause }) => cause !== UNHANDLED_COMMAND)).toEqual([]);
    }
  });
});
