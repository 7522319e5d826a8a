import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Client } from 'pg';
import { migrate } from '../../src/platform/database/migrate.ts';
import { type EarlierDatabase, openEarlierDatabase } from './earlier-database.ts';

const BEFORE = 'Migration20261122170809_inbound';
const TABLES = ['clients', 'campaigns', 'debts', 'debt_events', 'campaign_days', 'campaign_status_counts'];

let earlier: EarlierDatabase;
let owner: Client;
let force: EarlierDatabase['force'];
const [client, campaign, debt] = [randomUUID(), randomUUID(), randomUUID()];

const moved = (from: string, to: string, at: string) =>
  owner.query(
    `insert into debt_events (client_id, debt_id, at, kind, data) values ($1, $2, $3, 'status_changed', $4)`,
    [client, debt, at, JSON.stringify({ from, to })],
  );

beforeAll(async () => {
  earlier = await openEarlierDatabase(BEFORE, TABLES);
  ({ owner, force } = earlier);
  await owner.query(
    `insert into clients (id, name, email, plan, status) values ($1, 'Escola', 'f@escola.com.br', 'GROWTH', 'ACTIVE')`,
    [client],
  );
  await owner.query(`insert into campaigns (id, client_id, name, status) values ($1, $2, 'Mensalidades', 'RUNNING')`, [
    campaign,
    client,
  ]);
  await owner.query(
    `insert into debts (id, client_id, campaign_id, position, debtor_name, debtor_phone, debtor_cpf,
       original_amount_centavos, due_date, status)
     values ($1, $2, $3, 1, 'Ana', '+5511980001000', '52998224725', 10000, '2026-10-05', 'PAID')`,
    [debt, client, campaign],
  );
  // A trigger counts them by status.
  await owner.query(
    `insert into debts (client_id, campaign_id, position, debtor_name, debtor_phone, debtor_cpf,
       original_amount_centavos, due_date, status)
     select $1, $2, 1 + n, 'Bia', '+5511980001001', '52998224725', 500, '2026-10-06',
       (array['QUEUED', 'DISPUTED', 'STOPPED'])[n] from generate_series(1, 3) n`,
    [client, campaign],
  );
  await owner.query(
    `insert into campaign_days (campaign_id, client_id, day, slot, contacts_sent) values ($1, $2, '2026-11-02', 0, 5)`,
    [campaign, client],
  );
  // 02:00 UTC is the evening before in São Paulo.
  await moved('IN_COLLECTION', 'PROMISED', '2026-11-01T12:00:00Z');
  await moved('PROMISED', 'IN_COLLECTION', '2026-11-03T02:00:00Z');
  await moved('PROMISED', 'DISPUTED', '2026-11-04T12:00:00Z');
  await moved('PROMISED', 'EXHAUSTED', '2026-11-04T12:00:00Z');
  await moved('IN_COLLECTION', 'PAID', '2026-11-05T12:00:00Z');
  await moved('PROMISED', 'PAID', '2999-01-01T12:00:00Z');
  await force('force');
  await migrate(earlier.database.url);
});

afterAll(() => earlier?.close());

it('the migration counts open debts and the promises that had ended, and leaves row security forced', async () => {
  const { rows: unforced } = await owner.query(
    'select 1 from pg_class where relname = any ($1) and not relforcerowsecurity',
    [[...TABLES, 'campaign_due_counts']],
  );
  expect(unforced).toEqual([]);
  await force('no force');
  const { rows } = await owner.query(
    `select day::text, contacts_sent as sent, promises_kept as kept, promises_broken as broken,
       day > current_date as future from campaign_days order by day`,
  );
  expect(rows).toEqual([
    { day: '2026-11-02', sent: 5, kept: 0, broken: 1, future: false },
    { day: '2026-11-04', sent: 0, kept: 0, broken: 1, future: false },
    { day: expect.any(String), sent: 0, kept: 1, broken: 0, future: false },
  ]);
  await owner.query('alter table campaign_due_counts no force row level security');
  const due = await owner.query(
    'select due_date::text as due, debts, amount_centavos::int as centavos from campaign_due_counts',
  );
  expect(due.rows).toEqual([{ due: '2026-10-06', debts: 2, centavos: 1_000 }]);
});
