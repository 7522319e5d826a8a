import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { insertMember } from '../../src/modules/accounts/queries/members.ts';
import { Client } from '../../src/modules/accounts/tables/client.ts';
import { addOutbox } from '../../src/platform/database/add-outbox.ts';
import { type Database, openDatabase } from '../../src/platform/database/database.ts';
import { mapDbError } from '../../src/platform/database/map-db-error.ts';
import { migrate } from '../../src/platform/database/migrate.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/platform/runtime/embedded-postgres.ts';
import { findPostgresPrograms } from '../../src/platform/runtime/postgres-programs.ts';
import { createOutboxStore } from '../../src/platform/temporal/outbox-store.ts';
import { ask, askAs } from '../../testing/database.ts';
import { entitiesOf } from '../../testing/entities-of.ts';
import { createClient } from '../../testing/factories.ts';
import { killPostgres } from '../../testing/kill-postgres.ts';
import { until } from '../../testing/poll.ts';
import { readRaw, writeRaw } from '../../testing/raw-sql.ts';

const POOL_SIZE = 4;

const codeOf = (error: unknown): string => mapDbError(error).code;
const outcome = (work: Promise<unknown>): Promise<string> => work.then(() => 'fine', codeOf);

/** These tests use a separate server, because they kill it. */
describe('a database that fails', () => {
  let folder: string;
  let server: EmbeddedPostgres;
  let db: Database;
  let client: { id: string };
  const one = { name: 'test_one', text: 'select id from clients' };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'quita-failures-'));
    server = await startEmbeddedPostgres({ dataDir: folder, log: () => {} });
    await migrate(server.url);
    db = await openDatabase({ url: server.url, role: 'quita_app', poolSize: POOL_SIZE });
    client = await createClient(db);
  });

  afterAll(async () => {
    await db?.close();
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const asOwner = (statement: string): Promise<object[]> => ask(server.url, statement);

  const everyWay = (): Array<Promise<unknown>> => [
    readRaw(db, { clientId: client.id }, one),
    writeRaw(db, { clientId: client.id }, one),
    entitiesOf(db.tenant(client.id)).find(Client, {}),
    db.tenant(client.id).transactional((tx) => entitiesOf(tx).nativeUpdate(Client, {}, { segment: 'school' })),
    db.ping(),
  ];

  const recovered = (): Promise<unknown> =>
    until('every way works again', async () => {
      const outcomes = await Promise.all(everyWay().map(outcome));
      expect(outcomes.filter((code) => code !== 'fine' && code !== 'unavailable')).toEqual([]);
      return outcomes.every((code) => code === 'fine');
    });

  it('is unavailable while its server is down, and recovers without a restart', async () => {
    const slow = outcome(readRaw(db, { clientId: client.id }, { name: 'test_slow', text: 'select pg_sleep(30)' }));
    await until('the query runs', async () => {
      const running = `select 1 from pg_stat_activity where query = 'select pg_sleep(30)' and state = 'active'`;
      return (await askAs(server.url, 'quita_app', running)).length > 0;
    });
    await killPostgres(server);
    expect(await slow).toBe('unavailable');
    await recovered();
  });

  it('keeps committed rows when its server is killed', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 20; i++) {
      const id = randomUUID();
      await db.tenant(client.id).transactional(async (tx) => {
        await entitiesOf(tx).nativeUpdate(Client, { id: client.id }, { name: id });
        const payload = { clientId: client.id, requestId: id };
        await addOutbox(tx, {
          kind: 'start',
          workflow: 'send-account-mail',
          workflowId: `account-mail-${id}`,
          payload,
        });
      });
      ids.push(id);
    }
    await killPostgres(server);
    await recovered();
    expect((await entitiesOf(db.tenant(client.id)).findOneOrFail(Client, client.id)).name).toBe(ids.at(-1));
    const relay = await openDatabase({ url: server.url, role: 'quita_worker' });
    const leased = await createOutboxStore(relay.pool).lease(100);
    await relay.close();
    expect(leased.map((row) => row.payload['requestId']).sort()).toEqual(ids.toSorted());
  });

  it('loses no connection of the pool, however often the server ends one during a transaction', async () => {
    for (let i = 0; i <= POOL_SIZE; i++) {
      const lost = db.tenant(client.id).transactional(async (tx) => {
        await entitiesOf(tx).find(Client, {});
        await askAs(
          server.url,
          'quita_app',
          `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'quita_app'`,
        );
        await entitiesOf(tx).find(Client, {}, { refresh: true });
      });
      expect(await outcome(lost)).toBe('unavailable');
    }
    await recovered();
  });

  it.each([
    ['a full disk', '53100'],
    ['too many connections', '53300'],
    ['a deadlock', '40P01'],
  ])('is unavailable for %s, for every kind of statement', async (_, state) => {
    await asOwner(`create or replace function fail_as(state text) returns int language plpgsql as
      $$ begin raise exception using errcode = state, message = 'no'; end $$`);
    expect(await outcome(readRaw(db, {}, { name: 'test_fail', text: 'select fail_as($1)' }, [state]))).toBe(
      'unavailable',
    );
    expect(await outcome(entitiesOf(db.tenant(client.id)).execute('select fail_as(?)', [state]))).toBe('unavailable');
    await recovered();
  });

  it('recognises a taken e-mail by its constraint, and discloses no value', async () => {
    const email = 'bia@escola-aurora.com.br';
    const add = () =>
      db.account(client.id).transactional((tx) =>
        insertMember(tx, {
          id: randomUUID(),
          clientId: client.id,
          email,
          name: 'Bia',
          role: 'agent',
          passwordHash: null,
        }),
      );
    await add();
    const error: unknown = await add().catch((caught: unknown) => caught);
    expect(codeOf(error)).toBe('email_taken');
    expect(String(error)).not.toContain(email);
    expect(mapDbError(error).message).not.toContain(email);
  });

  it('waits for a free connection for a limited time', async () => {
    // The limit holds for connecting too, which takes its time on a busy machine.
    const small = await openDatabase({ url: server.url, role: 'quita_app', poolSize: 1, connectTimeoutMs: 3_000 });
    const held = await small.pool.connect();
    expect(await outcome(small.ping())).toBe('unavailable');
    held.release();
    await small.close();
  });

  it('refuses to serve with a role that bypasses row security', async () => {
    await expect(
      openDatabase({ url: server.url.replace('//quita:', '//nobody:'), role: 'quita_app' }),
    ).rejects.toThrow();
    await db.close();
    await server.stop();
    const programs = await findPostgresPrograms(folder);
    const asSuperuser = (statement: string): void => {
      const { command, args } = programs.asServer(['--single', '-D', join(folder, 'postgres'), 'quita']);
      const { status } = spawnSync(command, args, { input: `${statement}\n`, ...programs.user });
      expect(status).toBe(0);
    };
    asSuperuser('alter role quita_worker_login bypassrls');
    asSuperuser('alter role quita_api_login superuser');
    server = await startEmbeddedPostgres({ dataDir: folder, log: () => {} });
    for (const role of ['quita_app', 'quita_worker'] as const) {
      await expect(openDatabase({ url: server.url, role })).rejects.toThrow('tenants are not isolated');
    }
  });
});
