import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/platform/runtime/embedded-postgres.ts';
import { ask } from '../../testing/database.ts';
import { killPostgres } from '../../testing/kill-postgres.ts';
import { createScratch, eventually, processesWith, ROOT } from './support.ts';

const scratch = createScratch();
const dataDir = join(scratch.folder, 'data');
const clusterDir = join(dataDir, 'postgres');
const pidFile = join(clusterDir, 'postmaster.pid');
let lines: string[] = [];
let server: EmbeddedPostgres | undefined;

const start = async (): Promise<EmbeddedPostgres> => {
  server = await startEmbeddedPostgres({ dataDir, durable: false, log: (line) => lines.push(line) });
  return server;
};

beforeEach(() => {
  lines = [];
});
afterEach(() => server?.stop());
afterAll(scratch.clean);

describe('embedded PostgreSQL', () => {
  it('serves a login that owns the database and is no superuser, and refuses all others', async () => {
    const { url, port } = await start();
    const [role] = await ask(
      url,
      `select rolsuper, rolbypassrls, rolcreaterole, pg_get_userbyid(datdba) as owner
         from pg_roles, pg_database where rolname = current_user and datname = 'quita'`,
    );
    expect(role).toEqual({ rolsuper: false, rolbypassrls: false, rolcreaterole: true, owner: 'quita' });
    await expect(ask(`postgresql://postgres:postgres@127.0.0.1:${port}/quita`, 'select 1')).rejects.toThrow(/pg_hba/);
    await expect(ask(`postgresql://quita:wrong@127.0.0.1:${port}/quita`, 'select 1')).rejects.toThrow(/password/);
    expect(statSync(join(dataDir, 'postgres.password')).mode & 0o777).toBe(0o600);
  });

  it('keeps its data over an ordinary stop, and leaves no process', async () => {
    const { url, pid, stop } = await start();
    await ask(url, 'create table kept as select 42 as answer');
    expect(processesWith(clusterDir).length).toBeGreaterThan(0);
    const before = pid();
    await stop();
    // The watchdog ends at the end of its pipe, a moment after the server.
    await eventually(() => processesWith(clusterDir).length === 0, 'the watchdog to end too');
    const again = await start();
    expect(again.pid()).not.toBe(before);
    expect(await ask(again.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
  });

  it('is restarted at the same address when it is killed', async () => {
    const postgres = await start();
    const { url, onExit } = postgres;
    const reasons: string[] = [];
    onExit((reason) => reasons.push(reason));
    await ask(url, 'create table survives as select 1 as one');
    await killPostgres(postgres);
    expect(await ask(url, 'select one from survives')).toEqual([{ one: 1 }]);
    expect(reasons).toEqual(['SIGKILL']);
    expect(lines).toEqual(['PostgreSQL ended by itself (SIGKILL): starting it again', 'PostgreSQL is back']);
  });

  it.each([
    ['with its passwords', () => undefined],
    // Without them a single-user server sets them first.
    ['without the password of the owner', () => rmSync(join(dataDir, 'postgres.password'))],
    ['without the password of backups', () => rmSync(join(dataDir, 'postgres.backup-password'))],
  ])('runs no command that the files of a restored cluster name, %s', async (_name, prepare) => {
    const { stop } = await start();
    await stop();
    prepare();
    const marker = join(scratch.folder, 'ran');
    const conf = join(clusterDir, 'postgresql.auto.conf');
    const [kept, run] = [readFileSync(conf, 'utf8'), `'touch ${marker}; false'`];
    const commands = ['restore_command', 'archive_command', 'recovery_end_command', 'archive_cleanup_command'];
    writeFileSync(conf, `${commands.map((name) => `${name} = ${run}`).join('\n')}\narchive_mode = on\n`);
    writeFileSync(join(clusterDir, 'recovery.signal'), '');
    await expect(start()).rejects.toThrow();
    rmSync(join(clusterDir, 'recovery.signal'));
    const started = await start();
    await ask(started.url, 'select pg_switch_wal()').catch(() => undefined);
    await started.stop();
    writeFileSync(conf, kept);
    expect(existsSync(marker)).toBe(false);
    expect(readFileSync(join(dataDir, 'postgres.log'), 'utf8')).toContain('restore_command');
  });

  it('ignores a pid file whose pid now belongs to another program', async () => {
    const { stop } = await start();
    await stop();
    writeFileSync(pidFile, `${process.pid}\n${clusterDir}\n1\n5432\n\n127.0.0.1\n\nready   \n`);
    const { url, pid } = await start();
    expect(await ask(url, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(Number(readFileSync(pidFile, 'utf8').split('\n')[0])).toBe(pid());
  });

  it('stops with the process that started it, even after a kill, and loses no data', async () => {
    const owner = scratch.node(`
      const { startEmbeddedPostgres } = await import(${JSON.stringify(join(ROOT, 'src/platform/runtime/embedded-postgres.ts'))});
      const { url } = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, log: () => {} });
      console.log('ready ' + url);
      setInterval(() => {}, 1000);
    `);
    const [, url = ''] = await owner.says(/ready (\S+)/);
    await ask(url, 'create table written as select 7 as seven');
    owner.signal('SIGKILL');
    await owner.ended;
    const again = await start();
    expect(await ask(again.url, 'select seven from written')).toEqual([{ seven: 7 }]);
    await again.stop();
    await eventually(() => processesWith(clusterDir).length === 0, 'no server on the cluster');
  });

  it('ends without a restart when its owner was killed', async () => {
    const other = join(scratch.folder, 'other');
    const owner = scratch.node(`
      const { startEmbeddedPostgres } = await import(${JSON.stringify(join(ROOT, 'src/platform/runtime/embedded-postgres.ts'))});
      await startEmbeddedPostgres({ dataDir: ${JSON.stringify(other)}, log: () => {} });
      console.log('ready');
      setInterval(() => {}, 1000);
    `);
    await owner.says(/ready/);
    expect(processesWith(join(other, 'postgres')).length).toBeGreaterThan(0);
    owner.signal('SIGKILL');
    await owner.ended;
    await eventually(() => processesWith(other).length === 0, 'the watchdog to stop PostgreSQL');
  });

  it('recovers from an interrupted first start, and from a lost password', async () => {
    const { stop } = await start();
    await stop();
    rmSync(join(dataDir, 'postgres.password'));
    mkdirSync(join(dataDir, 'postgres.building', 'half'), { recursive: true });
    const { url } = await start();
    expect(await ask(url, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(lines).toEqual(['The password of the embedded PostgreSQL is lost: setting a new one']);
  });

  it('writes no values of a failed statement to its log', async () => {
    const { url } = await start();
    await ask(url, 'create table people (cpf text primary key)');
    await ask(url, "insert into people values ('52998224725')");
    await expect(ask(url, "insert into people values ('52998224725')")).rejects.toThrow(/duplicate/);
    expect(readFileSync(join(dataDir, 'postgres.log'), 'utf8')).not.toContain('52998224725');
  });

  it('reports the reason when it cannot start', async () => {
    const { stop } = await start();
    await stop();
    const file = join(clusterDir, 'postgresql.auto.conf');
    const good = readFileSync(file);
    writeFileSync(file, 'shared_buffers = nonsense\n');
    await expect(start()).rejects.toThrow(/PostgreSQL did not start:\n.*shared_buffers/s);
    writeFileSync(file, good);
    await eventually(() => processesWith(clusterDir).length === 0, 'the watchdogs to end too');
  });
});
