import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { fillDatabase } from '../../bench/growth/fill-database.ts';
import { type Operation, operationsOn } from '../../bench/growth/operations.ts';
import { type RecordedPlan, recordPlans, sequentialScans } from '../../bench/growth/plan-recorder.ts';
import { type CampaignsApp, startCampaignsApp } from '../campaigns/support.ts';
import { type Engine, openEngine } from '../collection/engine.ts';

/** Of 40 unequal clients; the largest has a fifth of them. */
const DEBTS = 20_000;
/** Reading a smaller table whole may be the right plan. */
const LARGE_ROWS = 2_000;

let app: CampaignsApp;
let engine: Engine;
let large: Set<string>;
let operations: readonly Operation[];

beforeAll(async () => {
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
    const recorder = recordPlans();
    try {
      const scans: string[] = [];
      for (const { name, run } of operations) {
        const plans = await recorder.record(run);
        expect([name, plans.length > 0]).toEqual([name, true]);
        scans.push(...largeScans(plans).map((scan) => `${name}: ${scan}`));
      }
      expect(scans).toEqual([]);
    } finally {
      recorder.stop();
    }
  }, 120_000);

  it('such a read is found', async () => {
    const recorder = recordPlans();
    try {
      const everything = () => engine.db.system().transactional((em) => em.execute('select count(text) from messages'));
      expect(largeScans(await recorder.record(everything))).toHaveLength(1);
    } finally {
      recorder.stop();
    }
  });
});
