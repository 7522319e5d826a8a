import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { EVENTS_OF_DEBT } from '../../src/modules/debts/queries/debt-events.ts';
import { KNOWLEDGE_OF_DEBT } from '../../src/modules/debts/queries/debt-knowledge.ts';
import { type CampaignsApp, startCampaignsApp } from '../../testing/campaigns-app.ts';
import { type Engine, openEngine } from '../../testing/engine.ts';
import { entitiesOf } from '../../testing/entities-of.ts';
import { fillDatabase } from '../../testing/growth/fill-database.ts';
import { type Operation, operationsOn } from '../../testing/growth/operations.ts';
import { type RecordedPlan, recordPlans, sequentialScans } from '../../testing/growth/plan-recorder.ts';

/** Of 40 unequal clients; the largest has a fifth of them. */
const DEBTS = 20_000;
/** Reading a smaller table whole may be the right plan. */
const LARGE_ROWS = 2_000;

let app: CampaignsApp;
let engine: Engine;
let large: Set<string>;
let operations: readonly Operation[];
let recorder: ReturnType<typeof recordPlans>;

beforeAll(async () => {
  recorder = recordPlans();
  app = await startCampaignsApp();
  const owner = new Client({ connectionString: app.database.url });
  await owner.connect();
  await fillDatabase(owner, { debts: DEBTS, clients: 40, say: () => undefined });
  await owner.end();
  engine = await openEngine(app.database.url);
  const rows = await app.query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'r' and relrowsecurity and reltuples > ${LARGE_ROWS}`,
  );
  large = new Set(rows.map(({ name }) => name));
  operations = await operationsOn(app, engine);
}, 240_000);
afterAll(async () => {
  recorder?.stop();
  await engine?.close();
  await app?.close();
});

const largeScans = (plans: readonly RecordedPlan[]): string[] =>
  plans.flatMap((plan) =>
    sequentialScans(plan)
      .filter((table) => large.has(table))
      .map((table) => `${table}: ${plan.statement.slice(0, 160)}`),
  );

describe('with the data of many clients', () => {
  it('no operation reads a large table of tenants from one end to the other', async () => {
    expect([...large]).toEqual(
      expect.arrayContaining(['debts', 'debt_events', 'messages', 'contact_ledger', 'charges']),
    );
    const scans: string[] = [];
    for (const { name, run } of operations) {
      const plans = await recorder.record(run);
      expect([name, plans.length > 0]).toEqual([name, true]);
      scans.push(...largeScans(plans).map((scan) => `${name}: ${scan}`));
    }
    expect(scans).toEqual([]);
  });

  it('the messages of one debt are found by their ids, although row security guards them', async () => {
    const [debt] = await app.query<{ id: string; clientId: string }>(
      `select debt_id as id, client_id as "clientId" from messages group by 1, 2 order by count(*) desc, 1 limit 1`,
    );
    const scope = { clientId: debt!.clientId };
    const reads = [
      () => engine.db.readPrepared(scope, KNOWLEDGE_OF_DEBT, { debtId: debt!.id }),
      () =>
        engine.ofApi.db.readPrepared(scope, EVENTS_OF_DEBT, {
          debtId: debt!.id,
          before: Number.MAX_SAFE_INTEGER,
          limit: 201,
        }),
    ];
    for (const read of reads) {
      const [plan] = await recorder.record(read);
      const ofMessages = plan!.lines.filter((line) => / on messages\b/.test(line));
      expect(ofMessages).toEqual([expect.stringContaining('using messages_pkey')]);
    }
  });

  it('such a read is found', async () => {
    const everything = () =>
      engine.db.system().transactional((tx) => entitiesOf(tx).execute('select count(text) from messages'));
    expect(largeScans(await recorder.record(everything))).toHaveLength(1);
  });
});
