import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { openDatabase } from '../../src/platform/database/database.ts';
import { createTestDatabase } from '../../testing/database.ts';
import { opened } from '../../testing/opened.ts';
import { until } from '../../testing/poll.ts';
import { runInTransaction } from '../../testing/raw-sql.ts';

const LOCK = 4_711;

const owners = new AsyncLocalStorage<string>();
const database = await opened(createTestDatabase());
const db = await opened(
  openDatabase({
    url: database.url,
    role: 'quita_app',
    poolSize: 2,
    connectTimeoutMs: 2_000,
    ownerOf: () => owners.getStore(),
  }),
);

describe('the connections of the API', () => {
  const lockFor = (ms: number) =>
    db
      .tenant(randomUUID())
      .transactional((tx) =>
        runInTransaction(tx, 'select pg_advisory_xact_lock($1), pg_sleep($2)', [LOCK, ms / 1_000]),
      );

  it('go to the client that has the fewest, however many calls of another one wait', async () => {
    const done: string[] = [];
    const call = (owner: string, ms: number) =>
      owners.run(owner, async () => {
        await lockFor(ms);
        done.push(owner);
      });
    const many = Array.from({ length: 12 }, () => call('one', 100));
    await until('both connections are in use', async () => db.pool.totalCount === 2 && db.pool.idleCount === 0);
    const other = owners.run('other', () =>
      db.tenant(randomUUID()).transactional((tx) => runInTransaction(tx, 'select 1')),
    );
    await other;
    expect(done.length).toBeLessThanOrEqual(3);
    await Promise.all(many);
  });

  it('are waited for no longer than a time', async () => {
    const sleep = () => db.tenant(randomUUID()).transactional((tx) => runInTransaction(tx, 'select pg_sleep(4)', []));
    const held = [sleep(), sleep()];
    await expect(lockFor(1)).rejects.toThrow('timeout exceeded when trying to connect');
    await Promise.all(held);
    await lockFor(1);
  });
});
