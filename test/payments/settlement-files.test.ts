import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { startAgreements } from '../../testing/agreements.ts';
import { startCampaignsApp, type TestClient } from '../../testing/campaigns-app.ts';
import { cpfOf, debtInput } from '../../testing/debts.ts';
import { opened } from '../../testing/opened.ts';
import { cnab240, cnab400, ofx, ofxCredit, sendPayments } from '../../testing/payment-files.ts';
import { writeWorkbook } from '../../testing/workbook.ts';

const app = await opened(startCampaignsApp());
const agreements = await startAgreements(app);

const send = (client: TestClient, file: string | Uint8Array, options = {}) => sendPayments(app, client, file, options);
const table = (...rows: readonly string[]) => ['fatura;cpf;data do pagamento;valor pago;forma', ...rows].join('\n');
/** The states of the rows with their codes, in the order of the file. */
const statesOf = ({ items }: { items: readonly { state: string; code: string | null }[] }) =>
  items.map(({ state, code }) => (code === null ? state : `${state} ${code}`));

interface Imported {
  readonly client: TestClient;
  readonly ids: readonly string[];
}

/** Imports debts of 100 reais, due on 2026-10-05. */
async function imported(debts: readonly object[], owner?: TestClient): Promise<Imported> {
  const client = owner ?? (await app.newClient());
  const campaignId = await client.createCampaign();
  const inputs = debts.map((given, at) => debtInput(at + 1, { originalAmount: 100, invoiceId: undefined, ...given }));
  expect((await client.importJson(campaignId, inputs)).body).toMatchObject({ imported: debts.length });
  const { items } = (await client.call('GET', `/api/campaigns/${campaignId}/debts`)).body;
  return { client, ids: items.map(({ id }: { id: string }) => id) };
}

const debtOf = async (client: TestClient, id: string) => (await client.call('GET', `/api/debts/${id}`)).body;
const statusOf = async (client: TestClient, id: string): Promise<string> => (await debtOf(client, id)).status;
const paymentsOf = async (client: TestClient, id: string) =>
  (await debtOf(client, id)).timeline.filter(({ kind }: { kind: string }) => kind.startsWith('payment_'));
const orphansOf = async (client: TestClient) => {
  const { items } = (await client.call('GET', '/api/payments/orphans?include=candidates')).body;
  return items.map(({ details, ...item }: { details: object }) => ({ ...item, ...details }));
};
const undo = (client: TestClient, id: string) => client.call('POST', `/api/settlements/${id}/undo`);
const cpf = (at: number) => cpfOf(100_000_000 + at);

describe('a table of payments', () => {
  it('settles by the invoice, and by the person with amount and day, once for ever', async () => {
    const { client, ids } = await imported([
      { invoiceId: 'FAT-1' },
      {},
      { invoiceId: '000777' },
      { invoiceId: 'FAT-4' },
    ]);
    const file = table(
      'fat-1;;20/11/2026;100,00;Dinheiro',
      `;${cpf(2)};21/11/2026;100,00;Pix`,
      '777;;21/11/2026;40,00;',
      'FAT-9;;21/11/2026;100,00;',
      `;${cpf(9)};21/11/2026;100,00;`,
      'FAT-4;;31/12/2099;100,00;',
      'fat-1;;20/11/2026;100,00;Dinheiro',
    );
    const checked = (await send(client, file, { checkOnly: true })).body;
    expect(checked).toMatchObject({ rows: 7, matched: 3, unmatched: 2, ambiguous: 0, settled: 0, amount: 240 });
    expect(await orphansOf(client)).toEqual([]);
    expect(await statusOf(client, ids[0]!)).toBe('IMPORTED');

    const idempotencyKey = randomUUID();
    const { status, body } = await send(client, file, { idempotencyKey });
    expect(status).toBe(200);
    expect((await send(client, file, { idempotencyKey })).body).toEqual(body);
    expect(body).toMatchObject({ rows: 7, matched: 3, unmatched: 2, ambiguous: 0, settled: 3, amount: 240 });
    expect(statesOf(body)).toEqual([
      ...['settled', 'settled', 'settled', 'unmatched debt_not_found', 'unmatched debt_not_found'],
      ...['invalid date_invalid', 'known repeated'],
    ]);
    expect(body.items[0]).toMatchObject({
      ...{ row: 2, debtId: ids[0], invoiceId: 'FAT-1', amount: 100, paidAt: '2026-11-20T15:00:00.000Z' },
      settlementId: expect.any(String),
    });
    expect(await Promise.all(ids.map((id) => statusOf(client, id)))).toEqual(['PAID', 'PAID', 'ON_HOLD', 'IMPORTED']);
    expect(await paymentsOf(client, ids[0]!)).toMatchObject([
      { kind: 'payment_approved', method: 'cash', amount: 100 },
    ]);

    const again = (await send(client, file)).body;
    expect(again).toMatchObject({ matched: 0, settled: 0, amount: 0 });
    expect(again.items[1]).toMatchObject({ state: 'known', settlementId: body.items[1].settlementId, debtId: ids[1] });
    expect(statesOf(again)[3]).toBe('unmatched debt_not_found');
    expect(await orphansOf(client)).toHaveLength(2);
    for (const id of ids.slice(0, 3)) expect(await paymentsOf(client, id)).toHaveLength(1);
    // The debt of a row that nobody knew is imported later.
    const late = await imported([{ invoiceId: 'FAT-9', debtorCpf: cpfOf(100_000_050) }], client);
    expect(statesOf((await send(client, file)).body)[3]).toBe('settled');
    expect(await statusOf(client, late.ids[0]!)).toBe('PAID');
    expect(await orphansOf(client)).toHaveLength(1);
  });

  it('leaves to a person what is not certain, and shows the debts that it may be', async () => {
    const twice = { debtorCpf: cpf(1) };
    const { client, ids } = await imported([
      { ...twice, invoiceId: 'A-1' },
      { ...twice, invoiceId: 'A-2', dueDate: '2026-11-05' },
      { invoiceId: 'B-1' },
    ]);
    const file = table(
      `;${cpf(1)};21/11/2026;100,00;Pix`,
      `;${cpf(1)};21/11/2026;70,00;Pix`,
      `B-1;${cpf(1)};21/11/2026;100,00;`,
      `;${cpf(3)};01/03/2026;100,00;`,
    );
    const { body } = await send(client, file);
    expect(statesOf(body)).toEqual([
      ...['ambiguous several_debts', 'unmatched amount_differs', 'ambiguous tax_id_differs', 'ambiguous date_differs'],
    ]);
    const orphans = await orphansOf(client);
    expect(orphans).toHaveLength(4);
    const doubtful = orphans.find(({ doubt }: { doubt: string }) => doubt === 'several_debts');
    expect(doubtful).toMatchObject({ source: 'file', amount: 100, method: 'pix' });
    const candidates = doubtful.candidates.map(({ debtId }: { debtId: string }) => debtId);
    expect(new Set(candidates)).toEqual(new Set(ids.slice(0, 2)));

    const assigned = await client.call('POST', `/api/payments/orphans/${doubtful.id}/assign`, { debtId: ids[1] });
    expect(assigned.status).toBe(200);
    expect(await statusOf(client, ids[1]!)).toBe('PAID');
    const dismissed = orphans.find(({ doubt }: { doubt: string }) => doubt === 'amount_differs');
    expect((await client.call('POST', `/api/payments/orphans/${dismissed.id}/dismiss`)).status).toBe(204);
    expect(statesOf((await send(client, file)).body).slice(0, 2)).toEqual(['known repeated', 'known repeated']);
    expect(await statusOf(client, ids[0]!)).toBe('IMPORTED');
  });

  it('does not count again what staff have recorded', async () => {
    const { client, ids } = await imported([{ invoiceId: 'FAT-1' }]);
    const payment = { amount: 100, paidAt: '2026-11-20T18:00:00-03:00', method: 'cash' };
    expect((await client.call('POST', `/api/debts/${ids[0]}/settle`, payment)).status).toBe(200);
    const { body } = await send(client, table('FAT-1;;20/11/2026;100,00;', `;${cpf(1)};20/11/2026;100,00;`));
    expect(statesOf(body)).toEqual(['known recorded', 'known recorded']);
    // Another day is a second payment, which the client has to give back.
    expect(statesOf((await send(client, table('FAT-1;;21/11/2026;100,00;'))).body)).toEqual(['settled']);
    expect((await paymentsOf(client, ids[0]!)).at(-1)).toMatchObject({ kind: 'payment_duplicate' });
  });

  it('has the columns that its caller names', async () => {
    const { client } = await imported([{ invoiceId: 'FAT-1' }]);
    const file = 'x;y;z\nFAT-1;20/11/2026;100,00\n';
    const problem = async (given: string | Uint8Array, columns?: object | string) => {
      const { status, body } = await send(client, given, { columns });
      return [status, body.errors?.[0]?.pointer, body.errors?.[0]?.code];
    };
    expect(await problem(file)).toEqual([400, '/file', 'required']);
    expect(await problem(file, { q: 'invoiceId' })).toEqual([400, '/columns', 'unknown_header']);
    expect(await problem(file, { x: 'debtorName' })).toEqual([400, '/columns', 'invalid_value']);
    expect(await problem(file, '{')).toEqual([400, '/columns', 'invalid_format']);
    expect(await problem('')).toEqual([400, '/file', 'too_short']);
    expect(await problem('%PDF-1.7')).toEqual([400, '/file', 'unsupported_format']);
    expect(await problem('PK\u0003\u0004 torn')).toEqual([400, '/file', 'invalid_format']);
    expect(await problem(`${table()}\n${'F;;20/11/2026;1,00;\n'.repeat(50_001)}`)).toEqual([400, '/file', 'too_long']);
    const columns = { x: 'invoiceId', y: 'paidAt', z: 'amount' };
    expect(statesOf((await send(client, file, { columns })).body)).toEqual(['settled']);
  });

  it('may be a workbook', async () => {
    const { client } = await imported([{ invoiceId: 'FAT-1' }]);
    const cells = [
      ['Fatura', 'Valor pago', 'Pago em'],
      ['FAT-1', 100, new Date('2026-11-20T00:00:00Z')],
    ];
    expect(statesOf((await send(client, await writeWorkbook({ Pagos: cells }))).body)).toEqual(['settled']);
  });

  it('counts once although it is sent twice at the same moment', async () => {
    const { client, ids } = await imported(Array.from({ length: 20 }, (_, at) => ({ invoiceId: `F-${at}` })));
    const file = table(...ids.map((_, at) => `F-${at};;20/11/2026;100,00;`));
    const answers = await Promise.all([send(client, file), send(client, file)]);
    expect(answers.reduce((sum, { body }) => sum + body.settled, 0)).toBe(ids.length);
    for (const id of ids) expect(await paymentsOf(client, id)).toHaveLength(1);
  });

  it('settles the rows of one debt in the order of their days', async () => {
    const { client, ids } = await imported(Array.from({ length: 12 }, (_, at) => ({ invoiceId: `F-${at}` })));
    for (const [at, id] of ids.entries()) {
      const file = table(`F-${at};;20/11/2026;40,00;`, `F-${at};;19/11/2026;60,00;`);
      expect(statesOf((await send(client, file)).body)).toEqual(['settled', 'settled']);
      expect((await paymentsOf(client, id)).map(({ amount }: { amount: number }) => amount)).toEqual([60, 40]);
    }
  });

  it('knows no debts of another company, and is sent by a person alone', async () => {
    const { client, ids } = await imported([{ invoiceId: 'FAT-1' }]);
    const other = await app.newClient();
    expect(statesOf((await send(other, table(`FAT-1;${cpf(1)};20/11/2026;100,00;`))).body)).toEqual([
      'unmatched debt_not_found',
    ]);
    expect(await statusOf(client, ids[0]!)).toBe('IMPORTED');
    const { apiKey } = (await client.call('POST', '/api/onboarding/me/api-key')).body;
    expect(await sendPayments(app, { token: apiKey }, table('FAT-1;;20/11/2026;100,00;'))).toMatchObject({
      status: 401,
      body: { code: 'access_token_required' },
    });
  });
});

describe('a file of a bank', () => {
  it('in OFX needs an invoice together with its amount', async () => {
    const { client, ids } = await imported([{ invoiceId: 'FAT-1' }, { invoiceId: 'FAT-2' }, {}]);
    const file = ofx(
      ofxCredit('100.00', 'PIX RECEBIDO ref FAT-1 obrigado', 'a'),
      ofxCredit('60.00', 'PIX RECEBIDO FAT-2', 'b'),
      ofxCredit('100.00', 'PIX RECEBIDO JOAO', 'c'),
      ofxCredit('31.41', 'PIX RECEBIDO JOSE', 'd'),
    );
    const { body } = await send(client, file);
    expect(statesOf(body)).toEqual([
      ...['settled', 'unmatched amount_differs', 'unmatched amount_alone', 'unmatched debt_not_found'],
    ]);
    expect(await statusOf(client, ids[0]!)).toBe('PAID');
    const orphans = await orphansOf(client);
    // What has nothing to do with a debt is not kept.
    expect(orphans.map(({ amount }: { amount: number }) => amount).sort()).toEqual([100, 60]);
    expect(orphans.find(({ amount }: { amount: number }) => amount === 60)).toMatchObject({
      memo: 'PIX RECEBIDO FAT-2',
      candidates: [expect.objectContaining({ debtId: ids[1] })],
    });
    expect((await send(client, file)).body.settled).toBe(0);
    expect((await send(client, file.slice(0, -20))).status).toBe(400);
  });

  it('tells of the payment of a code about which nobody asks any more', async () => {
    const { client, ids } = await imported([{ invoiceId: 'TX-1' }, { invoiceId: 'TX-2' }]);
    const txidOf = (id: string) => `${id.replaceAll('-', '')}`;
    const insert = (id: string, status: string, askAt: string | null) =>
      app.query(
        `insert into charges (client_id, debt_id, attempt, provider, provider_payment_id, provider_payment_key, status,
           amount_centavos, expires_at, ask_at)
         values ($1, $2, 1, 'pix', $3, $3, $4, 10000, now() - interval '40 days', $5)`,
        [client.id, id, txidOf(id), status, askAt],
      );
    // As the reconciliation leaves it 30 days after its end, when the account could not be asked in all that time.
    await insert(ids[0]!, 'CANCELLED', null);
    await insert(ids[1]!, 'PENDING', '2026-12-31T12:00:00Z');
    const rows = ids.map((id, at) => ofxCredit('100.00', `PIX RECEBIDO TX-${at + 1} ${txidOf(id)}`, `z${at}`));
    expect(statesOf((await send(client, ofx(...rows))).body)).toEqual(['settled', 'known own_charge']);
    expect(await Promise.all(ids.map((id) => statusOf(client, id)))).toEqual(['PAID', 'IMPORTED']);
  });

  it('with 240 or 400 positions settles what was paid, and nothing that was written off', async () => {
    const titles = ['FAT-1', 'FAT-2', 'FAT-3', 'T-1', 'T-2'];
    const { client, ids } = await imported(titles.map((invoiceId) => ({ invoiceId })));
    const returned = cnab240([
      { movement: '06', title: 'FAT-1', centavos: 10_000 },
      { movement: '09', title: 'FAT-2', centavos: 10_000 },
      { movement: '17', title: 'FAT-3', centavos: 10_000, reasons: '61' },
    ]).join('\r\n');
    expect((await send(client, returned)).body).toMatchObject({ rows: 2, settled: 2, ambiguous: 0 });
    const other = cnab400('341', ['06', '09'], 10_000, ['T-1', 'T-2']).join('\r\n');
    expect((await send(client, other)).body).toMatchObject({ rows: 1, settled: 1 });
    const statuses = await Promise.all(ids.map((id) => statusOf(client, id)));
    expect(statuses).toEqual(['PAID', 'IMPORTED', 'PAID', 'PAID', 'IMPORTED']);
  });
});

describe('POST /api/settlements/:id/undo', () => {
  const settledOf = async (given: Imported, file: string) => (await send(given.client, file)).body.items[0];

  it('takes back what a file has settled, with everything that followed, and lets a person decide again', async () => {
    const given = await imported([{ invoiceId: 'FAT-1' }, { invoiceId: 'FAT-2' }]);
    const { client, ids } = given;
    const file = table('FAT-1;;20/11/2026;100,00;');
    const { settlementId } = await settledOf(given, file);
    const { url } = (await client.call('POST', `/api/receipts/${ids[0]}`)).body;
    const verify = new URL(url).pathname.replace('/api/receipts/download/', '/verify/') + new URL(url).search;
    expect(await undo(client, settlementId)).toMatchObject({ status: 200, body: { settlementId, debtId: ids[0] } });
    expect(await undo(client, settlementId)).toMatchObject({ status: 200, body: { settlementId, debtId: ids[0] } });
    expect(await statusOf(client, ids[0]!)).toBe('IMPORTED');
    expect(await paymentsOf(client, ids[0]!)).toMatchObject([
      { kind: 'payment_approved' },
      { kind: 'payment_changed', change: 'undone', amount: 100 },
    ]);
    expect((await app.get<string>(verify)).body).toContain('revogado');
    const { amount } = (await client.call('GET', `/api/payments/${ids[0]}`)).body;
    expect(amount).toBe(100);
    // The file does not settle the wrong debt once more; a person says which it was.
    expect(statesOf((await send(client, file)).body)).toEqual(['known repeated']);
    const [orphan] = await orphansOf(client);
    expect(orphan.id).toBe(settlementId);
    const assign = await client.call('POST', `/api/payments/orphans/${orphan.id}/assign`, { debtId: ids[1] });
    expect(assign.status).toBe(200);
    expect(await statusOf(client, ids[1]!)).toBe('PAID');
    const byHand = { amount: 100, paidAt: '2026-11-20', method: 'cash' };
    expect((await client.call('POST', `/api/debts/${ids[0]}/settle`, byHand)).body.status).toBe('PAID');
    const [, , recorded] = await paymentsOf(client, ids[0]!);
    expect((await undo(client, recorded.paymentId)).status).toBe(200);
    expect(await statusOf(client, ids[0]!)).toBe('IMPORTED');
  });

  it.each(['by hand', 'by a file'])('opens the rest again when the first of two parts is undone: %s', async (how) => {
    const { client, ids } = await imported([{ invoiceId: 'FAT-1' }]);
    const id = ids[0]!;
    if (how === 'by a file') {
      await send(client, table('FAT-1;;19/11/2026;60,00;', 'FAT-1;;20/11/2026;40,00;'));
    } else {
      for (const [amount, paidAt] of [
        [60, '2026-11-19'],
        [40, '2026-11-20'],
      ]) {
        await client.call('POST', `/api/debts/${id}/settle`, { amount, paidAt, method: 'cash' });
      }
    }
    expect(await statusOf(client, id)).toBe('PAID');
    const { items } = (await client.call('GET', `/api/debts/${id}/payments`)).body;
    const { paymentId } = items.find(({ paid }: { paid: number }) => paid === 60);
    expect((await undo(client, paymentId)).status).toBe(200);
    expect((await client.call('GET', `/api/debts/${id}/quote`)).body.principal).toBe(60);
    expect(await statusOf(client, id)).not.toBe('PAID');
    // What is paid of it now settles the debt as it would have done.
    const rest = { amount: 60, paidAt: '2026-11-21', method: 'cash' };
    expect((await client.call('POST', `/api/debts/${id}/settle`, rest)).body.status).toBe('PAID');
  });

  it('is refused after 7 days, and for what is not there or belongs to another company', async () => {
    const given = await imported([{ invoiceId: 'FAT-1' }]);
    const { settlementId, debtId } = await settledOf(given, table('FAT-1;;20/11/2026;100,00;'));
    expect((await undo(await app.newClient(), settlementId)).status).toBe(404);
    expect((await undo(given.client, randomUUID())).status).toBe(404);
    await app.query(`update charges set created_at = created_at - interval '7 days 1 minute' where debt_id = $1`, [
      debtId,
    ]);
    expect(await undo(given.client, settlementId)).toMatchObject({ status: 409, body: { code: 'debt_state' } });
    expect(await statusOf(given.client, debtId)).toBe('PAID');
  });

  it('opens the instalments of an agreement again, also of one that the money had completed', async () => {
    const client = await app.newClient();
    const person = await agreements.newPerson(client, [[{ invoiceId: 'AG-1' }, { invoiceId: 'AG-2' }]]);
    const agreementId = await agreements.agree(client, person, 2);
    const read = async () => (await client.call('GET', `/api/agreements/${agreementId}`)).body;
    const { instalments } = await read();
    const paid = async (amount: number, day: number) =>
      (await send(client, table(`AG-1;;${day}/11/2026;${String(amount).replace('.', ',')};`))).body.items[0];
    const first = await paid(instalments[0].amount, 20);
    expect(first.state).toBe('settled');
    expect((await read()).instalments[0].status).toBe('APPROVED');
    expect((await undo(client, first.settlementId)).status).toBe(200);
    expect(await read()).toMatchObject({ status: 'ACTIVE', paid: 0 });

    const whole = await paid(1_700, 21);
    expect(await read()).toMatchObject({ status: 'COMPLETED' });
    for (const id of person.ids) expect(await statusOf(client, id)).toBe('PAID');
    expect((await undo(client, whole.settlementId)).status).toBe(200);
    expect(await read()).toMatchObject({ status: 'ACTIVE', paid: 0 });
    for (const id of person.ids) expect(await statusOf(client, id)).toBe('AGREEMENT');
    expect((await undo(client, whole.settlementId)).status).toBe(200);
    expect(await read()).toMatchObject({ status: 'ACTIVE', paid: 0 });
  });
});
