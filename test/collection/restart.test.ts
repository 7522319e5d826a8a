import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, Connection, type WorkflowHandle, WorkflowNotFoundError } from '@temporalio/client';
import type { CampaignsApp, TestClient } from '../../testing/campaigns-app.ts';
import { ask, copyDatabase, createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { debtInput } from '../../testing/debts.ts';
import {
  type Collector,
  collector,
  type Debt,
  ofKind,
  sent,
  startCollectionApp,
} from '../../testing/engine-harness.ts';
import { until } from '../../testing/poll.ts';
import { campaignWorkflowId, collectionWorkflowId } from '../../workflows/ids.ts';
import { createScratch, ROOT, type Scratch } from '../startup/support.ts';
import { createTemporalServer, type TemporalServer } from '../workflows/support/temporal-server.ts';

/** The queue of the product, because the command runs as an operator runs it. */
const TASK_QUEUE = 'quita';

const servers: TemporalServer[] = [];
const databases: TestDatabase[] = [];
const apps: CampaignsApp[] = [];
let scratch: Scratch;
let server: TemporalServer;
let temporal: Client;

async function newServer(): Promise<TemporalServer> {
  const one = await createTemporalServer();
  servers.push(one);
  await one.start();
  return one;
}
async function newDatabase(making: Promise<TestDatabase>): Promise<TestDatabase> {
  const one = await making;
  databases.push(one);
  return one;
}
/** By the default wait, workflows that an app leaves behind still wait when the next one starts. */
async function start(database: TestDatabase, on: TemporalServer, sandboxMaxWait = '2s'): Promise<CampaignsApp> {
  const app = await startCollectionApp({
    database,
    env: { SANDBOX_MAX_WAIT: sandboxMaxWait },
    temporalAddress: on.target.address,
    taskQueue: TASK_QUEUE,
  });
  apps.push(app);
  return app;
}
/**
 * How many debts a campaign's workflow has started, which may not be there yet itself. A child without a run was asked
 * for and is not started: the end of its parent also ends the asking.
 */
const startedBy = (campaign: WorkflowHandle): Promise<number> =>
  campaign.describe().then(
    ({ raw }) => raw.pendingChildren?.filter(({ runId }) => runId).length ?? 0,
    (error: unknown) => {
      if (error instanceof WorkflowNotFoundError) return 0;
      throw error;
    },
  );
async function stop(app: CampaignsApp): Promise<void> {
  apps.splice(apps.indexOf(app), 1);
  await app.close();
}

beforeAll(async () => {
  scratch = createScratch();
  server = await newServer();
  temporal = new Client({ connection: await Connection.connect({ address: server.target.address }) });
});
// Another app on the same queue would take the tasks of the next test.
afterEach(async () => {
  for (const app of [...apps]) await stop(app);
});
afterAll(async () => {
  await temporal?.connection.close();
  for (const one of servers) await one.remove();
  for (const one of databases) await one.drop();
  await scratch?.clean();
});

/** Runs the operator's command in a process of its own. */
async function command(on: { database: TestDatabase; server: TemporalServer }, ...args: string[]) {
  const settings = {
    DATABASE_URL: on.database.url,
    TEMPORAL_ADDRESS: on.server.target.address,
    DATA_DIR: scratch.folder,
  };
  const started = scratch.run(process.execPath, [`${ROOT}/src/cli.ts`, 'collections', ...args], settings);
  const code = await started.ended;
  return { code, output: started.output() };
}

/** The client's calls through another app, which serves the same database or a copy of it. */
const through = (app: CampaignsApp, { id, token }: TestClient): Collector =>
  collector({
    id,
    token,
    call: (method, path, body) => app.call(method, path, { body, bearer: token }),
    createCampaign: () => Promise.reject(new Error('not used')),
    importJson: () => Promise.reject(new Error('not used')),
    importCsv: () => Promise.reject(new Error('not used')),
  });

/** Row security also applies to the owner, so it is lifted from the table. */
async function asOwner<Row extends object>({ url }: TestDatabase, table: string, text: string): Promise<Row[]> {
  await ask(url, `alter table ${table} no force row level security`);
  return ask<Row>(url, text);
}

const steps = (debt: Debt): string[] => sent(debt, 'collection').map(({ at }) => at.slice(0, 10));

/** Every contact of the whole sequence was made once, on a day of its own, and stands in the ledger. */
async function expectWholeSequence(debt: Debt): Promise<void> {
  expect(debt.status).toBe('EXHAUSTED');
  expect(steps(debt)).toHaveLength(6);
  expect(new Set(steps(debt)).size).toBe(6);
}

describe('a collection that was terminated', () => {
  it('is started again by the command, and goes on with the step that follows', async () => {
    const database = await newDatabase(createTestDatabase());
    const app = await start(database, server);
    const client = collector(await app.newClient());
    const { debts } = await client.launch([debtInput(11), debtInput(12)]);
    const [lost, whole] = debts.map(({ id }) => id) as [string, string];
    await client.reaches(lost, 'contacted', (debt) => sent(debt, 'collection').length === 1);
    await temporal.workflow.getHandle(collectionWorkflowId(lost)).terminate('test');
    const { code, output } = await command({ database, server }, 'restart');
    expect(output).toMatch(/^2 collections: 1 run, 1 started again, 0 woken, 0 held/m);
    expect(code).toBe(0);
    for (const id of [lost, whole]) await expectWholeSequence(await client.ended(id));
    expect(await client.outbox(lost)).toHaveLength(6);
    expect(await command({ database, server }, 'restart')).toEqual({
      code: 0,
      output: '0 collections: 0 run, 0 started again, 0 woken, 0 held for the decision of their clients\n',
    });
    await stop(app);
  });

  it('is named by its campaign, which must exist and run', async () => {
    const database = await newDatabase(createTestDatabase());
    const app = await start(database, server);
    const client = collector(await app.newClient());
    const draft = await client.draft([debtInput(1)]);
    const unknown = '30467f92-92da-4899-b196-b7d0bf74b1cf';
    const on = { database, server };
    expect(await command(on, 'restart', '--campaign', unknown)).toEqual({
      code: 1,
      output: `There is no campaign ${unknown}\n`,
    });
    expect(await command(on, 'restart', `--campaign=${draft}`)).toEqual({
      code: 1,
      output: `The campaign ${draft} does not run: nothing of it is started\n`,
    });
    expect(await command(on, 'restart', '--campaign', 'x')).toEqual({ code: 1, output: 'There is no campaign x\n' });
    for (const args of [
      [],
      ['start'],
      ['restart', unknown],
      ['restart', '--campaign'],
      ['restart', '--campaign', unknown, 'x'],
    ]) {
      const { code, output } = await command(on, ...args);
      expect([code, output.startsWith('Usage:')]).toEqual([1, true]);
    }
    await stop(app);
  });
});

describe('a campaign that was terminated in mid fan-out', () => {
  it('plans and starts the debts that are left, contacts each once, and comes to its end', async () => {
    const database = await newDatabase(createTestDatabase());
    const app = await start(database, server);
    const client = collector(await app.newClient());
    // Three pages, so that the terminated workflow has started some and not all.
    const count = 170;
    // These debtors ask for silence after a message, so that the campaign ends soon.
    const inputs = Array.from({ length: count }, (_, n) => debtInput(n + 1, { debtorPhone: `+55119${8_100 + n}0004` }));
    const campaignId = await client.draft(inputs);
    await client.call('POST', `/api/campaigns/${campaignId}/launch?sandbox=true`);
    const campaign = temporal.workflow.getHandle(campaignWorkflowId(campaignId));
    // The server is asked, not the workflow: its worker then has nothing to do but to start debts.
    await until('some are started', async () => (await startedBy(campaign)) > 0, {
      timeoutMs: 120_000,
    });
    await campaign.terminate('test');
    const debts = await client.allDebts(campaignId);
    const states = await Promise.all(
      debts.map(({ id }) =>
        temporal.workflow
          .getHandle(collectionWorkflowId(id))
          .describe()
          .then(
            () => true,
            () => false,
          ),
      ),
    );
    expect(states).toContain(true);
    expect(states).toContain(false);

    const { output } = await command({ database, server }, 'restart', '--campaign', campaignId);
    expect(output).toContain(`campaign\t${campaignId}\tstarted again: its workflow was lost`);
    await until(
      'the campaign is completed',
      async () => {
        const { body } = await client.call('GET', `/api/campaigns/${campaignId}`);
        return body.status === 'COMPLETED' ? body : null;
      },
      { timeoutMs: 240_000, everyMs: 250 },
    );
    await temporal.workflow.getHandle(campaignWorkflowId(campaignId)).result();
    const contacts = await asOwner<{ debts: number; contacts: number; days: number }>(
      database,
      'sandbox_outbox',
      `select count(distinct debt_id)::int as debts, count(*)::int as contacts,
         count(distinct (debt_id, (at at time zone 'America/Sao_Paulo')::date))::int as days
       from sandbox_outbox where purpose = 'collection'`,
    );
    const [booked] = await asOwner<{ bookings: number }>(
      database,
      'contact_ledger',
      `select count(*)::int as bookings from contact_ledger where kind = 'booking'`,
    );
    expect(contacts).toEqual([{ debts: count, contacts: booked?.bookings, days: booked?.bookings }]);
    await stop(app);
  }, 330_000);
});

describe('a database beside a Temporal without data', () => {
  it('starts everything that is alive again, and contacts nobody twice', async () => {
    const database = await newDatabase(createTestDatabase());
    const before = await start(database, server);
    const account = await before.newClient();
    const client = collector(account);
    const { campaignId, debts } = await client.launch([11, 12, 13].map((n) => debtInput(n)));
    const later = await client.launch([debtInput(14)]);
    const ids = [...debts, ...later.debts].map(({ id }) => id);
    for (const { id } of debts) await client.reaches(id, 'contacted', (debt) => sent(debt, 'collection').length >= 1);
    await stop(before);

    const empty = await newServer();
    const after = await start(database, empty);
    const { output } = await command({ database, server: empty }, 'restart');
    expect(output).toContain(`campaign\t${campaignId}\tstarted again`);
    expect(output).toContain(`campaign\t${later.campaignId}\tstarted again`);
    const again = through(after, account);
    for (const id of ids) {
      await expectWholeSequence(await again.ended(id));
      expect(await again.outbox(id)).toHaveLength(6);
    }
    for (const id of [campaignId, later.campaignId]) {
      await until(
        'completed',
        async () => (await again.call('GET', `/api/campaigns/${id}`)).body.status === 'COMPLETED',
      );
    }
    await stop(after);
  });
});

describe('a database that is older than Temporal', () => {
  it('counts the contacts that it has forgotten, and asks the client where more was forgotten', async () => {
    const database = await newDatabase(createTestDatabase());
    // The silent debtors' sequence must not end while the others answer, also on a busy machine.
    const wait = '6s';
    let app = await start(database, server, wait);
    const account = await app.newClient();
    let client = collector(account);
    const { debts } = await client.launch([11, 12, 13, 14].map((n) => debtInput(n)));
    const [silent, silentToo, pays, disputes] = debts.map(({ id }) => id) as [string, string, string, string];
    for (const { id } of debts) await client.reaches(id, 'contacted', (debt) => sent(debt, 'collection').length >= 1);
    await stop(app);

    const backup = await newDatabase(copyDatabase(database));
    app = await start(database, server, wait);
    client = through(app, account);
    await client.call('POST', `/api/sandbox/debts/${pays}/pay`);
    await client.say(disputes, 'Não reconheço essa dívida');
    await client.reaches(pays, 'paid', ({ status }) => status === 'PAID');
    await client.reaches(disputes, 'disputed', ({ status }) => status === 'DISPUTED');
    await temporal.workflow.getHandle(collectionWorkflowId(pays)).result();
    for (const id of [silent, silentToo]) {
      await client.reaches(id, 'contacted again', (debt) => sent(debt, 'collection').length >= 3, 60_000);
    }
    await stop(app);
    const contactsOf = async (id: string): Promise<string[]> =>
      (
        await asOwner<{ day: string }>(
          database,
          'messages',
          `select to_char(at at time zone 'UTC', 'YYYY-MM-DD') as day from messages
           where debt_id = '${id}' and purpose = 'collection' order by at`,
        )
      ).map(({ day }) => day);
    const made = { silent: await contactsOf(silent), silentToo: await contactsOf(silentToo) };
    // Time has passed between the backup and the restoration.
    await asOwner(backup, 'debts', `update debts set updated_at = now() - interval '2 hours'`);

    app = await start(backup, server, wait);
    client = through(app, account);
    const { output } = await command({ database: backup, server }, 'restart');
    expect(output).toContain(`held\t${pays}\tclient ${account.id}`);
    expect(output).toMatch(/1 held for the decision of their clients/);
    for (const [id, contacts] of [
      [silent, made.silent],
      [silentToo, made.silentToo],
    ] as const) {
      const debt = await client.ended(id);
      await expectWholeSequence(debt);
      // The contacts of both databases are one sequence: what was made before is not made again.
      expect(steps(debt).slice(0, contacts.length)).toEqual(contacts);
      const deliveries = sent(debt, 'collection').map(({ delivery }) => delivery);
      expect(deliveries.slice(1, contacts.length)).toEqual(Array(contacts.length - 1).fill('unknown'));
      expect(await client.outbox(id)).toHaveLength(6 - (contacts.length - 1));
    }
    for (const [id, reason] of [
      [pays, 'end_forgotten'],
      [disputes, 'conversation_forgotten'],
    ] as const) {
      const debt = await client.reaches(id, 'held', ({ status }) => status === 'ON_HOLD');
      expect(ofKind(debt, 'needs_person')).toMatchObject([{ reason }]);
      expect(sent(debt, 'collection')).toHaveLength(1);
    }
    // The client decides, and everything comes to its end.
    await client.call('POST', `/api/debts/${pays}/withdraw`);
    await client.call('POST', `/api/debts/${disputes}/resume`, { note: 'O contrato foi conferido.' });
    await expectWholeSequence(
      await client.reaches(disputes, 'exhausted', ({ status }) => status === 'EXHAUSTED', 60_000),
    );
    await stop(app);
  }, 240_000);
});
