import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CampaignsApp } from '../campaigns/support.ts';
import { type Debtor, newDebt, notify, readPayment, startPaymentsApp, timelineOf } from './support.ts';

let app: CampaignsApp;

beforeAll(async () => {
  app = await startPaymentsApp({ roles: ['api'] });
});

afterAll(async () => {
  await app?.close();
});

/** Without following where it leads. */
async function press(debtId: string, button: string, headers: Record<string, string> = { origin: app.url }) {
  const address = `${app.url}/checkout/${debtId}/${button}`;
  const response = await fetch(address, { method: 'POST', headers, redirect: 'manual' });
  return { status: response.status, location: response.headers.get('location'), text: await response.text() };
}

const received = async (debtor: Debtor) => (await timelineOf(debtor)).filter(({ kind }) => kind === 'message_received');

describe('GET /api/checkout/:debtId/status', () => {
  it('tells the status and nothing else, and is kept by no cache', async () => {
    const debtor = await newDebt(app);
    const answer = await app.get(`/api/checkout/${debtor.id}/status`);
    expect(answer.body).toEqual({ status: 'PENDING' });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const upper = await app.get(`/api/checkout/${debtor.id.toUpperCase()}/status`);
    expect(upper.body).toEqual({ status: 'PENDING' });
  });

  it.each([randomUUID(), 'nonsense', '1'])('is 404 for an id that does not exist: %s', async (id) => {
    for (const path of [`/api/checkout/${id}/status`, `/checkout/${id}`]) {
      const answer = await app.get<{ code: string }>(path);
      expect(answer.status).toBe(404);
      expect(answer.body.code).toBe('not_found');
    }
    expect((await press(id, 'dispute')).status).toBe(404);
  });

  it('tells each of many that ask at once the status of its own debt', async () => {
    const [open, paid, stopped] = [await newDebt(app), await newDebt(app), await newDebt(app)];
    await app.query(`update debts set status = 'PAID' where id = $1`, [paid.id]);
    await app.query(`update debts set status = 'STOPPED' where id = $1`, [stopped.id]);
    const asked = Array.from({ length: 40 }, () => [open.id, paid.id, randomUUID(), stopped.id]).flat();
    const answers = await Promise.all(
      asked.map((id) => app.get<{ status: string; code?: string }>(`/api/checkout/${id}/status`)),
    );
    const expected = Array.from({ length: 40 }, () => ['PENDING', 'APPROVED', 'not_found', 'CANCELLED']).flat();
    expect(answers.map(({ body }) => body.code ?? body.status)).toEqual(expected);
  });

  it('is limited for each address', async () => {
    const small = await startPaymentsApp({ roles: ['api'], env: { PUBLIC_RATE_PER_MINUTE: '2' } });
    try {
      const path = `/api/checkout/${randomUUID()}/status`;
      const statuses = [];
      for (let time = 0; time < 3; time++) statuses.push((await small.get(path)).status);
      expect(statuses).toEqual([404, 404, 429]);
      const unsigned = await small.post('/api/payments/webhook', {});
      expect(unsigned.status).toBe(401);
      expect(await notify(small, 'sbx_unknown')).toBe(200);
    } finally {
      await small.close();
    }
  });
});

describe('the buttons of the debtor’s page', () => {
  it('are a message of the debtor, once a day, and lead back to the page', async () => {
    const debtor = await newDebt(app);
    for (let time = 0; time < 2; time++) {
      expect(await press(debtor.id, 'said-paid')).toMatchObject({
        status: 303,
        location: expect.stringMatching(new RegExp(`^/checkout/${debtor.id}\\?aviso=[0-9a-f-]{36}$`)),
      });
    }
    expect(await received(debtor)).toMatchObject([{ channel: 'page', text: 'Já paguei.' }]);
    const [row] = await app.query<{ signal: string }>('select signal from outbox where workflow_id = $1', [
      `collection-${debtor.id}`,
    ]);
    expect(row?.signal).toBe('messageReceived');
  });

  it.each<[string, Record<string, string>]>([
    ['another site', { origin: 'https://evil.example' }],
    ['no origin', {}],
    ['a frame without an origin', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
    ['nonsense', { origin: 'nonsense' }],
  ])('are refused from %s', async (_, headers) => {
    const debtor = await newDebt(app);
    const answer = await press(debtor.id, 'opt-out', headers);
    expect(answer.status).toBe(403);
    expect(JSON.parse(answer.text)).toMatchObject({ code: 'origin_refused' });
    expect(await received(debtor)).toEqual([]);
  });

  it('are taken from our own page, whose form says no more than that it is ours', async () => {
    const debtor = await newDebt(app);
    const answer = await press(debtor.id, 'dispute', { origin: 'null', 'sec-fetch-site': 'same-origin' });
    expect(answer.status).toBe(303);
  });

  it('are limited for each debt', async () => {
    const debtor = await newDebt(app);
    const statuses = [];
    for (let time = 0; time < 11; time++) statuses.push((await press(debtor.id, 'dispute')).status);
    expect(statuses.slice(0, 10)).toEqual(Array(10).fill(303));
    expect(statuses[10]).toBe(429);
    expect((await press((await newDebt(app)).id, 'dispute')).status).toBe(303);
  });

  it('pay a sandbox debt, and no other', async () => {
    const debtor = await newDebt(app);
    expect((await press(debtor.id, 'pay')).status).toBe(303);
    const [row] = await app.query<{ status: string }>(
      `select s.status from sandbox_charges s join charges c on c.provider_payment_id = s.id where c.debt_id = $1`,
      [debtor.id],
    );
    expect(row?.status).toBe('approved');
  });
});

describe('the debtor’s page', () => {
  it('shows nothing of the debt after a wrong person, and makes no charge', async () => {
    const debtor = await newDebt(app, { debtorName: 'Maria Aparecida' });
    await app.query(`update debts set wrong_person_at = now(), status = 'STOPPED' where id = $1`, [debtor.id]);
    const { status, body } = await app.get<string>(`/checkout/${debtor.id}`);
    expect(status).toBe(200);
    for (const hidden of ['Escola Aurora', 'M***', '150,75', debtor.id]) expect(body).not.toContain(hidden);
    expect((await readPayment(debtor)).paymentId).toBeNull();
  });

  it('tells of a debt that was given up that nothing is to be paid', async () => {
    const debtor = await newDebt(app);
    await app.query(`update debts set status = 'STOPPED' where id = $1`, [debtor.id]);
    const { body } = await app.get<string>(`/checkout/${debtor.id}`);
    expect(body).toContain('encerrou esta cobrança');
    expect(body).not.toContain('<form');
    expect((await readPayment(debtor)).status).toBe('CANCELLED');
  });

  it('writes what clients called themselves as text', async () => {
    const debtor = await newDebt(app, { invoiceId: '<script>alert(1)</script>' });
    const { body } = await app.get<string>(`/checkout/${debtor.id}?aviso=<b>x</b>`);
    expect(body).toContain('&lt;script&gt;');
    expect(body).not.toContain('<script>alert');
    expect(body).not.toContain('<b>x');
  });
});

describe('the notice after a button', () => {
  const noticeAt = async (address: string): Promise<string | undefined> => {
    const { status, body } = await app.get<string>(address);
    expect(status).toBe(200);
    return /<p class="notice" role="status">([^<]*)<\/p>/.exec(body)?.[1];
  };

  it.each([
    ['said-paid', 'Obrigado por avisar'],
    ['dispute', 'Registramos que você não reconhece'],
    ['opt-out', 'Pedido registrado'],
    ['pay', 'Pagamento de teste enviado'],
  ])('of %s tells what was done, once, however many look at once', async (button, said) => {
    const debtor = await newDebt(app);
    const { location } = await press(debtor.id, button);
    const seen = await Promise.all(Array.from({ length: 6 }, () => noticeAt(location!)));
    expect(seen.filter((notice) => notice !== undefined)).toEqual([expect.stringContaining(said)]);
    expect(await noticeAt(location!)).toBeUndefined();
  });

  it.each(['dispute', 'opt-out', 'said-paid', 'pay', 'repeated', 'constructor', randomUUID(), "' or true --"])(
    'is not shown for what nobody pressed: %s',
    async (aviso) => {
      const debtor = await newDebt(app);
      expect(await noticeAt(`/checkout/${debtor.id}?aviso=${encodeURIComponent(aviso)}`)).toBeUndefined();
    },
  );

  it('is not shown on the page of another debt, of the same client or another, and not after ten minutes', async () => {
    const debtor = await newDebt(app);
    const [sibling, stranger] = [await newDebt(app, {}, debtor.client), await newDebt(app)];
    const { location } = await press(debtor.id, 'dispute');
    for (const other of [sibling, stranger]) {
      expect(await noticeAt(location!.replace(debtor.id, other.id))).toBeUndefined();
    }
    expect(await noticeAt(location!)).toContain('não reconhece');
    const late = (await press(debtor.id, 'opt-out')).location!;
    await app.query(`update checkout_notices set created_at = created_at - interval '10 minutes' where debt_id = $1`, [
      debtor.id,
    ]);
    expect(await noticeAt(late)).toBeUndefined();
  });

  it('does not claim again what was recorded on the same day already', async () => {
    const debtor = await newDebt(app);
    await press(debtor.id, 'dispute');
    const { location } = await press(debtor.id, 'dispute');
    expect(await noticeAt(location!)).toContain('já tinha sido recebido hoje');
    expect(await received(debtor)).toHaveLength(1);
  });

  it('is none where nothing was paid', async () => {
    const debtor = await newDebt(app);
    await app.query(`update debts set status = 'PAID' where id = $1`, [debtor.id]);
    expect(await press(debtor.id, 'pay')).toMatchObject({ status: 303, location: `/checkout/${debtor.id}` });
  });

  it('is not stored when the press is refused', async () => {
    const debtor = await newDebt(app);
    await press(debtor.id, 'dispute', { origin: 'https://evil.example' });
    expect(await app.query('select from checkout_notices where debt_id = $1', [debtor.id])).toEqual([]);
  });
});
