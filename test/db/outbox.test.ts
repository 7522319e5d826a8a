import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { Client } from '../../src/db/entities/client.ts';
import {
  addOutbox,
  addOutboxRows,
  claimOutbox,
  failOutbox,
  markOutboxDelivered,
  type NewOutboxRow,
  outboxBacklog,
  purgeOutbox,
} from '../../src/db/outbox.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createClient } from '../support/factories.ts';

const signal = (given: Partial<NewOutboxRow> = {}): NewOutboxRow => ({
  kind: 'signal_with_start',
  workflow: 'collect-debt',
  workflowId: `collection-${randomUUID()}`,
  signal: 'payment',
  payload: { debtId: randomUUID(), attempt: 1 },
  ...given,
});

const ago = (seconds: number): Date => new Date(Date.now() - seconds * 1_000);

describe('outbox', () => {
  let database: TestDatabase;
  let app: Database;
  let relay: Database;

  beforeAll(async () => {
    database = await createTestDatabase();
    app = await openDatabase({ url: database.url, role: 'quita_app' });
    relay = await openDatabase({ url: database.url, role: 'quita_worker' });
  });

  afterAll(async () => {
    await app?.close();
    await relay?.close();
    await database?.drop();
  });

  beforeEach(async () => {
    await relay.pool.query('delete from outbox');
  });

  const add = (...rows: NewOutboxRow[]): Promise<void> => app.system().transactional((em) => addOutboxRows(em, rows));
  const timePasses = async (seconds: number): Promise<void> => {
    await relay.pool.query(
      `update outbox set available_at = available_at - make_interval(secs => $1),
         delivered_at = delivered_at - make_interval(secs => $1), created_at = created_at - make_interval(secs => $1)`,
      [seconds],
    );
  };

  it('gives back what was written', async () => {
    const row = signal();
    await add(row);
    const [claimed] = await claimOutbox(relay.pool, 10);
    expect(claimed).toMatchObject({ ...row, attempts: 1, requests: 1 });
    expect(claimed?.createdAt).toBeInstanceOf(Date);
  });

  it('keeps the row if and only if the transaction commits', async () => {
    const client = await createClient(app);
    const pause = (fail: boolean): Promise<void> =>
      app.tenant(client.id).transactional(async (em) => {
        await em.nativeUpdate(Client, { id: client.id }, { status: 'PAUSED' });
        await addOutbox(em, signal());
        if (fail) throw new Error('changed our mind');
      });
    await expect(pause(true)).rejects.toThrow('changed our mind');
    expect(await claimOutbox(relay.pool, 10)).toEqual([]);
    expect((await app.tenant(client.id).findOneOrFail(Client, client.id)).status).toBe('ACTIVE');
    await pause(false);
    expect(await claimOutbox(relay.pool, 10)).toHaveLength(1);
  });

  it('is not written outside a transaction', async () => {
    await expect(addOutbox(app.system(), signal())).rejects.toThrow('inside em.transactional');
  });

  it('gives each row to one of several relays', async () => {
    await add(...Array.from({ length: 300 }, () => signal()));
    const other = await openDatabase({ url: database.url, role: 'quita_worker' });
    const relays = [relay, other, relay, other];
    const taken: string[] = [];
    await Promise.all(
      relays.map(async ({ pool }) => {
        for (;;) {
          const rows = await claimOutbox(pool, 7);
          if (rows.length === 0) return;
          taken.push(...rows.map((row) => row.id));
        }
      }),
    );
    await other.close();
    expect(taken).toHaveLength(300);
    expect(new Set(taken).size).toBe(300);
  });

  it('gives the rows of a relay that died to the next one, after the lease', async () => {
    await add(signal());
    const [first] = await claimOutbox(relay.pool, 10);
    await timePasses(29);
    expect(await claimOutbox(relay.pool, 10)).toEqual([]);
    await timePasses(2);
    const [second] = await claimOutbox(relay.pool, 10);
    expect(second).toMatchObject({ id: first?.id, attempts: 2 });
  });

  it('never gives a delivered row again', async () => {
    await add(signal());
    expect(await markOutboxDelivered(relay.pool, await claimOutbox(relay.pool, 10))).toBe(1);
    await timePasses(3_600);
    expect(await claimOutbox(relay.pool, 10)).toEqual([]);
  });

  it('holds a row back until the moment it names', async () => {
    await add(signal({ availableAt: new Date(Date.now() + 60_000) }));
    expect(await claimOutbox(relay.pool, 10)).toEqual([]);
    await timePasses(61);
    expect(await claimOutbox(relay.pool, 10)).toHaveLength(1);
  });

  it('gives a failed row again at the moment that the relay names, and keeps why it failed', async () => {
    await add(signal());
    const [row] = await claimOutbox(relay.pool, 10);
    await failOutbox(relay.pool, row!.id, 'UNAVAILABLE', new Date(Date.now() + 300_000));
    await timePasses(299);
    expect(await claimOutbox(relay.pool, 10)).toEqual([]);
    await timePasses(2);
    expect(await claimOutbox(relay.pool, 10)).toMatchObject([{ id: row?.id, attempts: 2 }]);
    const { rows } = await relay.pool.query('select last_error from outbox');
    expect(rows).toEqual([{ last_error: 'UNAVAILABLE' }]);
  });

  it('does not take back what another relay delivered meanwhile', async () => {
    await add(signal());
    const rows = await claimOutbox(relay.pool, 10);
    await markOutboxDelivered(relay.pool, rows);
    await failOutbox(relay.pool, rows[0]!.id, 'DEADLINE_EXCEEDED', new Date(0));
    expect(await claimOutbox(relay.pool, 10)).toEqual([]);
  });

  describe('with a dedupe key', () => {
    it('makes a burst one row', async () => {
      const dedupeKey = `payment:${randomUUID()}`;
      await Promise.all(Array.from({ length: 20 }, () => add(signal({ dedupeKey }))));
      expect(await claimOutbox(relay.pool, 100)).toHaveLength(1);
    });

    it('keeps other keys, and rows without one, apart', async () => {
      await add(signal({ dedupeKey: 'a' }), signal({ dedupeKey: 'b' }), signal(), signal());
      expect(await claimOutbox(relay.pool, 100)).toHaveLength(4);
    });

    it('sends once more when it was asked for again while it was on its way', async () => {
      await add(signal({ dedupeKey: 'payment:1' }));
      const onItsWay = await claimOutbox(relay.pool, 10);
      await add(signal({ dedupeKey: 'payment:1' }));
      expect(await outboxBacklog(relay.pool)).toMatchObject({ depth: 1 });
      expect(await markOutboxDelivered(relay.pool, onItsWay)).toBe(0);
      const again = await claimOutbox(relay.pool, 10);
      expect(again).toMatchObject([{ id: onItsWay[0]?.id, attempts: 1 }]);
      expect(await markOutboxDelivered(relay.pool, again)).toBe(1);
      expect(await claimOutbox(relay.pool, 10)).toEqual([]);
    });

    it('loses no request, whichever of request and mark comes first', async () => {
      for (let round = 0; round < 20; round++) {
        await add(signal({ dedupeKey: 'race' }));
        const onItsWay = await claimOutbox(relay.pool, 10);
        await Promise.all([markOutboxDelivered(relay.pool, onItsWay), add(signal({ dedupeKey: 'race' }))]);
        const again = await claimOutbox(relay.pool, 10);
        expect(again).toHaveLength(1);
        await markOutboxDelivered(relay.pool, again);
      }
    });

    it('begins anew once it is delivered', async () => {
      await add(signal({ dedupeKey: 'payment:1' }));
      await markOutboxDelivered(relay.pool, await claimOutbox(relay.pool, 10));
      await add(signal({ dedupeKey: 'payment:1' }));
      expect(await claimOutbox(relay.pool, 10)).toHaveLength(1);
    });

    it('does not deadlock when many ask for the same keys in other orders', async () => {
      const rows = Array.from({ length: 500 }, (_, i) => signal({ dedupeKey: `key:${i}` }));
      for (let round = 0; round < 3; round++) {
        await Promise.all([0, 100, 200, 300, 400].map((at) => add(...rows.slice(at), ...rows.slice(0, at))));
        await Promise.all([0, 100, 200].map((at) => add(...[...rows.slice(at), ...rows.slice(0, at)].reverse())));
      }
      expect((await outboxBacklog(relay.pool)).depth).toBe(500);
    });
  });

  it('is written by the statement that changes the state', async () => {
    const client = await createClient(app);
    const cancel = {
      name: 'test_cancel',
      text: `with changed as (update clients set status = 'CANCELLED' where id = $1 and status <> 'CANCELLED' returning id)
        select add_outbox(array[gen_random_uuid()], array['batch_signal'], array['collect-debt'],
          array['client-' || id], array['stopped'], array[jsonb_build_object('clientId', id)], array['client:' || id],
          array[now()])
        from changed`,
    };
    expect(await app.write({ clientId: client.id }, cancel, [client.id])).toHaveLength(1);
    expect(await app.write({ clientId: client.id }, cancel, [client.id])).toHaveLength(0);
    expect(await claimOutbox(relay.pool, 10)).toMatchObject([{ payload: { clientId: client.id } }]);
  });

  it('tells how much waits and for how long', async () => {
    expect(await outboxBacklog(relay.pool)).toEqual({ depth: 0, oldestSeconds: 0 });
    await add(signal());
    await timePasses(120);
    await add(signal());
    await add(signal());
    await markOutboxDelivered(relay.pool, (await claimOutbox(relay.pool, 1)).slice(0, 0));
    const backlog = await outboxBacklog(relay.pool);
    expect(backlog.depth).toBe(3);
    expect(backlog.oldestSeconds).toBeGreaterThanOrEqual(120);
    expect(backlog.oldestSeconds).toBeLessThan(150);
  });

  it('purges delivered rows of that age, and nothing that waits', async () => {
    await add(signal(), signal());
    await markOutboxDelivered(relay.pool, await claimOutbox(relay.pool, 10));
    await timePasses(100);
    await add(signal());
    await timePasses(0);
    expect(await purgeOutbox(relay.pool, ago(200))).toBe(0);
    expect(await purgeOutbox(relay.pool, ago(99), 1)).toBe(1);
    expect(await purgeOutbox(relay.pool, ago(99))).toBe(1);
    await timePasses(1_000_000);
    expect(await purgeOutbox(relay.pool, ago(99))).toBe(0);
    expect((await outboxBacklog(relay.pool)).depth).toBe(1);
  });
});
