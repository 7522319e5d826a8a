import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MikroORM } from '@mikro-orm/postgresql';
import { Client } from 'pg';
import { migrate } from '../../src/platform/database/migrate.ts';
import { ormConfig } from '../../src/platform/database/orm-config.ts';
import { createEmptyDatabase, type TestDatabase } from '../support/database.ts';

const BEFORE = 'Migration20261122121016_failures_of_senders';
const THESE = ['Migration20261122131418_superseded_charges', 'Migration20261122132212_provider_accounts'];
const TABLES = ['campaign_status_counts', 'campaigns', 'charges', 'client_credentials', 'clients', 'debts'];

let database: TestDatabase;
let owner: Client;

/** Row security also applies to the owner, except while this policy exists. */
async function asOwner(work: () => Promise<void>): Promise<void> {
  for (const table of TABLES) {
    await owner.query(`create policy test_owner on ${table} to current_user using (true) with check (true)`);
  }
  await work();
  for (const table of TABLES) await owner.query(`drop policy test_owner on ${table}`);
}

const ids = { connected: randomUUID(), unconnected: randomUUID() };
const charges = {
  open: randomUUID(),
  sandbox: randomUUID(),
  expired: randomUUID(),
  unmade: randomUUID(),
  payable: randomUUID(),
  withoutAccount: randomUUID(),
};

let attempt = 0;
const charge = (
  client: string,
  id: string,
  given: { status?: string; made?: boolean; asked?: boolean; provider?: string } = {},
) => {
  const { status = 'PENDING', made = true, asked = true, provider = 'mercadopago' } = given;
  attempt += 1;
  return owner.query(
    `insert into charges (id, client_id, debt_id, attempt, provider, provider_payment_id, provider_payment_key, status,
       amount_centavos, br_code, expires_at, ask_at)
     values ($1, $2, $2, $3, $4, $5, $5, $6, 100, 'code', now(), $7)`,
    [id, client, attempt, provider, made ? id : null, status, asked ? new Date() : null],
  );
};

beforeAll(async () => {
  database = await createEmptyDatabase();
  const orm = await MikroORM.init(
    ormConfig({ clientUrl: database.url, driverOptions: { connectionString: database.url } }),
  );
  await orm.migrator.up({ to: BEFORE });
  await orm.close(true);
  owner = new Client({ connectionString: database.url });
  await owner.connect();
  await asOwner(async () => {
    for (const id of Object.values(ids)) {
      await owner.query(
        `insert into clients (id, name, email, plan, status)
         values ($1::uuid, 'Escola', $1::text || '@escola.com.br', 'GROWTH', 'ACTIVE')`,
        [id],
      );
      await owner.query(`insert into campaigns (id, client_id, name, status) values ($1, $1, 'A', 'RUNNING')`, [id]);
      await owner.query(
        `insert into debts (id, client_id, campaign_id, position, debtor_name, debtor_phone, debtor_cpf,
           original_amount_centavos, due_date, status)
         values ($1, $1, $1, 1, 'Ana', '+5511987654321', '52998224725', 100, '2026-10-05', 'IN_COLLECTION')`,
        [id],
      );
    }
    await owner.query(
      `insert into client_credentials (client_id, purpose, sealed, account_id) values ($1, 'mercadopago', 's', '77')`,
      [ids.connected],
    );
    await charge(ids.connected, charges.open);
    await charge(ids.connected, charges.sandbox, { provider: 'sandbox' });
    await charge(ids.connected, charges.expired, { status: 'CANCELLED', asked: false });
    await charge(ids.connected, charges.unmade, { status: 'CANCELLED', made: false, asked: false });
    await charge(ids.connected, charges.payable, { status: 'CANCELLED' });
    await charge(ids.unconnected, charges.withoutAccount);
  });
  expect(await migrate(database.url)).toEqual(expect.arrayContaining(THESE));
});

afterAll(async () => {
  await owner?.end();
  await database?.drop();
});

describe('the migrations of charges, on existing ones', () => {
  it('name the account that made them, and cancel codes that are still payable', async () => {
    let rows: Record<string, unknown>[] = [];
    await asOwner(async () => {
      const answer = await owner.query<Record<string, unknown>>(
        `select id, account_id, status, superseded_at is not null as superseded, br_code is not null as code,
           ask_at is not null as asked from charges`,
      );
      rows = answer.rows;
    });
    const of = (id: string) => {
      const { id: _id, ...row } = rows.find((one) => one['id'] === id)!;
      return row;
    };
    const usual = { account_id: '77', status: 'PENDING', superseded: false, code: true, asked: true };
    expect(of(charges.open)).toEqual(usual);
    expect(of(charges.sandbox)).toEqual({ ...usual, account_id: null });
    expect(of(charges.withoutAccount)).toEqual({ ...usual, account_id: null });
    expect(of(charges.expired)).toEqual({ ...usual, status: 'CANCELLED', asked: false });
    expect(of(charges.unmade)).toEqual({ ...usual, status: 'CANCELLED', superseded: true, asked: false });
    expect(of(charges.payable)).toEqual({ ...usual, superseded: true, code: false });
  });

  it('leave row security forced on the owner of the tables', async () => {
    const { rows } = await owner.query(
      `select relname from pg_class
       where relname in ('charges', 'client_credentials') and relrowsecurity and relforcerowsecurity`,
    );
    expect(rows).toHaveLength(2);
  });
});
