import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { makeProtocol } from '../../src/kernel/protocol.ts';
import { RULE_TEXTS } from '../../src/modules/policy/texts/contact-rules.ts';
import { RIGHTS_TEXTS } from '../../src/modules/rights/texts/rights-page.ts';
import { newAgreement } from '../../testing/agreements-harness.ts';
import { startApp } from '../../testing/app.ts';
import { startCampaignsApp, type TestClient } from '../../testing/campaigns-app.ts';
import { cpfOf, debtInput } from '../../testing/debts.ts';
import { opened } from '../../testing/opened.ts';
import { readPdf } from '../../testing/read-pdf.ts';
import { addMember } from '../http/accounts/accounts.ts';

const app = await opened(startCampaignsApp({ env: { TRUST_PROXY: '1' } }));
const [client, stranger] = [await app.newClient(), await app.newClient()];
const CPF = (n: number) => cpfOf(310_000_000 + n);

interface Debtor {
  readonly ids: readonly string[];
  readonly cpf: string;
  readonly path: string;
}

/** A person with debts in a draft, whose page is the same for all of them. */
async function newDebtor(
  n: number,
  {
    count = 1,
    of = client,
    ...given
  }: { count?: number; of?: TestClient; debtorEmail?: string; debtorEmails?: string[]; debtorPhones?: string[] } = {},
) {
  const campaignId = await of.createCampaign();
  const cpf = CPF(n);
  const debts = Array.from({ length: count }, (_, at) =>
    debtInput(n * 100 + at, { debtorCpf: cpf, debtorName: 'Ana Clara Souza', debtorPhone: '+5511980011000', ...given }),
  );
  await of.importJson(campaignId, debts);
  const ids: string[] = (await of.call('GET', `/api/campaigns/${campaignId}/debts`)).body.items.map(
    ({ id }: { id: string }) => id,
  );
  const { body } = await of.call('GET', `/api/debts/${ids[0]}`);
  return { ids, cpf, path: new URL(body.rightsUrl).pathname } satisfies Debtor;
}

const ipOf = (n: number) => `203.0.113.${n}`;

/** Reads the whole answer, so that no connection stays open. */
async function ask(path: string, init: RequestInit): Promise<Response> {
  const answer = await fetch(`${app.url}${path}`, { redirect: 'manual', ...init });
  return new Response(await answer.arrayBuffer(), { status: answer.status, headers: answer.headers });
}

const post = (path: string, body: URLSearchParams | FormData, headers: Readonly<Record<string, string>> = {}) =>
  ask(path, { method: 'POST', body, headers: { origin: app.url, ...headers } });
const form = (fields: Readonly<Record<string, string>>) => new URLSearchParams(fields);
const get = (path: string) => ask(path, {});

/** Opens the page and returns the proof. */
async function open({ path, cpf }: Pick<Debtor, 'path' | 'cpf'>): Promise<string> {
  const answer = await post(`${path}/abrir`, form({ digitos: cpf.slice(-4) }));
  expect(answer.status).toBe(303);
  const address = new URL(answer.headers.get('location') ?? '', app.url);
  expect(address.pathname).toBe(path);
  return address.searchParams.get('v') ?? '';
}

const shown = async (path: string, proof: string) => (await get(`${path}?v=${proof}`)).text();
const wrongOf = (cpf: string) => (cpf.endsWith('0000') ? '1111' : '0000');
const requests = async (query = '', of = client) => (await of.call('GET', `/api/rights-requests${query}`)).body.items;

describe('the address of the page of rights', () => {
  it('is one for a person with a client, and unlike that with another', async () => {
    const one = await newDebtor(1, { count: 2 });
    const { body } = await client.call('GET', `/api/debts/${one.ids[1]}`);
    expect(new URL(body.rightsUrl).pathname).toBe(one.path);
    const other = await newDebtor(1, { of: stranger });
    expect(other.path).not.toBe(one.path);
    expect(one.path).toMatch(/^\/direitos\/[0-9a-f-]{36}$/);
  });

  it('shows the creditor alone before the digits, and leaks nothing by the browser', async () => {
    const { path, cpf } = await newDebtor(2);
    const answer = await get(path);
    const text = await answer.text();
    expect(text).toContain('Escola Aurora');
    expect(text).toContain('Isto não é meu');
    expect(text).not.toMatch(/Ana|Souza|R\$|NF-|1198001/);
    // The random address itself may have these digits.
    expect(text.replaceAll(path, '')).not.toContain(cpf.slice(-4));
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
      'x-frame-options': 'DENY',
    });
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(text).not.toContain('<script');
  });

  it('is told to no other site and stored nowhere, whatever is answered', async () => {
    const { path, cpf } = await newDebtor(16);
    const proof = await open({ path, cpf });
    const answers = [
      await get(path),
      await get(`${path}?v=${proof}`),
      await get(`${path}?v=${proof}&format=json`),
      await get(`${path}?v=${proof}&format=pdf`),
      await post(`${path}/abrir`, form({ digitos: cpf.slice(-4) })),
      await post(`${path}/correcao`, form({ v: proof, texto: 'x' })),
      await get(`/direitos/${randomUUID()}`),
    ];
    for (let n = 0; n < 6; n += 1) answers.push(await post(`${path}/abrir`, form({ digitos: wrongOf(cpf) })));
    expect(answers.map(({ status }) => status)).toEqual([
      200, 200, 200, 200, 303, 303, 404, 422, 422, 422, 422, 422, 429,
    ]);
    for (const { headers, status } of answers) {
      const found = ['cache-control', 'referrer-policy'].map((name) => headers.get(name));
      expect([status, ...found]).toEqual([status, 'no-store', 'no-referrer']);
    }
  });

  it.each([`/direitos/${randomUUID()}`, '/direitos/nada', `/direitos/${'x'.repeat(90)}`])(
    'does not exist as %s',
    async (path) => {
      expect((await get(path)).status).toBe(404);
      expect((await post(`${path}/abrir`, form({ digitos: '1234' }))).status).toBe(404);
      expect((await post(`${path}/nao-e-meu`, form({}))).status).toBe(404);
    },
  );
});

describe('the digits', () => {
  it('open the page for half an hour, and no other page', async () => {
    const debtor = await newDebtor(3);
    const other = await newDebtor(4);
    const proof = await open(debtor);
    const text = await shown(debtor.path, proof);
    expect(text).toContain('Ana Clara Souza');
    expect(text).not.toContain(debtor.cpf);
    expect(text).not.toContain('980011000');
    for (const bad of ['', 'x', `${proof}x`, proof.replace(/^./, 'z')]) {
      expect(await shown(debtor.path, bad)).not.toContain('Ana');
    }
    expect(await shown(other.path, proof)).not.toContain('Ana');
  });

  it('are tried five times a day, from whatever address they come', async () => {
    const debtor = await newDebtor(5);
    for (let n = 1; n <= 5; n += 1) {
      const answer = await post(`${debtor.path}/abrir`, form({ digitos: wrongOf(debtor.cpf) }), {
        'x-forwarded-for': ipOf(n),
      });
      expect(answer.status).toBe(422);
    }
    const right = await post(`${debtor.path}/abrir`, form({ digitos: debtor.cpf.slice(-4) }), {
      'x-forwarded-for': ipOf(99),
    });
    expect([right.status, right.headers.get('location')]).toEqual([429, null]);
    expect(await right.text()).toContain('amanhã');
  });

  it('are counted before they are compared, so that many at once are no more than five', async () => {
    const debtor = await newDebtor(17);
    const tries = Array.from({ length: 16 }, (_, n) =>
      post(`${debtor.path}/abrir`, form({ digitos: wrongOf(debtor.cpf) }), { 'x-forwarded-for': ipOf(n) }),
    );
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 422)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(11);
  });

  it('count only when they are wrong', async () => {
    const debtor = await newDebtor(6);
    for (let n = 0; n < 7; n += 1) await open(debtor);
  });
});

describe('the forms', () => {
  it('refuse other origins, and need a proof', async () => {
    const debtor = await newDebtor(7);
    const proof = await open(debtor);
    const actions = ['abrir', 'nao-e-meu', 'correcao', 'revisao', 'silencio', 'preferencia'];
    for (const action of actions) {
      const answer = await post(`${debtor.path}/${action}`, form({ v: proof, texto: 'x' }), {
        origin: 'https://example.com',
      });
      expect([action, answer.status]).toEqual([action, 403]);
    }
    const file = new FormData();
    file.set('texto', 'x');
    const foreign = await post(`${debtor.path}/contestacao`, file, { origin: 'https://example.com' });
    expect(foreign.status).toBe(403);
    for (const action of ['correcao', 'revisao', 'silencio', 'preferencia']) {
      const answer = await post(`${debtor.path}/${action}`, form({ texto: 'x', de: '09:00', ate: '12:00', dia: '1' }));
      expect([action, answer.headers.get('location')]).toEqual([action, `${debtor.path}?v=fim`]);
    }
    expect(await requests(`?debtId=${debtor.ids[0]}`)).toEqual([]);
  });

  it('are limited for each person', async () => {
    const debtor = await newDebtor(8);
    const proof = await open(debtor);
    const press = (n: number) =>
      post(`${debtor.path}/correcao`, form({ v: proof, texto: `Pedido ${n}` }), { 'x-forwarded-for': ipOf(n) });
    const answers: number[] = [];
    for (let n = 0; n < 40; n += 1) answers.push((await press(n)).status);
    expect(answers).toContain(429);
    expect((await requests(`?debtId=${debtor.ids[0]}&limit=100`)).length).toBeLessThanOrEqual(30);
  });

  it('and their files are counted for each person over all processes', async () => {
    // Another process of the deployment has counted nothing of it in its own memory.
    const other = await startApp({ env: { TRUST_PROXY: '1' }, database: app.database });
    try {
      const [asking, sending] = [await newDebtor(64), await newDebtor(65)];
      const takes = async (
        debtor: Debtor,
        action: string,
        count: number,
        make: (n: number) => URLSearchParams | FormData,
      ) => {
        const statuses: number[] = [];
        for (let n = 0; n < count; n += 1) {
          const { url } = n % 2 === 0 ? app : other;
          const headers = { origin: url, 'x-forwarded-for': ipOf(n) };
          const answer = await fetch(`${url}${debtor.path}/${action}`, {
            method: 'POST',
            redirect: 'manual',
            headers,
            body: make(n),
          });
          await answer.arrayBuffer();
          statuses.push(answer.status);
        }
        return statuses;
      };
      const proof = await open(asking);
      const asked = await takes(asking, 'correcao', 32, (n) => form({ v: proof, texto: `Pedido ${n}` }));
      expect(asked).toEqual([...Array(30).fill(303), 429, 429]);
      const proofOfFiles = await open(sending);
      const sent = await takes(sending, 'contestacao', 7, (n) => {
        const body = new FormData();
        body.set('v', proofOfFiles);
        body.set('texto', `Pago ${n}`);
        body.set('arquivo', new Blob(['%PDF-1.7 x']), 'recibo.pdf');
        return body;
      });
      expect(sent).toEqual([...Array(5).fill(303), 429, 429]);
    } finally {
      await other.close();
    }
  });
});

describe('a request', () => {
  it('waits in the inbox with its 15 days, and its answer stands on the page', async () => {
    const debtor = await newDebtor(9);
    const [debtId] = debtor.ids;
    const proof = await open(debtor);
    const sent = await post(`${debtor.path}/correcao`, form({ v: proof, texto: 'O meu nome é Ana Clara Lima.' }));
    const [request] = await requests(`?debtId=${debtId}`);
    const days = (Date.parse(request.dueAt) - Date.parse(request.createdAt)) / 86_400_000;
    expect([request.kind, days, request.protocol.slice(0, 3)]).toEqual(['correction', 15, 'PD-']);
    expect((await get(sent.headers.get('location') ?? '')).status).toBe(200);
    expect(await shown(debtor.path, proof)).toContain(request.protocol);
    const item = (await client.call('GET', '/api/inbox?reason=rights&limit=100')).body.items.find(
      ({ debt }: { debt: { id: string } }) => debt.id === debtId,
    );
    expect(item).toMatchObject({ reason: 'rights', dueAt: request.dueAt });

    const answer = { text: 'Corrigimos o telefone.', outcome: 'granted', changes: { debtorPhone: '+5521980011777' } };
    const answered = await client.call('POST', `/api/rights-requests/${request.id}/answer`, answer);
    expect(answered).toMatchObject({ status: 200, body: { outcome: 'granted', changed: ['debtorPhone'] } });
    expect((await client.call('GET', `/api/debts/${debtId}`)).body.debtorPhone).toBe('+5521980011777');
    const page = await shown(debtor.path, proof);
    expect(page).toContain('Corrigimos o telefone.');
    expect(page).toContain('O que mudou: telefone');
    const left = (await client.call('GET', '/api/inbox?reason=rights&limit=100')).body.items;
    expect(left.map(({ debt }: { debt: { id: string } }) => debt.id)).not.toContain(debtId);
    const again = await client.call('POST', `/api/rights-requests/${request.id}/answer`, { ...answer, changes: null });
    expect(again).toMatchObject({ status: 409, body: { code: 'debt_state' } });
  });

  it('is no business of another client, and changing data takes the right to manage', async () => {
    const debtor = await newDebtor(10);
    const proof = await open(debtor);
    await post(`${debtor.path}/revisao`, form({ v: proof, texto: '' }));
    const [{ id }] = await requests(`?debtId=${debtor.ids[0]}`);
    const body = { text: 'Não.', outcome: 'refused' };
    expect(await requests('', stranger)).toEqual([]);
    expect(await requests(`?debtId=${debtor.ids[0]}`, stranger)).toEqual([]);
    const clerk = await addMember(app, stranger.id, 'agent', stranger.password);
    for (const bearer of [stranger.token, clerk.token]) {
      const asked = await app.call('GET', `/api/rights-requests/${id}/file`, { bearer });
      expect(asked.status).toBe(404);
    }
    expect((await stranger.call('POST', `/api/rights-requests/${id}/answer`, body)).status).toBe(404);
    expect((await stranger.call('GET', `/api/rights-requests/${id}/file`)).status).toBe(404);
    const { token } = await addMember(app, client.id, 'agent', client.password);
    const path = `/api/rights-requests/${id}/answer`;
    const changes = { debtorPhone: '+5521980011778' };
    const tried = await app.call<{ code: string }>('POST', path, { bearer: token, body: { ...body, changes } });
    expect([tried.status, tried.body.code]).toEqual([403, 'role_insufficient']);
    expect((await app.call('POST', path, { bearer: token, body })).status).toBe(200);
    expect(await shown(debtor.path, proof)).toContain('não aceitou');
  });

  it('keeps the first of several terms until all are answered', async () => {
    const debtor = await newDebtor(11);
    const proof = await open(debtor);
    for (const texto of ['um', 'dois']) await post(`${debtor.path}/correcao`, form({ v: proof, texto }));
    const [second, first] = await requests(`?debtId=${debtor.ids[0]}`);
    const itemOf = async () =>
      (await client.call('GET', '/api/inbox?reason=rights&limit=100')).body.items.find(
        ({ debt }: { debt: { id: string } }) => debt.id === debtor.ids[0],
      );
    expect((await itemOf()).dueAt).toBe(first.dueAt);
    const body = { text: 'Feito.', outcome: 'granted' };
    await client.call('POST', `/api/rights-requests/${first.id}/answer`, body);
    expect((await itemOf()).dueAt).toBe(second.dueAt);
    await client.call('POST', `/api/rights-requests/${second.id}/answer`, body);
    expect(await itemOf()).toBeUndefined();
  });
});

describe('a file', () => {
  const PNG = Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), Buffer.alloc(100)]);
  const send = (path: string, proof: string, content: Uint8Array<ArrayBuffer>, name: string, type: string) => {
    const body = new FormData();
    body.set('v', proof);
    body.set('texto', 'Eu já paguei esta conta.');
    body.set('arquivo', new Blob([content], { type }), name);
    return post(`${path}/contestacao`, body);
  };

  it('is known by its content, and downloaded only', async () => {
    const debtor = await newDebtor(12);
    const proof = await open(debtor);
    const html = Buffer.from('<html><script>alert(1)</script></html>');
    const refused = await send(debtor.path, proof, html, 'recibo.pdf', 'application/pdf');
    expect(refused.headers.get('location')).toContain('erro=file_kind');
    expect(await shown(debtor.path, `${proof}&erro=file_kind`)).toContain('precisa ser um PDF');
    const large = await send(
      debtor.path,
      proof,
      Buffer.concat([PNG, Buffer.alloc(5 * 1024 * 1024)]),
      'a.png',
      'image/png',
    );
    expect(large.headers.get('location')).toContain('erro=file_size');
    expect(await requests(`?debtId=${debtor.ids[0]}`)).toEqual([]);

    await send(debtor.path, proof, PNG, 'pagina.html', 'text/html');
    const [request] = await requests(`?debtId=${debtor.ids[0]}`);
    expect(request).toMatchObject({ kind: 'dispute', file: { contentType: 'image/png', bytes: PNG.length } });
    const file = `/api/rights-requests/${request.id}/file`;
    const answer = await ask(file, { headers: { authorization: `Bearer ${client.token}` } });
    expect(Buffer.from(await answer.arrayBuffer()).equals(PNG)).toBe(true);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="pedido-[0-9a-f]{8}\.png"$/);
    const clerk = await addMember(app, stranger.id, 'agent', stranger.password);
    for (const bearer of [stranger.token, clerk.token]) {
      const call = async (method: string, path: string, body?: object) =>
        (await app.call(method, path, { bearer, ...(body === undefined ? {} : { body }) })).status;
      expect(await call('GET', file)).toBe(404);
      const given = { text: 'x', outcome: 'granted' };
      expect(await call('POST', `/api/rights-requests/${request.id}/answer`, given)).toBe(404);
      const { body } = await app.call<{ items: unknown[] }>('GET', '/api/rights-requests', { bearer });
      expect(body.items).toEqual([]);
    }
    expect((await requests(`?debtId=${debtor.ids[0]}`))[0].answeredAt).toBeNull();
    expect((await get(file)).status).toBe(401);
  });
});

describe('a copy of everything', () => {
  it('comes as JSON and as PDF, after the digits only', async () => {
    const debtor = await newDebtor(13, { debtorEmail: 'ana.clara@example.com' });
    const proof = await open(debtor);
    for (const closed of ['?format=json', '?format=json&v=fim', '?format=pdf&v=0000000.x']) {
      const answer = await get(`${debtor.path}${closed}`);
      expect(answer.headers.get('content-type')).toContain('text/html');
      expect(await answer.text()).not.toContain('Ana');
    }
    const json = await get(`${debtor.path}?v=${proof}&format=json`);
    expect(json.headers.get('content-disposition')).toBe('attachment; filename="meus-dados.json"');
    const copy = await json.json();
    expect(copy).toMatchObject({
      creditor: { name: 'Escola Aurora' },
      person: { name: 'Ana Clara Souza', phones: ['+5511980011000'], emails: ['ana.clara@example.com'] },
      debts: [{ id: debtor.ids[0], invoiceId: 'NF-1300', originalAmount: 150.75 }],
    });
    expect(JSON.stringify(copy)).not.toContain(debtor.cpf);
    const pdf = await get(`${debtor.path}?v=${proof}&format=pdf`);
    expect(pdf.headers.get('content-type')).toBe('application/pdf');
    expect(
      Buffer.from(await pdf.arrayBuffer())
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-');
  });
});

/** A debt of which everything is held that can be: score, contact, agreement, payments with a receipt, listings. */
async function fullDebtor(n: number) {
  const debtor = await newDebtor(n);
  const [debtId = ''] = debtor.ids;
  const [{ sandbox } = { sandbox: true }] = await app.query<{ sandbox: boolean }>(
    `update debts set score = 64, scored_at = now(), score_reasons = '[{"text": "Venceu há pouco", "points": 14}]'
     where id = $1 returning sandbox`,
    [debtId],
  );
  const agreement = await newAgreement(app.query, client.id, {
    debtorTaxId: debtor.cpf,
    sandbox,
    status: 'BROKEN',
    endedAt: '2026-11-20T12:00:00Z',
  });
  const protocol = makeProtocol('QT', 2026, randomBytes(10));
  await app.query(
    `with told as (
       insert into messages (client_id, debt_id, direction, channel, purpose, text, delivery, at)
       values ($1, $2, 'out', 'whatsapp', 'collection', 'Olá, Ana: a conta venceu.', 'read', now()) returning id
     ), ruled as (
       insert into debt_events (client_id, debt_id, at, kind, data)
       select $1, $2, now(), 'verdict',
         jsonb_build_object('allowed', true, 'messageId', id, 'ruleIds', '["br-cap-day", "br-cc-206"]'::jsonb) from told
     ), paid as (
       insert into charges (client_id, debt_id, attempt, provider, status, amount_centavos, paid_centavos,
         refunded_centavos, expires_at, approved_at, paid_at, credited_on)
       values ($1, $2, 50, 'sandbox', 'APPROVED', 15075, 15075, 2575, now(), now(), '2026-11-19T15:00:00Z', current_date)
       returning id
     ), listed as (
       insert into bureau_listings (client_id, debt_id, bureau, notified_on, listed_on, removed_on)
       values ($1, $2, 'Serasa', '2026-10-01', '2026-11-03', '2026-11-21')
     )
     insert into receipts (client_id, debt_id, charge_id, protocol, facts, issued_at, pdf, sha256, template_version, rendered_at)
     select $1, $2, id, $3, '{}', now(), '%PDF-', repeat('0', 64), 1, now() from paid`,
    [client.id, debtId, protocol],
  );
  return { ...debtor, debtId, agreement, protocol };
}

describe('what is held', () => {
  it('stands whole on the page, in the copy for programs and in the one to read', async () => {
    const { path, cpf, debtId, agreement, protocol } = await fullDebtor(63);
    const proof = await open({ path, cpf });
    const plain = (text: string) => text.replaceAll('&nbsp;', ' ').replaceAll(/\s+/g, ' ');
    const page = plain(await shown(path, proof));
    const copy = await (await get(`${path}?v=${proof}&format=json`)).json();
    const pdf = plain(
      (await readPdf(Buffer.from(await (await get(`${path}?v=${proof}&format=pdf`)).arrayBuffer()))).text,
    );
    const { data, listings, money, score } = RIGHTS_TEXTS;
    const words = [
      data.ground.none,
      score.total(64),
      'Venceu há pouco',
      'Olá, Ana: a conta venceu.',
      RULE_TEXTS['br-cap-day']!,
      'Código Civil (Lei 10.406/2002), art. 206',
      money.states['BROKEN']!,
      money.refunded('R$ 25,75'),
      listings.listed('Serasa', '03/11/2026'),
      listings.notified('01/10/2026'),
      listings.removed('21/11/2026'),
    ];
    for (const expected of words) {
      expect([expected, page.includes(plain(expected))]).toEqual([expected, true]);
      expect([expected, pdf.includes(plain(expected))]).toEqual([expected, true]);
    }
    for (const one of [agreement.protocol, protocol])
      expect([page, pdf].map((text) => text.includes(one))).toEqual([true, true]);
    const debt = copy.debts.find(({ id }: { id: string }) => id === debtId);
    expect(debt).toMatchObject({ score: 64, scoreReasons: [{ text: 'Venceu há pouco', points: 14 }] });
    expect(copy).toMatchObject({
      lawfulGround: data.ground.none,
      contacts: [
        {
          text: 'Olá, Ana: a conta venceu.',
          rules: [{ source: expect.stringContaining('art. 42 e 71') }, { source: expect.stringContaining('art. 206') }],
        },
      ],
      agreements: [{ protocol: agreement.protocol, status: 'BROKEN', instalments: [{ number: 1 }, {}, {}] }],
      payments: [{ amount: 150.75, refunded: 25.75, receiptProtocol: protocol }],
      bureauListings: [{ bureau: 'Serasa', notifiedAt: '2026-10-01', listedAt: '2026-11-03', removedAt: '2026-11-21' }],
    });
  });
});

describe('a preference', () => {
  const rules = async (debtId: string) =>
    (await client.call('GET', `/api/debts/${debtId}/contact-eligibility`)).body.ruleIds as string[];

  it('is obeyed by the gate as a rule of its own, and refused where it leaves no opening', async () => {
    const debtor = await newDebtor(14);
    const [debtId = ''] = debtor.ids;
    const proof = await open(debtor);
    const wish = (fields: Readonly<Record<string, string>>) =>
      post(`${debtor.path}/preferencia`, form({ v: proof, ...fields }));
    for (const none of [
      { de: '20:00', ate: '21:00', dia: '1' },
      { de: '09:00', ate: '12:00', dia: '0' },
    ]) {
      const answer = await wish(none);
      expect(answer.headers.get('location')).toContain('erro=no_opening');
      const page = await get(answer.headers.get('location') ?? '');
      expect(await page.text()).toContain(`role="alert">${RIGHTS_TEXTS.refused.no_opening}`);
    }
    expect((await wish({ de: '12:00', ate: '09:00', dia: '1' })).headers.get('location')).toContain('erro=hours');
    expect((await wish({ de: '09:00', ate: '12:00', dia: '1', meio: 'email' })).headers.get('location')).toContain(
      'erro=channel',
    );
    expect((await wish({ de: '09:00', ate: '09:30', dia: '1' })).headers.get('location')).toContain('pedido=PD-');
    expect(await shown(debtor.path, proof)).toContain('segunda, das 9h às 9h30');
    // On most days and hours it closes; at the one moment where it is open it is named as passed.
    expect(await rules(debtId)).toContain('debtor-preference');
    await wish({ apagar: 'sim' });
    expect(await rules(debtId)).not.toContain('debtor-preference');
  });

  it('that ends wakes a debt which had to wait for it', async () => {
    const debtor = await newDebtor(18);
    const [debtId = ''] = debtor.ids;
    const proof = await open(debtor);
    const woken = async () => (await app.query('select from outbox where workflow_id like $1', [`%${debtId}`])).length;
    expect(await woken()).toBe(0);
    await app.query(`update debts set status = 'QUEUED', paused_at = now() where id = $1`, [debtId]);
    await post(`${debtor.path}/preferencia`, form({ v: proof, apagar: 'sim' }));
    expect(await woken()).toBe(1);
  });
});

describe('“isto não é meu”', () => {
  it('needs no digits, answers with a protocol, and ends the address like an unknown one', async () => {
    const debtor = await newDebtor(15, { count: 2 });
    const proof = await open(debtor);
    const answer = await post(`${debtor.path}/nao-e-meu`, form({}));
    const text = await answer.text();
    expect(answer.status).toBe(200);
    const [protocol = ''] = /PD-\d{4}-[0-9A-Z]{11}/.exec(text) ?? [];
    expect(protocol).not.toBe('');
    expect(text).not.toMatch(/Ana|Escola/);
    // What was heard on the timeline, and goes into the evidence, has the number too.
    const heard = await app.query<{ text: string }>('select text from messages where debt_id = any ($1)', [debtor.ids]);
    expect(heard).toEqual([{ text: expect.stringContaining(protocol) }]);
    const unknown = await get(`/direitos/${randomUUID()}`);
    const revoked = await get(debtor.path);
    const plain = (page: string) => page.replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '');
    expect([revoked.status, plain(await revoked.text())]).toEqual([404, plain(await unknown.text())]);
    expect((await get(`${debtor.path}?v=${proof}`)).status).toBe(404);
    expect((await post(`${debtor.path}/abrir`, form({ digitos: debtor.cpf.slice(-4) }))).status).toBe(404);
    for (const action of ['nao-e-meu', 'correcao', 'revisao', 'silencio', 'preferencia'])
      expect([
        action,
        (await post(`${debtor.path}/${action}`, form({ v: proof, texto: 'x', de: '09:00', ate: '12:00', dia: '1' })))
          .status,
      ]).toEqual([action, 404]);
    for (const query of [`?v=${proof}&format=json`, `?v=${proof}&format=pdf`, '?format=json'])
      expect([query, (await get(`${debtor.path}${query}`)).status]).toEqual([query, 404]);
    // Both debts are due on one day, so that either may be the person's first.
    const [request] = (await Promise.all(debtor.ids.map((id) => requests(`?debtId=${id}`)))).flat();
    expect(request).toMatchObject({ kind: 'not_mine', outcome: 'granted', dueAt: null });
    expect(await get(`/checkout/${debtor.ids[1]}`).then((page) => page.text())).not.toMatch(/R\$|Escola/);
  });

  it('gives the e-mail in use up with the phone, because the address may have come by either', async () => {
    const emailOf = async (id: string) =>
      (await app.query<{ email: string | null }>('select debtor_email as email from debts where id = $1', [id]))[0]
        ?.email;
    const debtorPhones = ['+5511980011001', '+5511980011002'];
    const [alone, several] = [
      await newDebtor(61, { debtorPhones, debtorEmail: 'outra@example.com' }),
      await newDebtor(62, { debtorPhones, debtorEmails: ['outra@example.com', 'ana@example.com'] }),
    ];
    for (const { path } of [alone, several]) expect((await post(`${path}/nao-e-meu`, form({}))).status).toBe(200);
    expect(await emailOf(alone.ids[0]!)).toBeNull();
    expect(await emailOf(several.ids[0]!)).toBe('ana@example.com');
    const { timeline } = (await client.call('GET', `/api/debts/${several.ids[0]}`)).body;
    expect(timeline).toContainEqual(
      expect.objectContaining({ field: 'debtorEmail', reason: 'wrong_person', from: 0, to: 1 }),
    );
  });
});
