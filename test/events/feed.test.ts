import { describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { purgeExpired } from '../../src/modules/privacy/use-cases/purge-expired.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import { startCampaignsApp, type TestClient } from '../../testing/campaigns-app.ts';
import { debtInputs } from '../../testing/debts.ts';
import { opened } from '../../testing/opened.ts';
import { paidDebt } from '../../testing/receipts-harness.ts';
import { settled } from './settled.ts';

const app = await opened(startCampaignsApp());

// biome-ignore lint/suspicious/noExplicitAny: what an event holds is what the tests are about
type Item = any;

const page = async (client: TestClient, query = ''): Promise<{ items: Item[]; nextCursor: string }> => {
  await settled(app);
  const { status, body } = await client.call('GET', `/api/events${query}`);
  expect([status, body.detail]).toEqual([200, undefined]);
  return body;
};
const all = async (client: TestClient): Promise<Item[]> => (await page(client, '?limit=100')).items;

async function clientWithDebts(count: number): Promise<{ client: TestClient; campaignId: string; debtIds: string[] }> {
  const client = await app.newClient();
  const campaignId = await client.createCampaign();
  await client.importJson(campaignId, debtInputs(count, 1));
  const rows = await app.query<{ id: string }>('select id from debts where campaign_id = $1 order by position', [
    campaignId,
  ]);
  return { client, campaignId, debtIds: rows.map(({ id }) => id) };
}

async function session(): Promise<Client> {
  const client = new Client({ connectionString: app.database.url });
  await client.connect();
  await opened(client);
  return client;
}

const move = (by: Client, debtId: string, status: string) =>
  by.query('update debts set status = $2 where id = $1', [debtId, status]);

describe('the change feed', () => {
  it('tells of an import and a launch in order, with ids and states only', async () => {
    const { client, campaignId, debtIds } = await clientWithDebts(3);
    const imported = await all(client);
    expect(imported.map(({ type, debtId }) => [type, debtId])).toEqual(debtIds.map((id) => ['debt.imported', id]));
    expect(imported[0]).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      type: 'debt.imported',
      at: expect.stringMatching(/Z$/),
      debtId: debtIds[0],
      campaignId,
      data: {
        debtId: debtIds[0],
        invoiceId: (await client.call('GET', `/api/debts/${debtIds[0]}`)).body.invoiceId,
        campaignId,
        status: 'IMPORTED',
        sandbox: true,
        sequence: expect.any(Number),
      },
    });
    await client.call('POST', `/api/campaigns/${campaignId}/launch?sandbox=true`);
    const launched = (await all(client)).slice(3);
    expect(launched.map(({ type, data }) => [type, data.previousStatus, data.status]).sort()).toEqual([
      ['campaign.status_changed', 'DRAFT', 'RUNNING'],
      ['debt.status_changed', 'IMPORTED', 'QUEUED'],
      ['debt.status_changed', 'IMPORTED', 'QUEUED'],
      ['debt.status_changed', 'IMPORTED', 'QUEUED'],
    ]);
    const campaign = launched.find(({ type }) => type === 'campaign.status_changed');
    expect(campaign).toMatchObject({ debtId: null, campaignId, data: { campaignId, sandbox: true } });
  });

  it('goes on from its cursor, also from the end', async () => {
    const { client, campaignId } = await clientWithDebts(5);
    const first = await page(client, '?limit=2');
    const second = await page(client, `?limit=3&cursor=${first.nextCursor}`);
    expect([...first.items, ...second.items]).toEqual(await all(client));
    const end = await page(client, `?cursor=${second.nextCursor}`);
    expect(end).toEqual({ items: [], nextCursor: second.nextCursor });
    await client.call('POST', `/api/campaigns/${campaignId}/archive`);
    const later = await page(client, `?cursor=${end.nextCursor}`);
    expect(later.items.map(({ type }) => type).sort()).toEqual([
      'campaign.status_changed',
      ...Array.from({ length: 5 }, () => 'debt.status_changed'),
    ]);
  });

  it('has a cursor before the first event too, and refuses one that is not its own', async () => {
    const client = await app.newClient();
    const { items, nextCursor } = await page(client);
    expect(items).toEqual([]);
    await client.importJson(await client.createCampaign(), debtInputs(1, 1));
    expect((await page(client, `?cursor=${nextCursor}`)).items).toHaveLength(1);
    for (const cursor of [
      'x',
      Buffer.from('["a",1]').toString('base64url'),
      Buffer.from('[1e30,1]').toString('base64url'),
    ])
      expect((await client.call('GET', `/api/events?cursor=${cursor}`)).body.errors).toEqual([
        { parameter: 'cursor', code: 'invalid_value', message: expect.any(String) },
      ]);
  });

  it('goes on from a cursor of before a dump was restored, whose places no transaction has reached yet', async () => {
    const { client, campaignId } = await clientWithDebts(3);
    const [, second] = await app.query<{ seq: string }>('select seq from events where client_id = $1 order by seq', [
      client.id,
    ]);
    const old = Buffer.from(JSON.stringify([900_000_000_000, Number(second?.seq)])).toString('base64url');
    await app.query('update events set place = 0 where client_id = $1', [client.id]);
    await client.call('POST', `/api/campaigns/${campaignId}/archive`);
    const restored = await page(client, `?cursor=${old}`);
    expect(restored.items.map(({ type }) => type).sort()).toEqual([
      'campaign.status_changed',
      'debt.imported',
      ...Array.from({ length: 3 }, () => 'debt.status_changed'),
    ]);
  });

  it('tells nothing of how active other clients are, by its numbers and cursors', async () => {
    const { client, campaignId, debtIds } = await clientWithDebts(1);
    await clientWithDebts(37);
    await client.call('POST', `/api/campaigns/${campaignId}/launch?sandbox=true`);
    await client.call('POST', `/api/debts/${debtIds[0]}/withdraw`);
    const items = await all(client);
    const of = (id: string | null) => items.filter(({ debtId }) => debtId === id).map(({ data }) => data.sequence);
    expect([of(debtIds[0]!), of(null)]).toEqual([
      [1, 2, 3],
      [1, 2],
    ]);

    const webhook = await client.call('POST', '/api/webhooks', { url: 'https://receiver.example/quita' });
    for (let n = 0; n < 2; n += 1) await client.call('POST', `/api/webhooks/${webhook.body.id}/test`);
    const lists = [
      'events?limit=1',
      `debts/${debtIds[0]}/timeline?limit=1`,
      `webhooks/${webhook.body.id}/deliveries?limit=1`,
    ];
    for (const list of lists) {
      const { status, body } = await client.call('GET', `/api/${list}`);
      expect([list, status, typeof body.nextCursor]).toEqual([list, 200, 'string']);
      expect(Buffer.from(body.nextCursor, 'base64url').toString()).not.toMatch(/^\[/);
      const next = await client.call('GET', `/api/${list}&cursor=${body.nextCursor}`);
      expect([list, next.status, next.body.items[0]?.id]).not.toEqual([list, 200, body.items[0].id ?? null]);
      expect(next.status).toBe(200);
      const other = await (await app.newClient()).call('GET', `/api/${list}&cursor=${body.nextCursor}`);
      expect([400, 404]).toContain(other.status);
    }
  });

  it('shows a client its own events only', async () => {
    await clientWithDebts(1);
    expect(await all(await app.newClient())).toEqual([]);
  });

  it('can be limited to real or simulated debts', async () => {
    const { client, debtIds } = await clientWithDebts(2);
    await app.query('update events set sandbox = false where debt_id = $1', [debtIds[0]]);
    expect((await page(client, '?sandbox=true')).items.map(({ debtId }) => debtId)).toEqual([debtIds[1]]);
    expect((await page(client, '?sandbox=false')).items.map(({ debtId }) => debtId)).toEqual([debtIds[0]]);
  });

  it('begins with the newest events when asked for the last, and goes on behind them', async () => {
    const { client, campaignId } = await clientWithDebts(5);
    const everything = await all(client);
    const newest = await page(client, '?last=2');
    expect(newest.items).toEqual(everything.slice(-2));
    const end = await page(client, '?last=0');
    expect(end.items).toEqual([]);
    expect((await page(client, `?cursor=${end.nextCursor}`)).items).toEqual([]);
    await client.call('POST', `/api/campaigns/${campaignId}/archive`);
    const { items } = await page(client, `?cursor=${newest.nextCursor}`);
    expect(items).toEqual((await all(client)).slice(5));
    expect(items).toHaveLength(6);
    const simulated = await page(client, '?last=1&sandbox=true');
    expect(simulated.items).toEqual(items.filter(({ data }) => data.sandbox).slice(-1));
    const both = await client.call('GET', `/api/events?last=1&cursor=${newest.nextCursor}`);
    expect([both.status, both.body.errors[0]]).toMatchObject([400, { parameter: 'last' }]);
    const empty = await page(await app.newClient(), '?last=5');
    expect(empty).toEqual({ items: [], nextCursor: expect.any(String) });
  });

  it('skips no event of an open transaction behind the last ones', async () => {
    const { client, debtIds } = await clientWithDebts(2);
    await settled(app);
    const [slow, fast] = [await session(), await session()];
    await slow.query('begin');
    await move(slow, debtIds[0]!, 'DISPUTED');
    await move(fast, debtIds[1]!, 'OPTED_OUT');
    const { items, nextCursor } = await page(client, '?last=10');
    expect(items.map(({ type }) => type)).toEqual(['debt.imported', 'debt.imported']);
    await slow.query('commit');
    const later = await page(client, `?cursor=${nextCursor}`);
    expect(later.items.map(({ data }) => data.status).sort()).toEqual(['DISPUTED', 'OPTED_OUT']);
  });

  it('skips no event of a transaction that began earlier and commits later', async () => {
    const { client, debtIds } = await clientWithDebts(2);
    const { nextCursor } = await page(client);
    const [slow, fast] = [await session(), await session()];
    await slow.query('begin');
    await move(slow, debtIds[0]!, 'DISPUTED');
    await fast.query('begin');
    await move(fast, debtIds[1]!, 'OPTED_OUT');
    await fast.query('commit');
    // A reader that took the event of the fast transaction would go on after it, and never see that of the slow one.
    const meanwhile = await page(client, `?cursor=${nextCursor}`);
    expect(meanwhile.items).toEqual([]);
    await slow.query('commit');
    const { items } = await page(client, `?cursor=${meanwhile.nextCursor}`);
    expect(items.map(({ data }) => data.status).sort()).toEqual(['DISPUTED', 'OPTED_OUT']);
  });

  it('has the events of one debt in order, also when the transaction with the lower number wrote last', async () => {
    const { client, debtIds } = await clientWithDebts(1);
    const { nextCursor } = await page(client);
    const [older, newer] = [await session(), await session()];
    await older.query('begin');
    await older.query('select pg_current_xact_id()');
    await newer.query('begin');
    await move(newer, debtIds[0]!, 'DISPUTED');
    await newer.query('commit');
    await move(older, debtIds[0]!, 'OPTED_OUT');
    await older.query('commit');
    const { items } = await page(client, `?cursor=${nextCursor}`);
    expect(items.map(({ data }) => data.status)).toEqual(['DISPUTED', 'OPTED_OUT']);
    expect(items[0].data.sequence).toBeLessThan(items[1].data.sequence);
  });

  it('has nothing of a change that was rolled back', async () => {
    const { client, debtIds } = await clientWithDebts(1);
    const before = await all(client);
    const undone = await session();
    await undone.query('begin');
    await move(undone, debtIds[0]!, 'DISPUTED');
    expect((await undone.query('select from events where debt_id = $1', [debtIds[0]])).rowCount).toBe(2);
    await undone.query('rollback');
    expect(await all(client)).toEqual(before);
  });

  it('tells of every change that the contract names', async () => {
    const { client, campaignId, debtIds } = await clientWithDebts(1);
    const [debtId] = debtIds;
    const at = '2026-11-20T15:00:00.000Z';
    const { nextCursor } = await page(client);
    const message = async (delivery: string) => {
      const [row] = await app.query<{ id: string }>(
        `insert into messages (client_id, debt_id, direction, channel, purpose, phone, text, delivery, attempt_key, at)
         values ($1, $2, 'out', 'sandbox', 'collection', '+5511999990000', 'x', $3, gen_random_uuid(), $4) returning id`,
        [client.id, debtId, delivery, at],
      );
      return row!.id;
    };
    const [reached, unreached] = [await message('sent'), await message('failed')];
    const charge = '00000000-0000-4000-8000-000000000001';
    const entries: [string, object][] = [
      ['message_sent', { messageId: reached, channel: 'sandbox', purpose: 'collection' }],
      ['message_sent', { messageId: unreached, channel: 'sandbox', purpose: 'collection' }],
      ['message_sent', { messageId: reached, channel: 'sandbox', purpose: 'reply' }],
      ['message_received', { messageId: reached, channel: 'sandbox' }],
      ['verdict', { allowed: true }],
      ['payment_approved', { paymentId: charge, amount: 150.75 }],
      ['payment_duplicate', { paymentId: charge, amount: 150.75 }],
      ['payment_duplicate', { paymentId: charge, amount: 150.75, covers: true }],
      ['payment_changed', { paymentId: charge, problem: 'underpaid', amount: 1 }],
      ['payment_changed', { paymentId: charge, change: 'refunded', refundedAmount: 50 }],
      ['payment_changed', { paymentId: charge, change: 'charged_back' }],
      ['payment_changed', { paymentId: charge, change: 'chargeback_reversed' }],
      ['receipt_issued', { paymentId: charge, protocol: 'QT-2026-7K3M9X2PAB-5' }],
    ];
    for (const [kind, data] of entries)
      await app.query('insert into debt_events (client_id, debt_id, at, kind, data) values ($1, $2, $3, $4, $5)', [
        client.id,
        debtId,
        at,
        kind,
        data,
      ]);
    const { items } = await page(client, `?cursor=${nextCursor}`);
    for (const item of items) expect(item).toMatchObject({ at, debtId, campaignId, data: { debtId, sandbox: true } });
    const own = ({ type, data: { debtId: _, campaignId: __, invoiceId: ___, sandbox, sequence, ...data } }: Item) => [
      type,
      data,
    ];
    expect(items.map(own)).toEqual([
      ['debt.contacted', { messageId: reached, channel: 'sandbox' }],
      ['debt.message_received', { messageId: reached, channel: 'sandbox' }],
      ['payment.approved', { paymentId: charge, amount: 150.75 }],
      ['payment.duplicate', { paymentId: charge, amount: 150.75 }],
      ['payment.duplicate', { paymentId: charge, amount: 150.75, covers: true }],
      ['payment.refunded', { paymentId: charge, reason: 'refund', refundedAmount: 50 }],
      ['payment.refunded', { paymentId: charge, reason: 'chargeback', refundedAmount: null }],
      ['receipt.issued', { paymentId: charge, protocol: 'QT-2026-7K3M9X2PAB-5' }],
    ]);
  });

  it('tells of a receipt that is revoked, once for each time', async () => {
    const client = await app.newClient();
    const { debtId, paymentId } = await paidDebt(app.query, client.id);
    const protocol = 'QT-2026-7K3M9X2PAB-5';
    await app.query(
      `insert into receipts (client_id, debt_id, charge_id, protocol, facts, issued_at) values ($1, $2, $3, $4, '{}', now())`,
      [client.id, debtId, paymentId, protocol],
    );
    const { nextCursor } = await page(client);
    const change = (set: string) => app.query(`update receipts set ${set} where protocol = $1`, [protocol]);
    await change(`revoked_at = '2026-11-21T10:00:00Z', revoked_reason = 'refund'`);
    await change('outdated = true');
    await change(`restored_at = '2026-11-22T10:00:00Z'`);
    await change(`revoked_at = '2026-11-23T10:00:00Z', restored_at = null`);
    const { items } = await page(client, `?cursor=${nextCursor}`);
    expect(items.map(({ type, at, data }) => [type, at, data.protocol, data.paymentId, data.reason])).toEqual([
      ['receipt.revoked', '2026-11-21T10:00:00.000Z', protocol, paymentId, 'refund'],
      ['receipt.revoked', '2026-11-23T10:00:00.000Z', protocol, paymentId, 'refund'],
    ]);
  });

  it('forgets events after 30 days, however far apart their numbers are', async () => {
    const { client, debtIds } = await clientWithDebts(4);
    const forgotten = debtIds.slice(0, 3);
    await app.query(`update events set created_at = now() - interval '30 days 1 minute' where debt_id = any ($1)`, [
      forgotten,
    ]);
    // A transaction that was rolled back takes its numbers with it.
    for (const [index, debtId] of forgotten.entries()) {
      await app.query('update events set seq = seq - $2 where debt_id = $1', [
        debtId,
        1_000_000_000 - index * 10_000_000,
      ]);
    }
    const worker = await openDatabase({ url: app.database.url, role: 'quita_worker' });
    try {
      await purgeExpired({ db: worker })();
    } finally {
      await worker.close();
    }
    expect((await all(client)).map(({ debtId }) => debtId)).toEqual([debtIds[3]]);
  });
});
