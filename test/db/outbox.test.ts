import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from '../../src/modules/accounts/tables/client.ts';
import { addOutbox, addOutboxRows } from '../../src/platform/database/add-outbox.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import { DELETE_DELIVERED_ROWS, type NewOutboxRow } from '../../src/platform/database/queries/outbox.ts';
import { createOutboxStore } from '../../src/platform/temporal/outbox-store.ts';
import { createTestDatabase } from '../../testing/database.ts';
import { entitiesOf } from '../../testing/entities-of.ts';
import { createClient } from '../../testing/factories.ts';
import { opened } from '../../testing/opened.ts';
import { writeRaw } from '../../testing/raw-sql.ts';

const signal = (given: Partial<NewOutboxRow> = {}): NewOutboxRow => ({
  kind: 'signal_with_start',
  workflow: 'collect-debt',
  workflowId: `collection-${randomUUID()}`,
  signal: 'payment',
  payload: { debtId: randomUUID(), attempt: 1 },
  ...given,
});

const ago = (seconds: number): Date => new Date(Date.now() - seconds * 1_000);

const database = await opened(createTestDatabase());
const app = await opened(openDatabase({ url: database.url, role: 'quita_app' }));
const relay = await opened(openDatabase({ url: database.url, role: 'quita_worker' }));
const outbox = createOutboxStore(relay.pool);

describe('outbox', () => {
  beforeEach(async () => {
    await relay.pool.query('delete from outbox');
  });

  const add = (...rows: NewOutboxRow[]): Promise<void> => relay.system().transactional((tx) => addOutboxRows(tx, rows));
  const timePasses = async (seconds: number): Promise<void> => {
    await relay.pool.query(
      `update outbox set available_at = available_at - make_interval(secs => $1),
         delivered_at = delivered_at - make_interval(secs => $1), created_at = created_at - make_interval(secs => $1)`,
      [seconds],
    );
  };

  it('returns a row as it was written', async () => {
    const row = signal();
    await add(row);
    const [leased] = await outbox.lease(10);
    expect(leased).toMatchObject({ ...row, attempts: 1, requests: 1 });
    expect(leased?.createdAt).toBeInstanceOf(Date);
  });

  it('keeps the row if and only if the transaction commits', async () => {
    const client = await createClient(app);
    const pause = (fail: boolean): Promise<void> =>
      app.tenant(client.id).transactional(async (tx) => {
        await entitiesOf(tx).nativeUpdate(Client, { id: client.id }, { status: 'PAUSED' });
        const payload = { clientId: client.id, requestId: 'r' };
        await addOutbox(tx, signal({ workflow: 'send-account-mail', workflowId: 'account-mail-r', payload }));
        if (fail) throw new Error('changed our mind');
      });
    await expect(pause(true)).rejects.toThrow('changed our mind');
    expect(await outbox.lease(10)).toEqual([]);
    expect((await entitiesOf(app.tenant(client.id)).findOneOrFail(Client, client.id)).status).toBe('ACTIVE');
    await pause(false);
    expect(await outbox.lease(10)).toHaveLength(1);
  });

  it('refuses a write outside a transaction', async () => {
    await expect(addOutbox(app.system(), signal())).rejects.toThrow('inside tx.transactional');
  });

  it('gives each row to one of several relays', async () => {
    await add(...Array.from({ length: 300 }, () => signal()));
    const other = await openDatabase({ url: database.url, role: 'quita_worker' });
    const relays = [relay, other, relay, other];
    const taken: string[] = [];
    await Promise.all(
      relays.map(async ({ pool }) => {
        for (;;) {
          const rows = await createOutboxStore(pool).lease(7);
          if (rows.length === 0) return;
          taken.push(...rows.map((row) => row.id));
        }
      }),
    );
    await other.close();
    expect(taken).toHaveLength(300);
    expect(new Set(taken).size).toBe(300);
  });

  it('gives the rows of a dead relay to the next one after the lease', async () => {
    await add(signal());
    const [first] = await outbox.lease(10);
    await timePasses(29);
    expect(await outbox.lease(10)).toEqual([]);
    await timePasses(2);
    const [second] = await outbox.lease(10);
    expect(second).toMatchObject({ id: first?.id, attempts: 2 });
  });

  it('never gives a delivered row again', async () => {
    await add(signal());
    expect(await outbox.delivered(await outbox.lease(10))).toBe(1);
    await timePasses(3_600);
    expect(await outbox.lease(10)).toEqual([]);
  });

  it('claims a row no earlier than its moment', async () => {
    await add(signal({ availableAt: new Date(Date.now() + 60_000) }));
    expect(await outbox.lease(10)).toEqual([]);
    await timePasses(61);
    expect(await outbox.lease(10)).toHaveLength(1);
  });

  it('claims a failed row again at the relay’s moment, and stores the reason of the failure', async () => {
    await add(signal());
    const [row] = await outbox.lease(10);
    await outbox.failed(row!.id, 'UNAVAILABLE', new Date(Date.now() + 300_000));
    await timePasses(299);
    expect(await outbox.lease(10)).toEqual([]);
    await timePasses(2);
    expect(await outbox.lease(10)).toMatchObject([{ id: row?.id, attempts: 2 }]);
    const { rows } = await relay.pool.query('select last_error from outbox');
    expect(rows).toEqual([{ last_error: 'UNAVAILABLE' }]);
  });

  it('does not reset a row that another relay has delivered meanwhile', async () => {
    await add(signal());
    const rows = await outbox.lease(10);
    await outbox.delivered(rows);
    await outbox.failed(rows[0]!.id, 'DEADLINE_EXCEEDED', new Date(0));
    expect(await outbox.lease(10)).toEqual([]);
  });

  describe('with a dedupe key', () => {
    it('stores a burst as one row', async () => {
      const dedupeKey = `payment:${randomUUID()}`;
      await Promise.all(Array.from({ length: 20 }, () => add(signal({ dedupeKey }))));
      expect(await outbox.lease(100)).toHaveLength(1);
    });

    it('stores other keys and rows without a key separately', async () => {
      await add(signal({ dedupeKey: 'a' }), signal({ dedupeKey: 'b' }), signal(), signal());
      expect(await outbox.lease(100)).toHaveLength(4);
    });

    it('delivers again when the key was requested during the delivery', async () => {
      await add(signal({ dedupeKey: 'payment:1' }));
      const onItsWay = await outbox.lease(10);
      await add(signal({ dedupeKey: 'payment:1' }));
      expect(await outbox.depth()).toMatchObject({ waiting: 1 });
      expect(await outbox.delivered(onItsWay)).toBe(0);
      const again = await outbox.lease(10);
      expect(again).toMatchObject([{ id: onItsWay[0]?.id, attempts: 1 }]);
      expect(await outbox.delivered(again)).toBe(1);
      expect(await outbox.lease(10)).toEqual([]);
    });

    it('loses no request, in either order of request and mark', async () => {
      for (let round = 0; round < 20; round++) {
        await add(signal({ dedupeKey: 'race' }));
        const onItsWay = await outbox.lease(10);
        await Promise.all([outbox.delivered(onItsWay), add(signal({ dedupeKey: 'race' }))]);
        const again = await outbox.lease(10);
        expect(again).toHaveLength(1);
        await outbox.delivered(again);
      }
    });

    it('stores a new row once the earlier one is delivered', async () => {
      await add(signal({ dedupeKey: 'payment:1' }));
      await outbox.delivered(await outbox.lease(10));
      await add(signal({ dedupeKey: 'payment:1' }));
      expect(await outbox.lease(10)).toHaveLength(1);
    });

    it('does not deadlock when many transactions request the same keys in different orders', async () => {
      const rows = Array.from({ length: 500 }, (_, i) => signal({ dedupeKey: `key:${i}` }));
      for (let round = 0; round < 3; round++) {
        await Promise.all([0, 100, 200, 300, 400].map((at) => add(...rows.slice(at), ...rows.slice(0, at))));
        await Promise.all([0, 100, 200].map((at) => add(...[...rows.slice(at), ...rows.slice(0, at)].reverse())));
      }
      expect((await outbox.depth()).waiting).toBe(500);
    });
  });

  it('can be written by the statement that changes the state', async () => {
    const client = await createClient(app);
    const cancel = {
      name: 'test_cancel',
      text: `with changed as (update clients set status = 'CANCELLED' where id = $1 and status <> 'CANCELLED' returning id)
        select add_outbox(array[gen_random_uuid()], array['batch_signal'], array['collect-debt'],
          array['every-of-' || id], array['stopped'], array[jsonb_build_object('clientId', id)], array['client:' || id],
          array[now()])
        from changed`,
    };
    expect(await writeRaw(app, { clientId: client.id }, cancel, [client.id])).toHaveLength(1);
    expect(await writeRaw(app, { clientId: client.id }, cancel, [client.id])).toHaveLength(0);
    expect(await outbox.lease(10)).toMatchObject([{ payload: { clientId: client.id } }]);
  });

  it('reports how many rows wait and for how long', async () => {
    expect(await outbox.depth()).toEqual({ waiting: 0, oldestSeconds: 0 });
    await add(signal());
    await timePasses(120);
    await add(signal());
    await add(signal());
    await outbox.delivered((await outbox.lease(1)).slice(0, 0));
    const backlog = await outbox.depth();
    expect(backlog.waiting).toBe(3);
    expect(backlog.oldestSeconds).toBeGreaterThanOrEqual(120);
    expect(backlog.oldestSeconds).toBeLessThan(150);
  });

  it('purges delivered rows of that age, and no waiting row', async () => {
    await add(signal(), signal());
    await outbox.delivered(await outbox.lease(10));
    await timePasses(100);
    await add(signal());
    await timePasses(0);
    expect(await outbox.purge(ago(200))).toBe(0);
    expect(await outbox.purge(ago(99), 1)).toBe(1);
    expect(await outbox.purge(ago(99))).toBe(1);
    await timePasses(1_000_000);
    expect(await outbox.purge(ago(99))).toBe(0);
    expect((await outbox.depth()).waiting).toBe(1);
  });

  it('purges no more rows than its limit, whatever plan the server chooses', async () => {
    await add(...Array.from({ length: 30 }, () => signal()));
    await outbox.delivered(await outbox.lease(30));
    await timePasses(100);
    const { name, text, valuesOf } = DELETE_DELIVERED_ROWS;
    const client = await relay.pool.connect();
    try {
      await client.query('begin');
      // The remaining plan computes a subselect again for each row of the table.
      for (const way of [
        'hashagg',
        'hashjoin',
        'material',
        'mergejoin',
        'sort',
        'memoize',
        'indexscan',
        'bitmapscan',
      ]) {
        await client.query(`set local enable_${way} = off`);
      }
      const deleted = await client.query({ name, text, values: valuesOf({ deliveredBefore: ago(99), limit: 3 }) });
      expect(deleted.rowCount).toBe(3);
    } finally {
      await client.query('rollback');
      client.release();
    }
  });
});
