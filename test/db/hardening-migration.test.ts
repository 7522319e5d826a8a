import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MikroORM } from '@mikro-orm/postgresql';
import { Client } from 'pg';
import { migrate } from '../../src/platform/database/migrate.ts';
import { ormConfig } from '../../src/platform/database/orm-config.ts';
import { createEmptyDatabase, type TestDatabase } from '../support/database.ts';

const BEFORE = 'Migration20261121041945_debt_lookups';
const THIS = 'Migration20261122005102_hardening';
const CNPJ = '11222333000181';

interface Migrated {
  readonly email: string;
  readonly confirmed: boolean;
  readonly days: number | null;
  readonly verified: boolean;
  readonly verifiedName: string | null;
  readonly verifiedCnpj: string | null;
}

let database: TestDatabase;
let owner: Client;
const clients = new Map<string, Migrated>();

/** Reads as a serving role for one client, because row security also applies to the owner. */
async function inClient(id: string, statements: readonly (readonly [string, unknown[]])[]): Promise<void> {
  await owner.query('begin');
  await owner.query('set local role quita_app');
  await owner.query(`select set_config('app.client_id', $1, true)`, [id]);
  for (const [text, params] of statements) await owner.query(text, params);
  await owner.query('commit');
}

const client = (id: string, given: { cnpj?: string; verified?: boolean; password?: boolean }): [string, unknown[]] => [
  `insert into clients (id, name, email, plan, status, cnpj, verified_at, password_hash)
   values ($1::uuid, 'Escola ' || left($1::text, 4), $1::text || '@escola.com.br', 'GROWTH', 'ACTIVE', $2, $3, $4)`,
  [id, given.cnpj ?? null, given.verified === true ? new Date('2026-11-01') : null, 'hash'],
];
const reset = (id: string, usedAt: string | null): [string, unknown[]] => [
  `insert into password_resets (client_id, token_hash, expires_at, used_at) values ($1, $2, now() - interval '1 day', $3)`,
  [id, randomUUID(), usedAt],
];

const ids = {
  fresh: randomUUID(),
  verified: randomUUID(),
  verifiedWithoutCnpj: randomUUID(),
  unverifiedWithCnpj: randomUUID(),
  identity: randomUUID(),
  resetUsed: randomUUID(),
  resetUnused: randomUUID(),
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
  await inClient(ids.fresh, [client(ids.fresh, {})]);
  await inClient(ids.verified, [client(ids.verified, { cnpj: CNPJ, verified: true })]);
  await inClient(ids.verifiedWithoutCnpj, [client(ids.verifiedWithoutCnpj, { verified: true })]);
  await inClient(ids.unverifiedWithCnpj, [client(ids.unverifiedWithCnpj, { cnpj: CNPJ })]);
  await inClient(ids.identity, [
    client(ids.identity, {}),
    [`insert into identities (client_id, issuer, subject) values ($1, 'https://id.example', 's')`, [ids.identity]],
  ]);
  await inClient(ids.resetUsed, [client(ids.resetUsed, {}), reset(ids.resetUsed, '2026-11-02')]);
  await inClient(ids.resetUnused, [client(ids.resetUnused, {}), reset(ids.resetUnused, null)]);

  expect((await migrate(database.url))[0]).toBe(THIS);
  await owner.query('begin');
  await owner.query('set local role quita_worker');
  const { rows } = await owner.query<Migrated & { id: string }>(
    `select id, email, email_confirmed_at is not null as confirmed, verified_at is not null as verified,
       verified_name as "verifiedName", verified_cnpj as "verifiedCnpj",
       round(extract(epoch from confirm_email_by - now()) / 86400)::int as days
     from clients`,
  );
  await owner.query('commit');
  for (const { id, ...row } of rows) clients.set(id, row);
});

afterAll(async () => {
  await owner?.end();
  await database?.drop();
});

const of = (name: keyof typeof ids) => clients.get(ids[name]);

describe('the migration for confirmed addresses, on existing accounts', () => {
  it('keeps every account', () => expect(clients.size).toBe(Object.keys(ids).length));

  it.each(['fresh', 'unverifiedWithCnpj', 'resetUnused'] as const)('gives %s 14 days to confirm', (name) => {
    expect(of(name)).toMatchObject({ confirmed: false, days: 14, verified: false });
  });

  it.each(['verified', 'verifiedWithoutCnpj', 'identity', 'resetUsed'] as const)(
    'counts the address of %s as confirmed, without a term',
    (name) => expect(of(name)).toMatchObject({ confirmed: true, days: null }),
  );

  it('keeps a verification with its checked data, and ends one without a CNPJ', () => {
    expect(of('verified')).toMatchObject({
      verified: true,
      verifiedName: `Escola ${ids.verified.slice(0, 4)}`,
      verifiedCnpj: CNPJ,
    });
    expect(of('verifiedWithoutCnpj')).toMatchObject({ verified: false, verifiedName: null, verifiedCnpj: null });
  });

  it('mails a link to each account that has to confirm, so that none is deleted without a warning', async () => {
    const { rows } = await owner.query<{ id: string; workflowId: string; requestId: string }>(
      `select payload ->> 'clientId' as id, workflow_id as "workflowId", payload ->> 'requestId' as "requestId"
       from outbox where kind = 'start' and workflow = 'send-account-mail' and delivered_at is null
         and payload ->> 'kind' = 'email_confirmation'`,
    );
    expect(rows.map(({ id }) => id).sort()).toEqual([ids.fresh, ids.unverifiedWithCnpj, ids.resetUnused].sort());
    for (const { workflowId, requestId } of rows) expect(workflowId).toBe(`account-mail-${requestId}`);
    expect(new Set(rows.map(({ requestId }) => requestId)).size).toBe(3);
  });

  it('leaves row security forced on the owner of the tables', async () => {
    const { rows } = await owner.query<{ name: string }>(
      `select relname as name from pg_class
       where relname in ('clients', 'identities', 'password_resets') and relrowsecurity and relforcerowsecurity`,
    );
    expect(rows).toHaveLength(3);
  });
});
