import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { verifyClient } from '../../src/modules/accounts/use-cases/verify-client.ts';
import { type Database, openDatabase } from '../../src/platform/database/database.ts';
import { loginName, scramVerifier } from '../../src/platform/database/logins.ts';
import { migrate } from '../../src/platform/database/migrate.ts';
import { MIGRATIONS_TABLE } from '../../src/platform/database/orm-config.ts';
import { prepareDatabase } from '../../src/platform/database/prepare-database.ts';
import { servesAs, servingAccess } from '../../src/platform/database/serving-access.ts';
import { accountWorkflows } from '../../src/platform/temporal/account-workflows.ts';
import { ask, createEmptyDatabase, createTestDatabase, databaseUrl } from '../../testing/database.ts';
import { createClient } from '../../testing/factories.ts';
import { opened } from '../../testing/opened.ts';
import { readRaw } from '../../testing/raw-sql.ts';

const password = (): string => randomBytes(24).toString('hex');
const seesOwn = { name: 'logins_own', text: 'select id from clients' };

const database = await opened(createEmptyDatabase());
await migrate(database.url);

describe('the serving logins', () => {
  it('are two for each database, each a member of one role that it cannot become', async () => {
    for (const role of ['quita_app', 'quita_worker'] as const) {
      const { url } = await servingAccess(database.url, role);
      expect(new URL(url).username).toBe(loginName(database.name, role));
      expect(await servesAs(url)).toBe(role);
      const [is] = await ask<{ user: string; members: number }>(
        url,
        `select session_user::text as user, (select count(*)::int from pg_auth_members m join pg_roles r on r.oid = m.member
           where r.rolname = session_user) as members`,
      );
      expect(is).toEqual({ user: loginName(database.name, role), members: 1 });
      await expect(ask(url, `set role ${role}`)).rejects.toMatchObject({ code: '42501' });
    }
    expect(await servesAs(database.url)).toBeNull();
  });

  it('have names within the limit of PostgreSQL for every database name', () => {
    const long = 'a'.repeat(63);
    expect(Buffer.byteLength(loginName(long, 'quita_worker'))).toBeLessThanOrEqual(63);
    expect(loginName(long, 'quita_app')).not.toBe(loginName(`${long.slice(1)}b`, 'quita_app'));
    expect(Buffer.byteLength(loginName('é'.repeat(31), 'quita_worker'))).toBeLessThanOrEqual(63);
    // A plain suffix would give the login of a database called quita the name of the worker's group role.
    expect(loginName('quita', 'quita_worker')).toBe('quita_worker_login');
  });

  it('serve with only their own URL, for their own role', async () => {
    const { url } = await servingAccess(database.url, 'quita_app');
    expect(await prepareDatabase(url)).toEqual([]);
    const db = await openDatabase({ url, role: 'quita_app' });
    const { id } = await createClient(db);
    expect(await readRaw(db, { clientId: id }, seesOwn)).toEqual([{ id }]);
    await db.close();
    await expect(openDatabase({ url, role: 'quita_worker' })).rejects.toThrow(
      'serves as quita_app, not as quita_worker',
    );
    await expect(openDatabase({ url, role: 'quita_operator' })).rejects.toThrow(
      "the DATABASE_URL of the database's owner",
    );
  });

  it('keep the parameters of the URL', async () => {
    const given = `${database.url}?sslmode=disable&options=-c%20work_mem%3D7MB`;
    const db = await openDatabase({ url: given, role: 'quita_worker' });
    expect(new URL(db.url).searchParams.get('sslmode')).toBe('disable');
    expect((await db.pool.query('show work_mem')).rows).toEqual([{ work_mem: '7MB' }]);
    expect((await db.pool.query('show statement_timeout')).rows).toEqual([{ statement_timeout: '1min' }]);
    await db.close();
  });

  it('accept a chosen password, and a process with the previous one keeps its connections', async () => {
    const old = await openDatabase({ url: database.url, role: 'quita_app', poolSize: 1 });
    const { id } = await createClient(old);
    const chosen = password();
    await migrate(database.url, { quita_app: chosen });
    expect(await readRaw(old, { clientId: id }, seesOwn)).toEqual([{ id }]);
    const url = new URL(databaseUrl(database.url, database.name));
    url.username = loginName(database.name, 'quita_app');
    url.password = chosen;
    const now = await openDatabase({ url: url.href, role: 'quita_app', poolSize: 1 });
    expect(await readRaw(now, { clientId: id }, seesOwn)).toEqual([{ id }]);
    // After two changes of the password its scope is no longer accepted.
    await migrate(database.url, { quita_app: password() });
    await migrate(database.url, { quita_app: password() });
    expect(await readRaw(old, { clientId: id }, seesOwn)).toEqual([]);
    await old.close();
    await now.close();
  });

  it('are created once, also by concurrent starts, and do not change', async () => {
    const before = await ask(database.url, 'select * from quita_private.serving_logins order by role');
    await Promise.all([migrate(database.url), migrate(database.url), migrate(database.url)]);
    expect(await ask(database.url, 'select * from quita_private.serving_logins order by role')).toEqual(before);
    expect(await ask(database.url, 'select login from quita_private.scope_keys group by 1')).toHaveLength(3);
  });

  it('wait for the migration, and report in one line what is missing', async () => {
    const { url } = await servingAccess(database.url, 'quita_worker');
    const [last] = await ask<{ name: string }>(
      database.url,
      `delete from ${MIGRATIONS_TABLE} where name = (select max(name) from ${MIGRATIONS_TABLE}) returning name`,
    );
    await expect(prepareDatabase(url, { patienceMs: 0 })).rejects.toThrow('run `quita migrate`');
    const waiting = prepareDatabase(url);
    await ask(database.url, `insert into ${MIGRATIONS_TABLE} (name, executed_at) values ($1, now())`, [last?.name]);
    expect(await waiting).toEqual([]);
  });

  it('differ from those of the database of which this one is a copy', async () => {
    const copy = await createTestDatabase();
    try {
      await ask(copy.url, `update quita_private.serving_logins set database_name = 'the_original'`);
      await expect(openDatabase({ url: copy.url, role: 'quita_app' })).rejects.toThrow('run `quita migrate`');
      await migrate(copy.url);
      const { url } = await servingAccess(copy.url, 'quita_app');
      expect(new URL(url).username).toBe(loginName(copy.name, 'quita_app'));
      expect(await ask(url, 'select 1 as one')).toEqual([{ one: 1 }]);
    } finally {
      await copy.drop();
    }
  });

  it('cannot verify a company, which needs the owner’s URL', async () => {
    const worker = await openDatabase({ url: database.url, role: 'quita_worker' });
    const operator = await openDatabase({ url: database.url, role: 'quita_operator' });
    const { id } = await createClient(worker, { cnpj: '11222333000181' });
    const verify = (db: Database) => verifyClient({ db, workflows: accountWorkflows, now: () => new Date() });
    await expect(verify(worker)(id)).rejects.toThrow('permission denied');
    await verify(operator)(id);
    const read = { name: 'logins_verified', text: 'select verified_cnpj as cnpj from clients' };
    expect(await readRaw(worker, { clientId: id }, read)).toEqual([{ cnpj: '11222333000181' }]);
    await worker.close();
    await operator.close();
  });

  it.each([
    [
      'owns a table',
      (login: string) =>
        `grant create on schema public to ${login}; set role ${login}; create table mine (); reset role`,
      'owns tables',
    ],
    [
      'may make temporary tables',
      (login: string) => `grant temporary on database $db to ${login}`,
      'may make temporary tables',
    ],
    ['is in another role', (login: string) => `grant quita_worker to ${login}`, 'is also quita_worker'],
  ])('refuse to serve when one %s', async (_name, change, why) => {
    const other = await createEmptyDatabase();
    try {
      await migrate(other.url);
      await ask(other.url, change(loginName(other.name, 'quita_app')).replace('$db', other.name));
      await expect(openDatabase({ url: other.url, role: 'quita_app' })).rejects.toThrow(why);
    } finally {
      await other.drop();
    }
  });

  it('have passwords in the form that PostgreSQL stores (the example of RFC 7677)', () => {
    const verifier = scramVerifier('pencil', Buffer.from('W22ZaJ0SNY7soEsUEjb6gQ==', 'base64'));
    expect(verifier).toBe(
      'SCRAM-SHA-256$4096:W22ZaJ0SNY7soEsUEjb6gQ==$WG5d8oPm3OtcPnkdi4Uo7BkeZkBFzpcXkuLmtbsT4qY=:wfPLwcE6nTWhTAmQ7tl2KeoiWGPlZqQxSrmfPwDl2dU=',
    );
  });
});
