import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { type DebtorPage, shortPageUrl } from '../../src/modules/debts/use-cases/page-code.ts';
import { opened } from '../../testing/opened.ts';
import { type Debtor, newDebt, notify, readPayment, startPaymentsApp, timelineOf } from './support.ts';

const app = await opened(startPaymentsApp({ roles: ['api'] }));

/** Sends the request without following a redirect. */
async function press(debtId: string, button: string, headers: Record<string, string> = { origin: app.url }) {
  const address = `${app.url}/checkout/${debtId}/${button}`;
  const response = await fetch(address, { method: 'POST', headers, redirect: 'manual' });
  return { status: response.status, location: response.headers.get('location'), text: await response.text() };
}

const received = async (debtor: Debtor) => (await timelineOf(debtor)).filter(({ kind }) => kind === 'message_received');

describe('the page of a bill', () => {
  const dayFromNow = (days: number) =>
    new Date(Date.now() - 3 * 3_600_000 + days * 86_400_000).toISOString().slice(0, 10);
  const pageWith = async (dueDate: string): Promise<string> => {
    const debtor = await newDebt(app);
    await app.query('update debts set due_date = $2 where id = $1', [debtor.id, dueDate]);
    return (await fetch(`${app.url}/checkout/${debtor.id}`)).text();
  };

  it('says when it falls due until the day has passed where the debtor is', async () => {
    for (const [days, shown] of [
      [5, true],
      [0, true],
      [-1, false],
    ] as const) {
      const page = await pageWith(dayFromNow(days));
      const [year, month, day] = dayFromNow(days).split('-');
      expect([days, page.includes(`Vence em ${day}/${month}/${year}`)]).toEqual([days, shown]);
      expect(page).toContain(`${day}/${month}/${year}`);
    }
  });
});

describe('GET /api/checkout/:debtId/status', () => {
  it('returns only the status, and forbids caching', async () => {
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

  it('returns the status of its own debt to each of many concurrent requests', async () => {
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

describe('the short link of a page', () => {
  const follow = (path: string) => fetch(`${app.url}${path}`, { redirect: 'manual' });
  const pathOf = (page: DebtorPage) => shortPageUrl('', page);

  it('leads to the page of the debt, and is neither stored nor listed nor passed on', async () => {
    const debtor = await newDebt(app);
    const answer = await follow(pathOf({ kind: 'debt', id: debtor.id }));
    expect(answer.status).toBe(302);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      location: `/checkout/${debtor.id}`,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
    });
    const page = await fetch(`${app.url}${pathOf({ kind: 'debt', id: debtor.id })}`);
    expect(page.status).toBe(200);
    expect(page.url).toBe(`${app.url}/checkout/${debtor.id}`);
  });

  it('leads to the page of a person', async () => {
    const id = randomUUID();
    const answer = await follow(pathOf({ kind: 'person', id }));
    expect([answer.status, answer.headers.get('location')]).toEqual([302, `/pay/${id}`]);
  });

  it.each([
    'nonsense',
    'd',
    `x${'A'.repeat(22)}`,
    `d${'A'.repeat(21)}B`,
    'd..%2F..%2Fapi%2Fpolicy%2Faa',
    'A'.repeat(5_000),
  ])('is the page of an unknown debt for the code %s', async (code) => {
    const answers = [await follow(`/p/${code}`), await follow(`/checkout/${randomUUID()}`)];
    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
    const bodies = await Promise.all(answers.map((answer) => answer.json() as Promise<object>));
    const [malformed, unknown] = bodies.map((body) => ({ ...body, requestId: undefined }));
    expect(malformed).toEqual(unknown);
  });

  it('counts against the rate of the public pages', async () => {
    const small = await startPaymentsApp({ roles: ['api'], env: { PUBLIC_RATE_PER_MINUTE: '2' } });
    try {
      const paths = [`/p/nonsense`, pathOf({ kind: 'person', id: randomUUID() }), `/checkout/${randomUUID()}`];
      const statuses = [];
      for (const path of paths) statuses.push((await fetch(`${small.url}${path}`, { redirect: 'manual' })).status);
      expect(statuses).toEqual([404, 302, 429]);
    } finally {
      await small.close();
    }
  });
});

describe('the buttons of the debtor’s page', () => {
  it('store a message of the debtor once a day, and redirect to the page', async () => {
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

  it('are accepted from our own page, whose form sends only that it is of the same origin', async () => {
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

  it('pay sandbox debts only', async () => {
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
  it('shows nothing of the debt after a wrong person, and creates no charge', async () => {
    const debtor = await newDebt(app, { debtorName: 'Maria Aparecida' });
    await app.query(`update debts set wrong_person_at = now(), status = 'STOPPED' where id = $1`, [debtor.id]);
    const { status, body } = await app.get<string>(`/checkout/${debtor.id}`);
    expect(status).toBe(200);
    for (const hidden of ['Escola Aurora', 'M***', '150,75', debtor.id]) expect(body).not.toContain(hidden);
    expect((await readPayment(debtor)).paymentId).toBeNull();
  });

  it('states for a withdrawn debt that nothing is to be paid', async () => {
    const debtor = await newDebt(app);
    await app.query(`update debts set status = 'STOPPED' where id = $1`, [debtor.id]);
    const { body } = await app.get<string>(`/checkout/${debtor.id}`);
    expect(body).toContain('encerrou esta cobrança');
    expect(body).not.toContain('<form');
    expect((await readPayment(debtor)).status).toBe('CANCELLED');
  });

  it('escapes the names of clients', async () => {
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
  ])('of %s confirms the action to one of several concurrent views', async (button, said) => {
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

  it('does not confirm an action that was recorded before in the same state of the debt', async () => {
    const debtor = await newDebt(app);
    await press(debtor.id, 'dispute');
    await app.query(`update messages set created_at = created_at - interval '2 days' where debt_id = $1`, [debtor.id]);
    const { location } = await press(debtor.id, 'dispute');
    expect(await noticeAt(location!)).toContain('já tinha sido recebido.');
    expect(await received(debtor)).toHaveLength(1);
  });

  it('is taken again when the debt has changed or was contacted since', async () => {
    const debtor = await newDebt(app);
    await press(debtor.id, 'said-paid');
    await app.query(`update debts set step = step + 1 where id = $1`, [debtor.id]);
    await press(debtor.id, 'said-paid');
    await app.query(
      `insert into debt_events (client_id, debt_id, at, kind, data)
       select client_id, id, now(), 'status_changed', '{"from": "DISPUTED", "to": "IN_COLLECTION"}' from debts where id = $1`,
      [debtor.id],
    );
    await press(debtor.id, 'said-paid');
    expect(await received(debtor)).toHaveLength(3);
  });

  it('is absent where nothing was paid', async () => {
    const debtor = await newDebt(app);
    await app.query(`update debts set status = 'PAID' where id = $1`, [debtor.id]);
    expect(await press(debtor.id, 'pay')).toMatchObject({ status: 303, location: `/checkout/${debtor.id}` });
  });

  it('is not stored when the button is refused', async () => {
    const debtor = await newDebt(app);
    await press(debtor.id, 'dispute', { origin: 'https://evil.example' });
    expect(await app.query('select from checkout_notices where debt_id = $1', [debtor.id])).toEqual([]);
  });
});
