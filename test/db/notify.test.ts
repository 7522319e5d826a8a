import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import { addOutbox } from '../../src/platform/database/add-outbox.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import { type OutboxListener, startOutboxListener } from '../../src/platform/database/outbox-listener.ts';
import { OutboxNotifier } from '../../src/platform/database/outbox-notifier.ts';
import type { NewOutboxRow } from '../../src/platform/database/queries/outbox.ts';
import { servingAccess } from '../../src/platform/database/serving-access.ts';
import { ask, askAs, createTestDatabase } from '../../testing/database.ts';
import { opened } from '../../testing/opened.ts';
import { until } from '../../testing/poll.ts';

const start = (): NewOutboxRow => ({
  kind: 'start',
  workflow: 'run-campaign',
  workflowId: `campaign-${randomUUID()}`,
  payload: {},
});

const database = await opened(createTestDatabase());
const db = await opened(openDatabase({ url: database.url, role: 'quita_worker' }));

describe('notify and listen', () => {
  let listener: OutboxListener;
  let heard: number;

  beforeEach(async () => {
    heard = 0;
    const serving = await servingAccess(database.url, 'quita_worker');
    listener = startOutboxListener({
      url: serving.url,
      onWork: () => {
        heard += 1;
      },
    });
    // The first call reports the connection.
    await until('the listener is connected', () => heard === 1);
  });

  afterEach(async () => {
    await listener.stop();
  });

  const add = (): Promise<void> => db.system().transactional((tx) => addOutbox(tx, start()));

  /** A later notification on the same channel: when it arrives, all earlier ones have arrived. */
  async function heardUntilNow(): Promise<number> {
    const before = heard;
    await ask(database.url, 'notify outbox');
    await until('the marker is heard', () => heard > before);
    return heard - 1;
  }

  it('notifies of a row soon after its commit', async () => {
    await add();
    // Nothing polls here, so only the notification can report the row.
    await until('the row is heard of', () => heard === 2);
  });

  it.each(['quita_app', 'quita_operator'] as const)(
    'notifies of what %s writes, and keeps its connections',
    async (role) => {
      const writer = await openDatabase({ url: database.url, role });
      const replaced: unknown[] = [];
      writer.pool.on('remove', (client) => replaced.push(client));
      writer.notifyOutbox();
      await until('the row is heard of', () => heard === 2);
      expect(replaced).toEqual([]);
      await writer.close();
    },
  );

  it('notifies once for a burst', async () => {
    for (let i = 0; i < 100; i++) db.notifyOutbox();
    await until('the burst is heard of', () => heard > 1);
    expect(await heardUntilNow()).toBe(2);
  });

  /** Gives an unwanted notification time to arrive; the tests wait for wanted ones in another way. */
  const longerThanCoalescing = (): Promise<void> => sleep(50);

  it('notifies neither before the outermost commit nor after a rollback', async () => {
    await db.system().transactional(async (outer) => {
      await outer.transactional((inner) => addOutbox(inner, start()));
      await longerThanCoalescing();
      expect(await heardUntilNow()).toBe(1);
      heard = 1;
    });
    await until('the row is heard of', () => heard === 2);
    heard = 1;
    const rolledBack = db.system().transactional(async (tx) => {
      await addOutbox(tx, start());
      throw new Error('rolled back');
    });
    await expect(rolledBack).rejects.toThrow('rolled back');
    await longerThanCoalescing();
    expect(await heardUntilNow()).toBe(1);
  });

  it('reconnects after its connection is lost, and reads the outbox at once', async () => {
    await askAs(
      database.url,
      'quita_worker',
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'quita listener' and datname = current_database()`,
    );
    await until('it looks again', () => heard === 2);
    await add();
    await until('it hears again', () => heard === 3);
  });

  it('says once that the relays are not told, and again after it has worked', async () => {
    const said: string[] = [];
    let fails = true;
    const query = async () => (fails ? Promise.reject(new RangeError('refused')) : { rows: [] });
    const notifier = new OutboxNotifier(
      async () => ({ query }) as unknown as Pool,
      (line) => said.push(line),
    );
    const notify = async () => {
      notifier.notify();
      await notifier.close();
    };
    await notify();
    await notify();
    expect(said).toEqual([expect.stringContaining('RangeError')]);
    fails = false;
    await notify();
    fails = true;
    await notify();
    expect(said).toHaveLength(2);
  });

  it('sends a pending notification before it closes', async () => {
    const other = await openDatabase({ url: database.url, role: 'quita_worker' });
    other.notifyOutbox();
    await other.close();
    await until('the last word is heard', () => heard === 2);
  });
});
