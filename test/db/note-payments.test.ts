import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Database, openDatabase } from '../../src/platform/database/database.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { createClient } from '../../testing/factories.ts';
import { runInTransaction, writeRaw } from '../../testing/raw-sql.ts';

interface Note {
  readonly key: string;
  readonly request?: string;
  readonly signed?: string | null;
}

describe('note_notified_payments', () => {
  let database: TestDatabase;
  let api: Database;
  let worker: Database;
  const keys = ['7001', '7002', '7003'];

  beforeAll(async () => {
    database = await createTestDatabase();
    api = await openDatabase({ url: database.url, role: 'quita_app' });
    worker = await openDatabase({ url: database.url, role: 'quita_worker' });
    for (const key of keys) {
      const [{ id: clientId }, campaignId, debtId] = [await createClient(api), randomUUID(), randomUUID()];
      await worker.tenant(clientId).transactional(async (tx) => {
        await runInTransaction(
          tx,
          `insert into campaigns (id, client_id, name, status) values ($2, $1, 'A', 'RUNNING')`,
          [clientId, campaignId],
        );
        await runInTransaction(
          tx,
          `insert into debts (id, client_id, campaign_id, position, debtor_name, debtor_phone, debtor_tax_id,
             original_amount_centavos, due_date, status)
           values ($3, $1, $2, 1, 'Ana', '+5511987654321', '52998224725', 15075, '2026-10-05', 'IN_COLLECTION')`,
          [clientId, campaignId, debtId],
        );
        await runInTransaction(
          tx,
          `insert into charges (client_id, debt_id, attempt, provider, provider_payment_id, provider_payment_key, status,
             amount_centavos, expires_at)
           values ($1, $2, 1, 'mercadopago', $3, $3, 'PENDING', 15075, now())`,
          [clientId, debtId, key],
        );
      });
    }
  });

  afterAll(async () => {
    await api?.close();
    await worker?.close();
    await database?.drop();
  });

  const note = (...notes: readonly Note[]): Promise<unknown> =>
    api.pool.query({
      text: 'select note_notified_payments($1, $2, $3, 50)',
      values: [
        notes.map(({ key }) => key),
        notes.map(({ request }) => request ?? 'r'),
        notes.map(({ signed }) => signed ?? null),
      ],
    });

  const inbox = async (): Promise<unknown[]> =>
    (
      await worker.pool.query(
        `select c.provider_payment_key as key, n.request_id as request, n.signed_request as signed,
           n.client_id = c.client_id as "rightClient"
         from payment_notifications n join charges c on c.id = n.charge_id order by c.provider_payment_key, n.seq`,
      )
    ).rows;
  const outbox = async (): Promise<unknown[]> =>
    (await worker.pool.query('select requests, payload from outbox order by dedupe_key')).rows;

  beforeEach(async () => {
    await worker.pool.query('delete from outbox');
    // The purge deletes notifications that were handled long ago.
    const { rows } = await worker.pool.query<{ id: string }>('select id from clients');
    for (const { id } of rows) {
      await writeRaw(worker, { clientId: id }, { name: 'forget', text: 'delete from payment_notifications' });
    }
  });

  it('writes for several clients at once, and ignores ids without a charge', async () => {
    await note({ key: '7001' }, { key: '7002' }, { key: '9999' });
    expect(await inbox()).toEqual([
      { key: '7001', request: 'r', signed: null, rightClient: true },
      { key: '7002', request: 'r', signed: null, rightClient: true },
    ]);
    expect(await outbox()).toHaveLength(2);
  });

  it('stores a notification without a signed request each time', async () => {
    await note({ key: '7001' }, { key: '7001' });
    await note({ key: '7001' });
    expect(await inbox()).toHaveLength(3);
    expect(await outbox()).toMatchObject([{ requests: 2 }]);
  });

  it('stores a signed request of a charge once, in one batch and in a later one', async () => {
    await note({ key: '7001', signed: 'x' }, { key: '7001', signed: 'x' }, { key: '7002', signed: 'x' });
    await note({ key: '7001', signed: 'x' }, { key: '7003', signed: 'x' });
    expect(await inbox()).toMatchObject([{ key: '7001' }, { key: '7002' }, { key: '7003' }]);
    expect(await outbox()).toMatchObject([{ requests: 1 }, { requests: 1 }, { requests: 1 }]);
    await note({ key: '7001', signed: 'y' });
    expect(await inbox()).toHaveLength(4);
  });
});
