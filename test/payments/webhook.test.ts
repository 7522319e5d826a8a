import { createHmac, randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { openDatabase } from '../../src/platform/database/database.ts';
import { createCollectionWorkflows } from '../../src/platform/temporal/collection-workflows.ts';
import { opened } from '../../testing/opened.ts';
import { newCharge, startRealApp } from './real-provider.ts';
import { notification, notify, WEBHOOK_SECRET } from './support.ts';

// No relay runs here, so that the tests can read the outbox rows of a notification.
const real = await opened(startRealApp({ roles: ['api'], env: { SANDBOX_MAX_WAIT: '300ms' } }));
const debtor = await newCharge(real);

const inbox = async (paymentId = debtor.paymentId): Promise<number> => {
  const [row] = await real.app.query<{ kept: number }>(
    'select count(*)::int as kept from payment_notifications where charge_id = $1',
    [paymentId],
  );
  return row?.kept ?? 0;
};

async function post(path: string, headers: Record<string, string>, body: string) {
  return real.app.call<{ code: string }>('POST', path, { headers, body });
}

const sign = (manifest: string, secret = WEBHOOK_SECRET): string =>
  createHmac('sha256', secret).update(manifest).digest('hex');

describe('a notification with a valid signature', () => {
  it('is stored in inbox and outbox before it is answered, with one signal for several', async () => {
    for (let time = 0; time < 3; time++) {
      expect(await notify(real.app, debtor.providerId, { account: debtor.client.id })).toBe(200);
    }
    expect(await inbox()).toBe(3);
    const rows = await real.app.query<{ requests: number }>(
      `select * from outbox where workflow_id = $1 and delivered_at is null`,
      [`collection-${debtor.id}`],
    );
    expect(rows).toMatchObject([{ requests: 3 }]);
  });

  it('writes the same outbox row as waking the debt', async () => {
    const [row] = await real.app.query<Record<string, unknown>>(
      `select kind, workflow, workflow_id as "workflowId", signal, payload, dedupe_key as "dedupeKey" from outbox where workflow_id = $1`,
      [`collection-${debtor.id}`],
    );
    const { client, campaignId, id } = debtor;
    const debt = { id, clientId: client.id, campaignId, sandbox: false, clockOffsetMs: 0 };
    const wake = createCollectionWorkflows({ sandboxMaxWaitMs: 300 });
    expect(row).toEqual(wake.wakeDebt(debt, 'paymentNoticed'));

    await real.app.query('update debts set sandbox = true, clock_offset_ms = 86400000 where id = $1', [id]);
    await real.app.query('delete from outbox where workflow_id = $1', [`collection-${id}`]);
    await notify(real.app, debtor.providerId, { account: client.id });
    const [sandbox] = await real.app.query<{ payload: object }>('select payload from outbox where workflow_id = $1', [
      `collection-${id}`,
    ]);
    await real.app.query('update debts set sandbox = false, clock_offset_ms = 0 where id = $1', [id]);
    expect(sandbox?.payload).toEqual(
      wake.wakeDebt({ ...debt, sandbox: true, clockOffsetMs: 86_400_000 }, 'paymentNoticed').payload,
    );
  });

  it('finds its charge without the account in the address, and with any account', async () => {
    const before = await inbox();
    expect(await notify(real.app, debtor.providerId)).toBe(200);
    expect(await notify(real.app, debtor.providerId, { account: randomUUID() })).toBe(200);
    expect(await notify(real.app, debtor.providerId, { account: 'nonsense' })).toBe(200);
    expect(await inbox()).toBe(before + 3);
  });

  it('is accepted with seconds and with milliseconds, with several v1, and with its id in either case', async () => {
    const before = await inbox();
    expect(await notify(real.app, debtor.providerId, { ts: String(Date.now()) })).toBe(200);
    const { path, body, headers } = notification(debtor.providerId);
    const several = headers['x-signature'].replace(',v1=', `,v1=${'0'.repeat(64)},v1=`);
    expect((await post(path, { ...headers, 'x-signature': several }, body)).status).toBe(200);
    expect(await inbox()).toBe(before + 2);

    const charge = await newCharge(real);
    await real.app.query(
      `update charges set provider_payment_id = 'PAY01Abc', provider_payment_key = 'pay01abc' where id = $1`,
      [charge.paymentId],
    );
    for (const signed of ['PAY01Abc', 'pay01abc']) {
      const requestId = randomUUID();
      const v1 = sign(`id:${signed};request-id:${requestId};ts:1742505638683;`);
      const answer = await post(
        '/api/payments/webhook?data.id=PAY01Abc&type=payment',
        { 'x-signature': `ts=1742505638683,v1=${v1}`, 'x-request-id': requestId },
        '{}',
      );
      expect(answer.status).toBe(200);
    }
    expect(await inbox(charge.paymentId)).toBe(2);
  });

  it('has the id of the query, and that of the body only where the query has none', async () => {
    const before = await inbox();
    const signed = () => {
      const requestId = randomUUID();
      const signature = `ts=1,v1=${sign(`id:${debtor.providerId};request-id:${requestId};ts:1;`)}`;
      return { 'x-signature': signature, 'x-request-id': requestId };
    };
    const own = JSON.stringify({ type: 'payment', data: { id: debtor.providerId } });
    expect((await post('/api/payments/webhook', signed(), own)).status).toBe(200);
    const other = JSON.stringify({ type: 'payment', data: { id: 'sbx_other' } });
    expect((await post(`/api/payments/webhook?data.id=${debtor.providerId}`, signed(), other)).status).toBe(200);
    expect((await post(`/api/payments/webhook?data.id=${debtor.providerId}`, signed(), '{"broken')).status).toBe(200);
    expect(await inbox()).toBe(before + 3);
  });

  it('changes nothing for an unknown payment, another type, or no id at all', async () => {
    const before = await inbox();
    expect(await notify(real.app, 'sbx_unknown')).toBe(200);
    expect(await notify(real.app, debtor.providerId, { type: 'topic_chargebacks_wh' })).toBe(200);
    const requestId = randomUUID();
    const headers = { 'x-signature': `ts=7,v1=${sign(`request-id:${requestId};ts:7;`)}`, 'x-request-id': requestId };
    expect((await post('/api/payments/webhook', headers, '{"type":"payment"}')).status).toBe(200);
    expect(await inbox()).toBe(before);
  });
  it('is stored together with concurrent ones of any client, and each debt is woken once', async () => {
    const others = [await newCharge(real), await newCharge(real), await newCharge(real)];
    const [stranger] = others;
    expect(new Set(others.map(({ client }) => client.id)).size).toBe(others.length);
    const told = others.flatMap((other, index) => [
      ...Array.from({ length: 10 + index }, () => notify(real.app, other.providerId)),
      notify(real.app, other.providerId, { account: stranger!.client.id }),
      notify(real.app, `sbx_unknown_${index}`),
    ]);
    expect(new Set(await Promise.all(told))).toEqual(new Set([200]));
    expect(await Promise.all(others.map(({ paymentId }) => inbox(paymentId)))).toEqual([11, 12, 13]);
    for (const { id, client } of others) {
      const rows = await real.app.query<{ payload: { clientId: string; debtId: string } }>(
        'select payload from outbox where workflow_id = $1 and delivered_at is null',
        [`collection-${id}`],
      );
      expect(rows.map(({ payload }) => [payload.clientId, payload.debtId])).toEqual([[client.id, id]]);
    }
  });
});

describe('a repeated notification', () => {
  const wanted = async (debtId: string): Promise<number> => {
    const rows = await real.app.query<{ requests: number }>('select requests from outbox where workflow_id = $1', [
      `collection-${debtId}`,
    ]);
    return rows.reduce((sum, { requests }) => sum + requests, 0);
  };
  const signedBy = (dataId: string, requestId: string, ts: string) => ({
    'x-signature': `ts=${ts},v1=${sign(`id:${dataId};request-id:${requestId};ts:${ts};`)}`,
    'x-request-id': requestId,
  });

  it('is answered 200 and writes nothing, whether sequential or concurrent, handled or not', async () => {
    const charge = await newCharge(real);
    const { path, headers, body } = notification(charge.providerId);
    const send = async () => (await post(path, headers, body)).status;
    expect(await Promise.all(Array.from({ length: 20 }, send))).toEqual(Array(20).fill(200));
    expect([await inbox(charge.paymentId), await wanted(charge.id)]).toEqual([1, 1]);
    await real.app.query('update payment_notifications set handled_at = now() where charge_id = $1', [
      charge.paymentId,
    ]);
    await real.app.query('update outbox set delivered_at = now() where workflow_id = $1', [`collection-${charge.id}`]);
    expect(await send()).toBe(200);
    expect(await send()).toBe(200);
    expect([await inbox(charge.paymentId), await wanted(charge.id)]).toEqual([1, 1]);
  });

  it('with another request id, another ts or another charge is a new one', async () => {
    const [charge, other] = [await newCharge(real), await newCharge(real)];
    const requestId = randomUUID();
    const send = (dataId: string, id: string, ts: string) =>
      post(`/api/payments/webhook?data.id=${dataId}&type=payment`, signedBy(dataId, id, ts), '{}');
    await send(charge.providerId, requestId, '1742505638683');
    await send(charge.providerId, requestId, '1742505638684');
    await send(charge.providerId, randomUUID(), '1742505638683');
    await send(other.providerId, requestId, '1742505638683');
    await send(other.providerId, requestId, '1742505638683');
    expect([await inbox(charge.paymentId), await inbox(other.paymentId)]).toEqual([3, 1]);
    expect([await wanted(charge.id), await wanted(other.id)]).toEqual([3, 1]);
  });

  it('cannot be recognised without a request id, and is stored each time', async () => {
    const charge = await newCharge(real);
    const headers = { 'x-signature': `ts=5,v1=${sign(`id:${charge.providerId};ts:5;`)}` };
    for (let time = 0; time < 2; time++) {
      expect((await post(`/api/payments/webhook?data.id=${charge.providerId}`, headers, '{}')).status).toBe(200);
    }
    expect(await inbox(charge.paymentId)).toBe(2);
  });

  it('is stored once when one batch contains it twice', async () => {
    const charge = await newCharge(real);
    const key = charge.providerId.toLowerCase();
    const values = [[key, key, key], ['r1', 'r2', 'r3'], ['same;1', 'same;1', 'same;2'], 300];
    const db = await openDatabase({ url: real.app.database.url, role: 'quita_app' });
    try {
      await db.pool.query('select note_notified_payments($1, $2, $3, $4)', values);
    } finally {
      await db.close();
    }
    expect(await inbox(charge.paymentId)).toBe(2);
  });
});

describe('a notification with an invalid signature', () => {
  const good = () => notification(debtor.providerId, { account: debtor.client.id });

  it.each<[string, (headers: Record<string, string>) => Record<string, string>]>([
    ['none', ({ 'x-signature': _, ...rest }) => rest],
    ['an empty one', (headers) => ({ ...headers, 'x-signature': '' })],
    ['no ts', (headers) => ({ ...headers, 'x-signature': String(headers['x-signature']).replace(/ts=\d+,/, '') })],
    ['no v1', (headers) => ({ ...headers, 'x-signature': 'ts=1' })],
    ['a cut v1', (headers) => ({ ...headers, 'x-signature': String(headers['x-signature']).slice(0, -2) })],
    [
      'another ts',
      (headers) => ({ ...headers, 'x-signature': String(headers['x-signature']).replace('ts=1', 'ts=2') }),
    ],
    ['another request id', (headers) => ({ ...headers, 'x-request-id': randomUUID() })],
    ['no request id', ({ 'x-request-id': _, ...rest }) => rest],
    ['nonsense', (headers) => ({ ...headers, 'x-signature': 'ts=a,v1=b' })],
  ])('is refused and stores nothing: %s', async (_, change) => {
    const before = await inbox();
    const { path, body, headers } = good();
    const answer = await post(path, change(headers), body);
    expect(answer.status).toBe(401);
    expect(answer.body.code).toBe('signature_invalid');
    expect(await inbox()).toBe(before);
  });

  it('is refused for another id, the id twice, another secret, and an empty body', async () => {
    const before = await inbox();
    const { path, body, headers } = good();
    expect((await post(path.replace(debtor.providerId, '1'), headers, body)).status).toBe(401);
    expect((await post(`${path}&data.id=1`, headers, body)).status).toBe(401);
    expect(await notify(real.app, debtor.providerId, { secret: 'somebody-elses' })).toBe(401);
    expect((await real.app.call('POST', '/api/payments/webhook')).status).toBe(401);
    expect(await inbox()).toBe(before);
  });
});
