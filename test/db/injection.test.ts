import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client as PgClient, type QueryResult } from 'pg';
import { CLIENTS_OF_API_KEYS, MEMBERS_OF_SESSIONS } from '../../src/modules/accounts/queries/bearers.ts';
import { addOutbox } from '../../src/platform/database/add-outbox.ts';
import { type Database, openDatabase } from '../../src/platform/database/database.ts';
import { migrate } from '../../src/platform/database/migrate.ts';
import { ask, createEmptyDatabase, type TestDatabase } from '../../testing/database.ts';
import { entitiesOf } from '../../testing/entities-of.ts';
import { createClient } from '../../testing/factories.ts';
import { LET_OWNER_SEE } from '../../testing/owner-sees.ts';
import { readRaw, runInTransaction } from '../../testing/raw-sql.ts';

/** Every row of client B with a text contains this. */
const MARK = 'only-of-boreal';

const FILL = [
  `insert into campaigns (id, client_id, name, status) values ($2, $1, $3, 'RUNNING')`,
  `insert into debts (id, client_id, campaign_id, position, debtor_name, debtor_phone, debtor_tax_id,
     original_amount_centavos, due_date, status)
   values ($4, $1, $2, 1, $3, $3, $3, 15075, '2026-10-05', 'IN_COLLECTION')`,
  `insert into debt_events (client_id, debt_id, at, kind, data) values ($1, $4, now(), 'verdict', jsonb_build_object('x', $3::text))`,
  `insert into messages (client_id, debt_id, direction, channel, text, at) values ($1, $4, 'in', 'sandbox', $3, now())`,
  `insert into charges (id, client_id, debt_id, attempt, provider, provider_payment_id, provider_payment_key, status,
     amount_centavos, br_code, expires_at)
   values ($5, $1, $4, 1, 'mercadopago', $6, $6, 'PENDING', 15075, $3, now() + interval '3 days')`,
  `insert into receipts (client_id, debt_id, charge_id, protocol, facts, issued_at)
   values ($1, $4, $5, $3 || 'P', jsonb_build_object('x', $3::text), now())`,
  `insert into client_credentials (client_id, purpose, sealed, account_id) values ($1, 'mercadopago', $3, $3)`,
  `insert into audit_log (client_id, actor, action, target) values ($1, 'client', 'login', $3)`,
  `insert into contact_ledger (sandbox, person_key, phone_key, client_id, debt_id, kind, at)
   values (false, $3, $3, $1, $4, 'booking', now())`,
  `insert into suppressions (sandbox, kind, person_key, phone_key, client_id) values (false, 'opt_out', $3, $3, $1)`,
];

const COUNTERS = [
  `insert into login_lockouts (email_hash, failed, in_flight) values ('counted', 3, '{}')`,
  `insert into login_sources (email_hash, source_hash, last_login_at) values ('counted', 'counted', now())`,
  `insert into passkey_challenges (challenge_hash, purpose, expires_at) values ('counted', 'login', now())`,
  `insert into rate_limits (key, points, expire) values ('counted', 3, null)`,
  `insert into bank_calls (scope, made_at) values ('counted', array[now()])`,
  `insert into sandbox_charges (id, idempotency_key, fingerprint, status, amount_centavos, paid_amount_centavos,
     refunded_centavos, currency, external_reference, br_code, notification_url, expires_at, updated_at, notified_at)
   values ('counted', 'x', 'x', 'pending', 1, 0, 0, 'BRL', 'counted', 'x', 'x', now(), now(), now())`,
];

interface Tenant {
  readonly clientId: string;
  readonly campaignId: string;
  readonly mark: string;
  readonly debtId: string;
  readonly chargeId: string;
  readonly paymentKey: string;
}

const tenantOf = (mark: string, paymentKey: string): Tenant => ({
  clientId: randomUUID(),
  campaignId: randomUUID(),
  mark,
  debtId: randomUUID(),
  chargeId: randomUUID(),
  paymentKey,
});

const A = tenantOf('aurora', '1000001');
const B = tenantOf(MARK, '1000002');

const TABLES = [
  'clients',
  'campaigns',
  'debts',
  'debt_events',
  'messages',
  'charges',
  'receipts',
  'client_credentials',
];
const READ_ALL = [...TABLES, 'audit_log'].map((table) => `select to_jsonb(t)::text as row from ${table} t`);

async function fill(
  worker: Database,
  { clientId, campaignId, mark, debtId, chargeId, paymentKey }: Tenant,
): Promise<void> {
  await createClient(worker, { id: clientId, name: mark, email: `${mark}@empresa.com.br` });
  const all = [clientId, campaignId, mark, debtId, chargeId, paymentKey];
  await worker.tenant(clientId).transactional(async (tx) => {
    for (const text of FILL) {
      // Each attack uses some of the parameters; the others are named so that PostgreSQL knows their types.
      const used = all.map((value, i) => (text.includes(`$${i + 1}`) ? value : null)).filter((value) => value !== null);
      let n = 0;
      const numbered = new Map<string, string>();
      const own = text.replace(/\$\d/g, (name) => {
        const known = numbered.get(name) ?? `$${++n}`;
        numbered.set(name, known);
        return known;
      });
      const order = [...numbered.keys()].map((name) => all[Number(name.slice(1)) - 1]);
      expect(order).toHaveLength(used.length);
      await runInTransaction(tx, own, order);
    }
    await addOutbox(tx, { kind: 'start', workflow: 'run-campaign', workflowId: mark, payload: { clientId } });
  });
}

describe('injected SQL', () => {
  let database: TestDatabase;
  let api: Database;
  let worker: Database;

  beforeAll(async () => {
    database = await createEmptyDatabase();
    await migrate(database.url);
    api = await openDatabase({ url: database.url, role: 'quita_app', poolSize: 2 });
    worker = await openDatabase({ url: database.url, role: 'quita_worker', poolSize: 2 });
    await fill(worker, A);
    await fill(worker, B);
    await ask(database.url, LET_OWNER_SEE);
    for (const text of COUNTERS) await ask(database.url, text);
    await ask(database.url, 'analyze');
  });

  afterAll(async () => {
    await api?.close();
    await worker?.close();
    await database?.drop();
  });

  const IDENTITY = 'select extract(epoch from transaction_timestamp())::text as id';
  /** The signature of client A's own scope in the transaction that the injected SQL runs in. */
  const PROOF = '$PROOF';

  /** Runs injected SQL as the process would: on the login's connection, in a transaction with A's scope. */
  async function inject(db: Database, statements: readonly string[]): Promise<{ text: string; errors: string[] }> {
    const client = new PgClient({ connectionString: db.url });
    await client.connect();
    const seen: string[] = [];
    const errors: string[] = [];
    try {
      await client.query('begin');
      const { rows: begun } = await client.query<{ id: string }>(IDENTITY);
      const sign = (by: Database, clientId: string) => by.signScope('app.client_id', clientId, begun[0]!.id);
      await client.query(`select set_config('app.client_id', $1, true)`, [sign(db, A.clientId)]);
      for (const statement of statements) {
        await client.query('savepoint before');
        try {
          const text = statement
            .replace(PROOF, sign(db, A.clientId).slice(0, 64))
            .replace('$SIGNED_BY_WORKER', sign(worker, B.clientId));
          const result: QueryResult | QueryResult[] = await client.query(text);
          for (const { rows } of [result].flat()) seen.push(JSON.stringify(rows));
        } catch (error) {
          errors.push((error as { code?: string }).code ?? String(error));
          await client.query('rollback to savepoint before');
        }
      }
      await client.query('commit');
    } finally {
      await client.end();
    }
    return { text: seen.join('\n'), errors };
  }

  /** Returns all rows of client B, as its worker sees them. */
  const stateOfB = async (): Promise<string> => {
    const rows: unknown[] = [];
    for (const table of TABLES) {
      const own = table === 'clients' ? 'id' : 'client_id';
      const columns = table === 'clients' ? 'id, name, email, status, cnpj, verified_at, updated_at' : '*';
      const text = `select ${columns} from ${table} where ${own} = $1`;
      rows.push(await readRaw(worker, { clientId: B.clientId }, { name: `state_${table}`, text }, [B.clientId]));
    }
    const { rows: outbox } = await worker.pool.query(`select * from outbox where payload->>'clientId' = $1`, [
      B.clientId,
    ]);
    const { rows: audit } = await worker.pool.query('select count(*) from audit_log where at is null');
    return JSON.stringify([rows, outbox, audit]);
  };

  it('is tested on rows that exist', async () => {
    expect(await stateOfB()).toContain(MARK);
    const own = await inject(api, READ_ALL);
    expect(own.errors).toEqual([]);
    expect(own.text).toContain('aurora@empresa.com.br');
    expect(own.text).not.toContain(MARK);
  });

  const WAYS: readonly [string, () => readonly string[]][] = [
    ['becoming the worker', () => ['set role quita_worker']],
    ['becoming the group', () => ['set role quita_app']],
    ['becoming the operator', () => ['set role quita_operator']],
    ['becoming the owner of the functions', () => ['set role quita_functions']],
    ['becoming the owner', () => ['set role quita', 'reset role', 'set role none']],
    ['becoming another session', () => ['set session authorization quita', 'reset session authorization']],
    ['switching row security off', () => ['set local row_security = off']],
    ['the id of the other', () => [`select set_config('app.client_id', '${B.clientId}', true)`]],
    [
      'the id of the other with its own signature',
      () => [`select set_config('app.client_id', '${PROOF}${B.clientId}', true)`],
    ],
    ['a signature of nothing', () => [`select set_config('app.client_id', '${'0'.repeat(64)}${B.clientId}', true)`]],
    ['no client', () => [`select set_config('app.client_id', '', true)`]],
    ['authentication', () => [`select set_config('app.auth', 'on', true)`]],
    ['authentication with a signature of something else', () => [`select set_config('app.auth', '${PROOF}on', true)`]],
    [
      'a signed client as authentication',
      () => [`select set_config('app.auth', current_setting('app.client_id'), true)`],
    ],
    ['the page of a debt', () => [`select set_config('app.debt_ids', '${B.debtId}', true)`]],
    ['a signed page', () => [`select set_config('app.debt_ids', '${PROOF}${B.debtId}', true)`]],
    ['the link of a receipt', () => [`select set_config('app.receipt_protocol', '${MARK}P', true) is null`]],
    ['ids of payments', () => [`select set_config('app.payment_keys', '${B.paymentKey}', true)`]],
    [
      'a search path of its own',
      () => [
        'create schema mine',
        'create temporary table debts (client_id uuid)',
        `create function pg_temp.sha256(bytea) returns bytea language sql as $$ select '' $$`,
        `create function public.quita_scope(text) returns text language sql as $$ select '${B.clientId}' $$`,
        `create or replace function quita_scope(setting text) returns text language sql as $$ select '${B.clientId}' $$`,
        'create operator public.= (leftarg = text, rightarg = text, function = textne)',
        `select set_config('search_path', 'pg_temp, public', true)`,
      ],
    ],
  ];

  describe('under the login of the API', () => {
    it.each(WAYS)('reads nothing of another client by %s', async (_name, attack) => {
      const before = await stateOfB();
      const writes = TABLES.flatMap((table) => [`update ${table} set id = id`, `delete from ${table}`]);
      const { text } = await inject(api, [...attack(), ...READ_ALL, ...writes]);
      expect(text).not.toContain(MARK);
      expect(await stateOfB()).toBe(before);
    });

    it.each([
      [
        'the scope set inside the statement',
        `select to_jsonb(d) from (select set_config('app.client_id', '$B', true)) s, lateral (select * from debts offset 0) d`,
      ],
      [
        'authentication inside the statement',
        `select to_jsonb(c) from set_config('app.auth', 'on', true) s, lateral (select * from clients where s = 'on' offset 0) c`,
      ],
      ['a search of the keys', 'select * from quita_private.scope_keys'],
      ['the passwords', 'select * from quita_private.serving_logins'],
      ['the passwords of the server', 'select rolname, rolpassword from pg_authid'],
      ['a call that reads the key', `select quita_scope('app.client_id'), quita_scope('app.auth'), quita_scope('x')`],
      ['the bodies of functions', `select prosrc from pg_proc where pronamespace = 'public'::regnamespace`],
      ['statistics', `select most_common_vals::text, histogram_bounds::text from pg_stats where schemaname = 'public'`],
      ['statistics themselves', 'select stavalues1::text from pg_statistic'],
      ['an error that tells the value', `select * from debts where debtor_name::int > 0`],
      [
        'an error in a block',
        `do $$ declare r record; begin for r in select * from debts loop raise exception '%', r; end loop; end $$`,
      ],
      ['the outbox', 'select * from outbox'],
      ['the ledger', 'select * from contact_ledger'],
      ['the columns of the ledger', 'select person_key, phone_key, client_id, debt_id, at from contact_ledger'],
      ['the suppressions', 'select * from suppressions'],
      ['the columns of the suppressions', 'select kind, person_key, phone_key, client_id from suppressions'],
      ['the migrations', 'select * from mikro_orm_migrations'],
      ['copy', 'copy (select debtor_name from debts) to stdout'],
      ['copy to a program', `copy debts to program 'cat'`],
      ['a file', `select pg_read_file('pg_hba.conf')`],
      ['large objects', 'select lo_get(oid) from pg_largeobject_metadata'],
      ['a large object of a file', `select lo_import('/etc/passwd')`],
      ['another connection', `select * from dblink('dbname=quita', 'select 1') as t (x int)`],
      ['an extension', 'create extension dblink'],
      ['rights', 'grant quita_worker to current_user'],
      ['its own role', 'alter role current_user bypassrls'],
      ['row security', 'alter table debts no force row level security'],
      ['a policy', `create policy mine on debts to public using (true)`],
      [
        'a trigger',
        `create trigger mine before update on debts for each row execute function end_client_verification()`,
      ],
      ['a view', 'create view mine as select * from debts'],
    ])('reads nothing of another client by %s', async (_name, statement) => {
      const before = await stateOfB();
      const { text } = await inject(api, [statement.replace('$B', B.clientId), ...READ_ALL]);
      expect(text).not.toContain(MARK);
      expect(text).not.toContain(B.debtId);
      expect(await stateOfB()).toBe(before);
    });

    it('does not read the secrets by which scopes are signed', async () => {
      const secrets = await ask<{ secret: string; key: string }>(
        database.url,
        `select secret, encode(inner_key, 'hex') as key from quita_private.serving_logins join quita_private.scope_keys using (login)`,
      );
      expect(secrets).toHaveLength(3);
      const { text } = await inject(api, [
        'select * from pg_settings',
        'select * from pg_db_role_setting',
        'select * from pg_stat_activity',
        'select * from pg_prepared_statements',
        'select * from pg_cursors',
        'select * from pg_shdescription',
        'select prosrc from pg_proc',
      ]);
      for (const { secret, key } of secrets) {
        expect(text).not.toContain(secret);
        expect(text).not.toContain(key);
      }
    });

    it('sees neither values nor signatures in the statements of other sessions', async () => {
      await api.tenant(B.clientId).transactional(async (tx) => {
        await runInTransaction(tx, 'select $1::text', [MARK]);
        const scope = await inject(api, ['select query from pg_stat_activity']);
        expect(scope.text).toContain('select $1::text');
        expect(scope.text).not.toContain(MARK);
      });
      // This is the statement of the scope alone, while it is the last one of its connection.
      const client = await api.pool.connect();
      client.release();
      const fork = entitiesOf(api.tenant(B.clientId));
      await fork.begin();
      const { text } = await inject(api, ['select query from pg_stat_activity']);
      await fork.rollback();
      expect(text).toContain('set_config($1, $2, true)');
      expect(text).not.toContain(B.clientId);
      expect(text).not.toMatch(/[0-9a-f]{64}/);
    });

    it('adds nothing to the outbox or the audit log that names another client', async () => {
      const before = await stateOfB();
      const { errors } = await inject(api, [
        `select add_outbox(array[gen_random_uuid()], array['batch_signal'], array['collect-debt'], array['x'], array['stopped'],
           array[jsonb_build_object('clientId', '${B.clientId}')], array[null], array[null]::timestamptz[])`,
        `select add_outbox(array[gen_random_uuid()], array['signal_with_start'], array['collect-debt'], array['collection-${B.debtId}'],
           array['stateChanged'], array['{}']::jsonb[], array[null], array[null]::timestamptz[])`,
        `select add_outbox(array[gen_random_uuid()], array['signal'], array['run-campaign'], array['campaign-${B.campaignId}'],
           array['stateChanged'], array['{}']::jsonb[], array[null], array[null]::timestamptz[])`,
        `select add_outbox(array[gen_random_uuid()], array['signal_with_start'], array['collect-debt'], array['collection-${B.debtId}'],
           array['stateChanged'], array['{"clientId":"${A.clientId}","debtId":"${A.debtId}"}']::jsonb[], array[null],
           array[null]::timestamptz[])`,
        `select add_outbox(array[gen_random_uuid()], array['signal_with_start'], array['follow-agreement'], array['agreement-${B.debtId}'],
           array['stateChanged'], array['{"clientId":"${A.clientId}","agreementId":"${B.debtId}"}']::jsonb[], array[null],
           array[null]::timestamptz[])`,
        `select add_outbox(array[gen_random_uuid()], array['batch_signal'], array['follow-agreement'],
           array['every-of-${A.clientId}'], array['stateChanged'], array[jsonb_build_object('clientId', '${B.clientId}')],
           array[null], array[null]::timestamptz[])`,
        `insert into outbox (kind, workflow, workflow_id, payload) values ('start', 'run-campaign', 'x', '{}')`,
        `insert into audit_log (client_id, actor, action) values ('${B.clientId}', 'operator', 'client_verified')`,
        `update audit_log set action = 'x'`,
        'delete from audit_log',
      ]);
      expect(errors).toEqual(Array.from({ length: 10 }, () => '42501'));
      expect(await stateOfB()).toBe(before);
    });

    it('sees and changes no counter of others, no simulated charge, and confirms no address', async () => {
      const { errors, text } = await inject(api, [
        ...[
          'login_lockouts',
          'login_sources',
          'passkey_challenges',
          'rate_limits',
          'sandbox_charges',
          'bank_calls',
        ].flatMap((table) => [
          `select to_jsonb(t)::text as row from ${table} t`,
          `select count(*)::int as "rows of ${table}" from ${table}`,
          `delete from ${table}`,
        ]),
        'update login_lockouts set failed = 0, locked_until = null',
        `insert into rate_limits (key, points, expire) values ('x', 0, null)`,
        `update clients set email_confirmed_at = now()`,
        `select set_config('app.auth', '${PROOF}on', true)`,
        'select count(*)::int as "rows of rate_limits" from rate_limits',
      ]);
      expect(text).not.toContain('counted');
      expect(text.match(/"rows of \w+":\d+/g)).toEqual([
        '"rows of login_lockouts":0',
        '"rows of login_sources":0',
        '"rows of passkey_challenges":0',
        '"rows of rate_limits":0',
        '"rows of sandbox_charges":0',
        '"rows of bank_calls":0',
        '"rows of rate_limits":0',
      ]);
      expect(errors).toEqual(Array.from({ length: 5 }, () => '42501'));
      const left = await ask<{ counted: string }>(
        database.url,
        `select (select count(*) from login_lockouts) + (select count(*) from login_sources)
           + (select count(*) from passkey_challenges)
           + (select count(*) from rate_limits) + (select count(*) from sandbox_charges) as counted`,
      );
      expect(Number(left[0]?.counted)).toBe(5);
    });

    it('can report that another client’s payment may have changed, as a notification does, and nothing else', async () => {
      const { errors, text } = await inject(api, [
        `select note_notified_payments(array['${B.paymentKey}'], array['r'], array['s'], 0)`,
        'select * from payment_notifications',
      ]);
      expect(errors).toEqual(['42501']);
      expect(text).not.toContain(B.debtId);
    });

    it.each(['quita_app', 'quita_worker'] as const)('verifies no company as %s', async (role) => {
      const { errors } = await inject(role === 'quita_app' ? api : worker, [
        'update clients set verified_at = now()',
        `update clients set verified_name = 'Receita Federal'`,
        `update clients set verified_cnpj = '11222333000181'`,
        `insert into clients (name, email, plan, status, verified_at) values ('x', 'x@x', 'GROWTH', 'ACTIVE', now())`,
        `update clients set id = '${B.clientId}'`,
        ...(role === 'quita_app' ? [`update clients set plan = 'ENTERPRISE'`] : []),
      ]);
      expect(errors).toEqual(Array.from({ length: role === 'quita_app' ? 6 : 5 }, () => '42501'));
    });
  });

  describe('under the login of the worker', () => {
    it('reads rows of all clients, which a worker needs, but no password and no key', async () => {
      const { text, errors } = await inject(worker, [
        `select set_config('app.client_id', '', true)`,
        'select debtor_name from debts',
        'select password_hash from members',
        'select * from quita_private.scope_keys',
        'select secret from quita_private.serving_logins',
        'set role quita_app',
        'set role quita_operator',
        'set role quita',
      ]);
      expect(text).toContain(MARK);
      expect(errors).toEqual(Array.from({ length: 6 }, () => '42501'));
    });

    it.each(WAYS.filter(([name]) => name !== 'a search path of its own'))(
      'changes nothing of another client by %s',
      async (_name, attack) => {
        const before = await stateOfB();
        const writes = TABLES.flatMap((table) => [
          `update ${table} set ${table === 'clients' ? "segment = 'x'" : `client_id = client_id`}`,
          `delete from ${table}`,
        ]);
        // The transaction is committed, and it may delete rows of client A.
        await inject(worker, [...attack(), ...writes]);
        expect(await stateOfB()).toBe(before);
      },
    );
  });

  describe('over the connection that the requests of all clients share', () => {
    let shared: Database;
    beforeAll(async () => {
      shared = await openDatabase({ url: database.url, role: 'quita_app', poolSize: 1 });
    });
    afterAll(() => shared?.close());

    const readB = () =>
      readRaw<{ debtor_name: string }>(shared, { clientId: B.clientId }, { name: 'own_debts', text: READ_DEBTS });
    const READ_DEBTS = 'select debtor_name from debts';
    const asA = <T extends object>(text: string, params: readonly unknown[] = []): Promise<T[]> =>
      shared.tenant(A.clientId).transactional((tx) => runInTransaction<T>(tx, text, params));

    it.each([
      'select 1; select 2',
      `select 1; deallocate all; prepare "own_debts" as select set_config('loot.rows', debtor_name, false) from debts`,
      'prepare mine as select 1',
      'deallocate all',
      'discard all',
      `set search_path = pg_temp`,
      'set session authorization quita',
      'do $$ begin null; end $$',
      'listen outbox',
      'copy debts to stdout',
      'begin; select 1',
      'commit; select 1',
      '/* select */ prepare mine as select 1',
    ])('no request sends: %s', async (text) => {
      await readB();
      await expect(asA(text)).rejects.toThrow();
      await expect(shared.pool.query(text)).rejects.toThrow();
      expect(await readB()).toEqual([{ debtor_name: MARK }]);
      const [loot] = await asA<{ loot: string | null }>(`select current_setting('loot.rows', true) as loot`);
      expect(loot?.loot ?? '').toBe('');
    });

    it('the scope of another client’s transaction is worth nothing in the next one', async () => {
      const seen = await shared
        .tenant(B.clientId)
        .transactional((tx) =>
          runInTransaction<{ scope: string }>(tx, `select current_setting('app.client_id') as scope`),
        );
      const taken = await asA<{ debtor_name: string }>(
        `select d.debtor_name from (select set_config('app.client_id', $1, true)) s, lateral (select * from debts offset 0) d`,
        [seen[0]!.scope],
      );
      expect(seen[0]!.scope).toContain(B.clientId);
      expect(JSON.stringify(taken)).not.toContain(MARK);
    });

    it('what authenticates and counts logins is out of reach of another client’s statements', async () => {
      await shared.auth().transactional((tx) => runInTransaction(tx, 'select count(*) from login_lockouts'));
      await shared.account(B.clientId).transactional((tx) => runInTransaction(tx, 'select count(*) from rate_limits'));
      for (const table of ['login_lockouts', 'login_sources', 'passkey_challenges', 'rate_limits', 'sandbox_charges']) {
        expect(await asA<{ rows: number }>(`select count(*)::int as rows from ${table}`)).toEqual([{ rows: 0 }]);
      }
      await expect(asA('update clients set email_confirmed_at = now()')).rejects.toThrow('link');
      const confirmed = await shared
        .account(A.clientId)
        .transactional((tx) => runInTransaction(tx, 'update clients set email_confirmed_at = now() returning id'));
      expect(confirmed).toEqual([{ id: A.clientId }]);
    });

    it('nobody is authenticated by a statement that a client’s statements could reach', async () => {
      await shared.runUnscoped(CLIENTS_OF_API_KEYS, { keyHashes: ['x'] });
      await shared.runUnscoped(MEMBERS_OF_SESSIONS, { sessionIds: [B.clientId] });
      await readB();
      const prepared = await asA<{ name: string }>('select name from pg_prepared_statements');
      const names = prepared.map(({ name }) => name);
      expect(names).toContain('own_debts');
      expect(names).not.toContain(CLIENTS_OF_API_KEYS.name);
      expect(names).not.toContain(MEMBERS_OF_SESSIONS.name);
    });
  });

  it('gains nothing with the worker’s scope under the API’s login, because each login has its own key', async () => {
    const { text } = await inject(api, [`select set_config('app.client_id', '$SIGNED_BY_WORKER', true)`, ...READ_ALL]);
    expect(text).not.toContain(MARK);
  });
});
