import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { MikroORM } from '@mikro-orm/postgresql';
import { Client } from 'pg';
import { migrate } from '../../src/platform/database/migrate.ts';
import { ormConfig } from '../../src/platform/database/orm-config.ts';
import { createEmptyDatabase, type TestDatabase } from '../support/database.ts';

const BEFORE = 'Migration20261122130746_verdicts_are_evidence';
/** A trigger on the debts counts them in the last one. */
const WRITTEN = ['clients', 'campaigns', 'debts', 'messages', 'charges', 'campaign_status_counts'];
const TABLES = [...WRITTEN, 'inbox_items'];

let database: TestDatabase;
let owner: Client;
const client = randomUUID();
const campaign = randomUUID();
const names = new Map<string, string>();

/** Row security also binds the owner, who writes and reads here without it. */
const force = async (tables: readonly string[], how: 'force' | 'no force'): Promise<void> => {
  for (const table of tables) await owner.query(`alter table ${table} ${how} row level security`);
};

async function debt(name: string, status: string): Promise<string> {
  const id = randomUUID();
  names.set(id, name);
  await owner.query(
    `insert into debts (id, client_id, campaign_id, position, debtor_name, debtor_phone, debtor_cpf,
       original_amount_centavos, due_date, status)
     values ($1, $2, $3, $4, 'Ana', '+5511980001000', '52998224725', 10000, '2026-10-05', $5)`,
    [id, client, campaign, names.size, status],
  );
  return id;
}

const heard = (debtId: string, intent: string) =>
  owner.query(
    `insert into messages (client_id, debt_id, direction, channel, text, intent, handled_at, at)
     values ($1, $2, 'in', 'sandbox', 'x', $3, now(), now())`,
    [client, debtId, intent],
  );

const charge = (debtId: string, given: { paid: number; refunded?: number; duplicate?: boolean; underpaid?: boolean }) =>
  owner.query(
    `insert into charges (client_id, debt_id, attempt, provider, status, amount_centavos, paid_centavos,
       refunded_centavos, duplicate, underpaid_at, approved_at, paid_at, expires_at)
     values ($1, $2, (select count(*) + 1 from charges where debt_id = $2), 'sandbox',
       case when $6 then 'PENDING' else 'APPROVED' end, 10000, $3, $4, $5, case when $6 then now() end,
       case when $6 then null else now() end, now(), now())`,
    [client, debtId, given.paid, given.refunded ?? 0, given.duplicate ?? false, given.underpaid ?? false],
  );

beforeAll(async () => {
  database = await createEmptyDatabase();
  const orm = await MikroORM.init(
    ormConfig({ clientUrl: database.url, driverOptions: { connectionString: database.url } }),
  );
  await orm.migrator.up({ to: BEFORE });
  await orm.close(true);
  owner = new Client({ connectionString: database.url });
  await owner.connect();
  await force(WRITTEN, 'no force');
  await owner.query(
    `insert into clients (id, name, email, plan, status) values ($1, 'Escola', 'f@escola.com.br', 'GROWTH', 'ACTIVE')`,
    [client],
  );
  await owner.query(`insert into campaigns (id, client_id, name, status) values ($1, $2, 'Mensalidades', 'RUNNING')`, [
    campaign,
    client,
  ]);
  await debt('in collection', 'IN_COLLECTION');
  await debt('disputed', 'DISPUTED');
  await debt('unreachable', 'UNREACHABLE');
  await heard(await debt('hardship', 'ON_HOLD'), 'hardship');
  await debt('held without a message', 'ON_HOLD');
  await charge(await debt('underpaid', 'ON_HOLD'), { paid: 5_000, underpaid: true });
  const twice = await debt('paid twice', 'PAID');
  await charge(twice, { paid: 10_000 });
  await charge(twice, { paid: 10_000, duplicate: true });
  await charge(await debt('refunded', 'PAID'), { paid: 10_000, refunded: 10_000 });
  await charge(await debt('paid', 'PAID'), { paid: 10_000 });
  await force(WRITTEN, 'force');
  await migrate(database.url);
});

afterAll(async () => {
  await owner?.end();
  await database?.drop();
});

it('the migration puts into the inbox what waits already', async () => {
  await force(['inbox_items'], 'no force');
  const { rows } = await owner.query<{ debt_id: string; reason: string; told_at: Date | null }>(
    'select debt_id, reason, told_at from inbox_items',
  );
  await force(['inbox_items'], 'force');
  expect(Object.fromEntries(rows.map((row) => [names.get(row.debt_id), row.reason]))).toEqual({
    disputed: 'disputed',
    unreachable: 'undelivered',
    hardship: 'hardship',
    'held without a message': 'human',
    underpaid: 'underpaid',
    'paid twice': 'duplicate',
    refunded: 'refunded',
  });
  expect(rows.every((row) => row.told_at === null)).toBe(true);
});

it('and leaves row security forced on the owner of the tables', async () => {
  const { rows } = await owner.query(
    'select from pg_class where relname = any($1) and relrowsecurity and relforcerowsecurity',
    [TABLES],
  );
  expect(rows).toHaveLength(TABLES.length);
});
