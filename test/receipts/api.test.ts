import { createHash, randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { kindOfProtocol } from '../../src/kernel/protocol.ts';
import { CURRENT_TEMPLATE_VERSION } from '../../src/modules/receipts/texts/document/receipt-data.ts';
import { startCampaignsApp } from '../../testing/campaigns-app.ts';
import { opened } from '../../testing/opened.ts';
import { readPdf } from '../../testing/read-pdf.ts';
import { downloadPath, paidDebt, pathOf, signatureOf, verifyPath } from '../../testing/receipts-harness.ts';

const secrets = 'new-secret,receipt_secret-of-the-tests';
const app = await opened(startCampaignsApp({ env: { RECEIPT_SECRET: secrets } }));
const [client, other] = [await app.newClient(), await app.newClient()];

const issue = (debtId: string, query = '', body?: unknown) =>
  client.call('POST', `/api/receipts/${debtId}${query}`, body);
const problem = (status: number, code: string) => ({ status, body: expect.objectContaining({ code }) });

describe('POST /api/receipts/:debtId', () => {
  it('issues once and answers 201, and later 200 with the same protocol', async () => {
    const { debtId, paymentId } = await paidDebt(app.query, client.id);
    const first = await issue(debtId);
    expect(first).toMatchObject({
      status: 201,
      body: { debtId, paymentId, templateVersion: CURRENT_TEMPLATE_VERSION, sent: false },
    });
    expect(kindOfProtocol(first.body.protocol)).toBe('QT');
    expect(first.body.url).toBe(
      `http://localhost:0/api/receipts/download/${first.body.protocol}?sig=${signatureOf(first.body.protocol, 'new-secret')}`.replace(
        'http://localhost:0',
        new URL(first.body.url).origin,
      ),
    );
    const second = await issue(debtId);
    expect(second).toEqual({ ...second, status: 200, body: first.body });
    const timeline = (await client.call('GET', `/api/debts/${debtId}`)).body.timeline;
    expect(timeline.filter(({ kind }: { kind: string }) => kind === 'receipt_issued')).toMatchObject([
      { protocol: first.body.protocol },
    ]);
  });

  it('issues once for 30 concurrent calls', async () => {
    const { debtId } = await paidDebt(app.query, client.id);
    const answers = await Promise.all(Array.from({ length: 30 }, () => issue(debtId)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(29);
    expect(new Set(answers.map(({ body }) => body.protocol)).size).toBe(1);
    const rows = await app.query('select 1 from receipts where debt_id = $1', [debtId]);
    expect(rows).toHaveLength(1);
  });

  it('refuses an unpaid debt, and answers 404 for another client’s debt', async () => {
    const unpaid = await paidDebt(app.query, client.id, { status: 'IN_COLLECTION', approvedAt: null });
    const foreign = await paidDebt(app.query, other.id);
    expect(await issue(unpaid.debtId)).toMatchObject(problem(409, 'payment_not_confirmed'));
    const refusals = await Promise.all([issue(foreign.debtId), issue(randomUUID()), issue('not-an-id')]);
    for (const refusal of refusals) expect(refusal).toMatchObject(problem(404, 'not_found'));
    const { body: theirs } = refusals[0]!;
    expect({ ...theirs, requestId: '' }).toEqual({ ...refusals[1]!.body, requestId: '' });
    expect(await app.query('select 1 from receipts where debt_id = $1', [foreign.debtId])).toEqual([]);
  });

  it('accepts an access token and no API key', async () => {
    const { debtId } = await paidDebt(app.query, client.id);
    const { body } = await client.call('POST', '/api/onboarding/me/api-key');
    for (const path of [`/api/receipts/${debtId}`, '/api/receipts/regenerate-all']) {
      expect(await app.post(path, undefined, body.apiKey)).toMatchObject(problem(401, 'access_token_required'));
      expect(await app.post(path)).toMatchObject(problem(401, 'unauthenticated'));
    }
  });

  it('refuses a value of send that is neither true nor false', async () => {
    const { debtId } = await paidDebt(app.query, client.id);
    expect(await issue(debtId, '?send=maybe')).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', errors: [{ parameter: 'send' }] },
    });
  });

  it('issues for the first of two payments, and includes an earlier underpayment', async () => {
    const twice = await paidDebt(app.query, client.id);
    await app.query(
      `insert into charges (client_id, debt_id, attempt, provider, status, amount_centavos, paid_centavos, expires_at,
         approved_at, paid_at, duplicate)
       values ($1, $2, 2, 'sandbox', 'APPROVED', 15075, 15075, now(), now(), now(), true)`,
      [client.id, twice.debtId],
    );
    expect((await issue(twice.debtId)).body.paymentId).toBe(twice.paymentId);

    const parts = await paidDebt(app.query, client.id, { amountCentavos: 15_075, paidCentavos: 5_075 });
    await app.query(
      `insert into charges (client_id, debt_id, attempt, provider, status, amount_centavos, paid_centavos, expires_at,
         underpaid_at, paid_at, credited_on)
       values ($1, $2, 2, 'sandbox', 'PENDING', 15075, 10000, now(), now(), now(), now()::date)`,
      [client.id, parts.debtId],
    );
    const { body } = await issue(parts.debtId);
    expect(body.paymentId).toBe(parts.paymentId);
    const { text } = await readPdf(await bytesOf(body.protocol));
    expect(text.replace(/\s+/g, ' ')).toContain('Valor pago R$ 150,75');
  });

  it('shows the debtor’s local time, and every name completely', async () => {
    const { debtId } = await paidDebt(app.query, client.id, {
      debtorPhone: '+5592987654321',
      debtorName: 'Zoë 😀 Ñuñez de Alcântara',
      amountCentavos: 9_999_999_999,
    });
    const { text } = await readPdf(await bytesOf((await issue(debtId)).body.protocol));
    expect(text).toContain('20/11/2026, às 13:31:05 (UTC-04:00)');
    expect(text).toContain('Zoë Ñuñez de Alcântara');
    expect(text).toContain('R$ 99.999.999,99');
  });
});

const bytesOf = async (protocol: string): Promise<Uint8Array> => {
  const answer = await fetch(app.url + downloadPath(protocol));
  expect(answer.status).toBe(200);
  return new Uint8Array(await answer.arrayBuffer());
};

describe.each([
  ['the download', downloadPath],
  ['the verification page', verifyPath],
])('%s', (_name, path) => {
  let protocol: string;
  beforeAll(async () => {
    protocol = (await issue((await paidDebt(app.query, client.id)).debtId)).body.protocol;
  });
  const get = (given: string, bearer?: string) => app.get(given, bearer);

  it('opens with any secret in the list', async () => {
    expect((await get(path(protocol))).status).toBe(200);
    expect((await get(path(protocol, signatureOf(protocol, 'new-secret')))).status).toBe(200);
    expect(await get(path(protocol, signatureOf(protocol, 'retired')))).toMatchObject(
      problem(401, 'signature_invalid'),
    );
  });

  it('refuses a signature that is wrong, short, long, empty, repeated, padded, missing or of another receipt', async () => {
    const right = signatureOf(protocol);
    const wrong = [
      right.replace(/^./, (first) => (first === 'A' ? 'B' : 'A')),
      right.slice(0, -1),
      `${right}A`,
      '',
      `${right}&sig=${right}`,
      `${right}=`,
      `${right}%00`,
      signatureOf('QT-2026-0000000000-0'),
      encodeURIComponent('ação'),
    ];
    for (const sig of wrong) {
      const { status } = await get(path(protocol, sig));
      expect([sig, status]).toEqual([sig, sig.endsWith('%00') ? 400 : 401]);
    }
    const bare = path(protocol).replace(/\?.*/, '');
    expect(await get(bare)).toMatchObject(problem(401, 'signature_invalid'));
    expect(await get(bare, client.token)).toMatchObject(problem(401, 'signature_invalid'));
    expect((await get(`${bare}?sig[]=${right}`)).status).toBe(401);
  });

  it('discloses nothing without the signature, and answers 404 with one for an unknown receipt', async () => {
    const unknown = 'QT-2026-00000000000';
    const wrongCheck = protocol.slice(0, -1) + (protocol.endsWith('0') ? '1' : '0');
    for (const one of [unknown, wrongCheck, 'nothing', protocol.toLowerCase()]) {
      expect(await get(path(one, 'AAAA'))).toMatchObject(problem(401, 'signature_invalid'));
      expect(await get(path(one))).toMatchObject(problem(404, 'not_found'));
    }
  });
});

describe('GET /api/receipts/download/:protocol', () => {
  it('serves the stored bytes to 200 concurrent requests', async () => {
    const { protocol } = (await issue((await paidDebt(app.query, client.id)).debtId)).body;
    const [row] = await app.query<{ sha256: string }>('select sha256 from receipts where protocol = $1', [protocol]);
    const answers = await Promise.all(Array.from({ length: 200 }, () => bytesOf(protocol)));
    const hashes = answers.map((bytes) => createHash('sha256').update(bytes).digest('hex'));
    expect(new Set(hashes)).toEqual(new Set([row?.sha256]));
    const { headers } = await fetch(app.url + downloadPath(protocol));
    expect(headers.get('content-type')).toBe('application/pdf');
    expect(headers.get('content-disposition')).toBe(`inline; filename="termo-de-quitacao-${protocol}.pdf"`);
    expect(headers.get('cache-control')).toBe('private, no-store');
  });

  it('is 404 while the receipt is being drawn', async () => {
    const { debtId, paymentId } = await paidDebt(app.query, client.id);
    const protocol = 'QT-2026-0000000001Y';
    expect(kindOfProtocol(protocol)).toBe('QT');
    await app.query(
      `insert into receipts (client_id, debt_id, charge_id, protocol, facts, issued_at, rendering_by, rendering_until)
       values ($1, $2, $3, $4, '{}', now(), gen_random_uuid(), now() + interval '1 hour')`,
      [client.id, debtId, paymentId, protocol],
    );
    expect(await app.get(downloadPath(protocol))).toMatchObject(problem(404, 'not_found'));
    expect((await client.call('GET', `/api/payments/${debtId}`)).body.receiptProtocol).toBeNull();
  });
});

describe('GET /verify/:protocol', () => {
  it('confirms public facts, and masks personal data', async () => {
    const { debtId } = await paidDebt(app.query, client.id, { debtorTaxId: '52998224725', debtorName: 'Ana <b> Sá' });
    const { protocol } = (await issue(debtId)).body;
    const { status, headers, body } = await app.get<string>(verifyPath(protocol));
    const [row] = await app.query<{ sha256: string }>('select sha256 from receipts where protocol = $1', [protocol]);
    expect(status).toBe(200);
    for (const shown of [protocol, 'Escola Aurora', 'A*** S***', '***.982.247-**', 'R$ 150,75', row!.sha256]) {
      expect(body).toContain(shown);
    }
    expect(body).toContain('20/11/2026, às 14:31:05 (UTC-03:00)');
    expect(body).toContain('Termo autêntico');
    expect(body).toContain('DOCUMENTO DE TESTE, SEM VALOR');
    expect(body).not.toMatch(/Ana|529982|<script|style=/);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('x-robots-tag')).toBe('noindex');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(body).toContain(pathOf((await issue(debtId)).body.url));
  });
});
