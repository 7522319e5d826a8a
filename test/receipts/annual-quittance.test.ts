import { createHash, randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { kindOfProtocol } from '../../src/kernel/protocol.ts';
import { revokeReceipt } from '../../src/modules/receipts/use-cases/revoke-receipt.ts';
import { shortenReceipts } from '../../src/modules/receipts/use-cases/shorten-receipts.ts';
import { startCampaignsApp } from '../../testing/campaigns-app.ts';
import { cpfOf, debtInput } from '../../testing/debts.ts';
import { opened } from '../../testing/opened.ts';
import { billOf, quittanceSignature } from '../../testing/quittances.ts';
import { readPdf } from '../../testing/read-pdf.ts';
import { pathOf, verifyPath } from '../../testing/receipts-harness.ts';
import { openRightsPage } from '../../testing/rights-page.ts';
import { openPostOffice } from './postman.ts';

const YEAR = 2025;
const app = await opened(startCampaignsApp());
const [client, other] = [await app.newClient(), await app.newClient()];
const office = await opened(openPostOffice(app, client.id));

let last = 0;
const newPerson = (): string => cpfOf(510_000_000 + ++last);
const problem = (status: number, code: string) => ({ status, body: expect.objectContaining({ code }) });

const look = (debtId: string, year: number = YEAR) =>
  client.call('GET', `/api/annual-quittances?debtId=${debtId}&year=${year}`);

async function issue(debtId: string, year: number = YEAR) {
  const { statement } = (await look(debtId, year)).body;
  return client.call('POST', '/api/annual-quittances', { debtId, year, statement: statement ?? 'Confirmo.' });
}

/** A person who has paid one bill of May and one of June of the year. */
async function paidYear(given: Partial<Parameters<typeof billOf>[2]> = {}) {
  const debtorTaxId = newPerson();
  const may = await billOf(app.query, client.id, {
    debtorTaxId,
    ...given,
    dueDate: '2025-05-10',
    invoiceId: `M-${last}`,
  });
  const june = await billOf(app.query, client.id, {
    debtorTaxId,
    ...given,
    dueDate: '2025-06-10',
    invoiceId: `J-${last}`,
    amountCentavos: 20_000,
  });
  return { debtorTaxId, may, june };
}

const textOf = async (url: string): Promise<string> => {
  const answer = await fetch(app.url + pathOf(url));
  expect(answer.status).toBe(200);
  return (await readPdf(new Uint8Array(await answer.arrayBuffer()))).text.replace(/\s+/g, ' ');
};
const pageOf = async (protocol: string) => app.get<string>(verifyPath(protocol, quittanceSignature(protocol)));

const refund = (paymentId: string) =>
  office.deps.db
    .tenant(client.id)
    .transactional((tx) => revokeReceipt(tx, paymentId, 'refund', new Date('2026-11-25T12:00:00Z')));

describe('a year of paid bills', () => {
  it('is shown with its bills and with what the client confirms, and is then issued', async () => {
    const { may, june } = await paidYear();
    const shown = await look(june.debtId);
    expect(shown).toMatchObject({
      status: 200,
      body: {
        year: YEAR,
        refusals: [],
        issued: null,
        bills: [
          { debtId: may.debtId, dueDate: '2025-05-10', amount: 150.75, paid: 150.75, paidOn: '2026-11-20' },
          { debtId: june.debtId, dueDate: '2025-06-10', amount: 200, paid: 200, paidOn: '2026-11-20' },
        ],
      },
    });
    const { statement } = shown.body;
    expect(statement).toContain('2025');
    const made = await client.call('POST', '/api/annual-quittances', { debtId: june.debtId, year: YEAR, statement });
    expect(made).toMatchObject({ status: 201, body: { year: YEAR } });
    expect(kindOfProtocol(made.body.protocol)).toBe('QA');
    expect((await look(may.debtId)).body.issued).toEqual(made.body);

    const stored = await app.query<{ statement: string; member: string }>(
      'select q.statement, m.email as member from annual_quittances q join members m on m.id = q.member_id where protocol = $1',
      [made.body.protocol],
    );
    expect(stored).toEqual([{ statement, member: expect.any(String) }]);
    const entries = (await client.call('GET', '/api/audit?action=annual_quittance_issued')).body.items;
    expect(entries[0]).toMatchObject({
      target: made.body.protocol,
      details: { debtId: may.debtId, year: YEAR, bills: 2 },
    });
  });

  it('names creditor, debtor, bills and the law, and says what it covers', async () => {
    const { june } = await paidYear({ debtorName: 'João Antônio da Conceição' });
    const text = await textOf((await issue(june.debtId)).body.url);
    for (const words of [
      'Declaração de Quitação Anual',
      'Escola Aurora',
      'João Antônio da Conceição (CPF ***.',
      'todos os débitos do ano de 2025',
      `M-${last}`,
      '10/05/2025 R$ 150,75 20/11/2026 R$ 150,75',
      'trezentos e cinquenta reais e setenta e cinco centavos',
      'do ano de 2025 e dos anos anteriores (Lei 12.007/2009, art. 4º)',
      'não há outra fatura em aberto',
    ]) {
      expect(text).toContain(words);
    }
    expect(text).not.toContain('TESTE');
  });

  it('is one declaration for the same bills, also for calls at once', async () => {
    const { may, june } = await paidYear();
    const answers = await Promise.all(Array.from({ length: 8 }, (_, at) => issue((at % 2 ? may : june).debtId)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(7);
    expect(new Set(answers.map(({ body }) => body.protocol)).size).toBe(1);
    const files = await Promise.all([1, 2].map(() => fetch(app.url + pathOf(answers[0]!.body.url))));
    const [one, two] = await Promise.all(files.map(async (file) => Buffer.from(await file.arrayBuffer())));
    expect(one!.equals(two!)).toBe(true);
    expect(files[0]!.headers.get('etag')).toBe(`"${createHash('sha256').update(one!).digest('hex')}"`);
  });

  it('is another declaration once another bill of the year is paid', async () => {
    const { debtorTaxId, june } = await paidYear();
    const first = await issue(june.debtId);
    await billOf(app.query, client.id, { debtorTaxId, dueDate: '2025-12-31' });
    const second = await issue(june.debtId);
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body.protocol).not.toBe(first.body.protocol);
  });

  it.each(['IN_COLLECTION', 'PROMISED', 'AGREEMENT', 'DISPUTED', 'EXHAUSTED', 'OPTED_OUT', 'IMPORTED'])(
    'is refused while a bill of it is %s',
    async (status) => {
      const { debtorTaxId, june } = await paidYear();
      const open = await billOf(app.query, client.id, { debtorTaxId, dueDate: '2025-07-10', approvedAt: null });
      await app.query('update debts set status = $2 where id = $1', [open.debtId, status]);
      const { body } = await look(june.debtId);
      expect([body.refusals, body.statement]).toEqual([[{ code: 'owed', debtIds: [open.debtId] }], null]);
      expect(await issue(june.debtId)).toMatchObject(problem(409, 'quittance_impossible'));
    },
  );

  it('is refused while it lasts, without a bill, and after a payment went back', async () => {
    const { june, debtorTaxId } = await paidYear();
    expect((await look(june.debtId, 2024)).body.refusals).toEqual([{ code: 'nothing_paid', debtIds: [] }]);
    await billOf(app.query, client.id, { debtorTaxId, dueDate: '2026-03-10' });
    expect((await look(june.debtId, 2026)).body.refusals).toEqual([{ code: 'year_not_over', debtIds: [] }]);
    await app.query('update charges set refunded_centavos = paid_centavos where id = $1', [june.paymentId]);
    expect((await look(june.debtId)).body.refusals).toEqual([{ code: 'money_back', debtIds: [june.debtId] }]);
    expect(await issue(june.debtId)).toMatchObject(problem(409, 'quittance_impossible'));
  });

  it('excepts what is still owed of earlier years, and asks about what was ended without a payment', async () => {
    const { debtorTaxId, june } = await paidYear();
    const [earlier, ended] = [
      await billOf(app.query, client.id, {
        debtorTaxId,
        dueDate: '2024-02-10',
        invoiceId: `E-${last}`,
        approvedAt: null,
      }),
      await billOf(app.query, client.id, { debtorTaxId, dueDate: '2025-08-10', approvedAt: null }),
    ];
    await app.query("update debts set status = 'IN_COLLECTION' where id = $1", [earlier.debtId]);
    await app.query("update debts set status = 'STOPPED' where id = $1", [ended.debtId]);
    const { body } = await look(june.debtId);
    expect(body).toMatchObject({
      refusals: [],
      earlierOwed: [{ debtId: earlier.debtId }],
      ended: [{ debtId: ended.debtId }],
    });
    expect(body.statement).toContain('encerrada sem pagamento');
    const text = await textOf((await issue(june.debtId)).body.url);
    expect(text).toContain(`continuam em aberto: E-${last} (vencimento em 10/02/2024)`);
    expect(text).not.toContain('10/08/2025');
  });

  it('is issued only for the statement as it is now', async () => {
    const { june } = await paidYear();
    const { statement } = (await look(june.debtId)).body;
    for (const given of ['Confirmo.', `${statement} `, statement.replace('2025', '2024')]) {
      const answer = await client.call('POST', '/api/annual-quittances', {
        debtId: june.debtId,
        year: YEAR,
        statement: given,
      });
      expect(answer).toMatchObject({
        status: 400,
        body: { errors: [{ pointer: '/statement', code: 'statement_differs' }] },
      });
    }
    expect(await app.query('select 1 from annual_quittances where debt_id = $1', [june.debtId])).toEqual([]);
  });

  it('counts neither the bills of another person nor those of another client or of the sandbox', async () => {
    const { debtorTaxId, june } = await paidYear();
    const unpaid = { dueDate: '2025-07-10', approvedAt: null, status: 'IN_COLLECTION' } as const;
    await billOf(app.query, client.id, { ...unpaid, debtorTaxId: newPerson() });
    await billOf(app.query, other.id, { ...unpaid, debtorTaxId });
    await billOf(app.query, client.id, { ...unpaid, debtorTaxId, sandbox: true });
    expect(await issue(june.debtId)).toMatchObject({ status: 201 });
  });

  it('marks a document of the sandbox', async () => {
    const { june } = await paidYear({ sandbox: true });
    const { body } = await issue(june.debtId);
    expect(await textOf(body.url)).toContain('DOCUMENTO DE TESTE, SEM VALOR');
    expect((await pageOf(body.protocol)).body).toContain('class="test"');
  });

  it('is of its client alone', async () => {
    const { june } = await paidYear();
    const path = `/api/annual-quittances?debtId=${june.debtId}&year=${YEAR}`;
    const foreign = await other.call('GET', path);
    const unknown = await other.call('GET', `/api/annual-quittances?debtId=${randomUUID()}&year=${YEAR}`);
    expect([foreign.status, { ...foreign.body, requestId: '' }]).toEqual([404, { ...unknown.body, requestId: '' }]);
    const body = { debtId: june.debtId, year: YEAR, statement: (await look(june.debtId)).body.statement };
    expect(await other.call('POST', '/api/annual-quittances', body)).toMatchObject(problem(404, 'not_found'));
    expect(await app.get(path)).toMatchObject(problem(401, 'unauthenticated'));
    expect(await app.query('select 1 from annual_quittances where debt_id = $1', [june.debtId])).toEqual([]);
  });
});

describe('the verification of an annual quittance', () => {
  it('confirms it without naming bills or the whole person', async () => {
    const { june } = await paidYear({ debtorName: 'João Antônio da Conceição' });
    const { protocol } = (await issue(june.debtId)).body;
    const { status, body } = await pageOf(protocol);
    expect(status).toBe(200);
    for (const words of ['Declaração autêntica.', protocol, 'Escola Aurora', '2025', '350,75'])
      expect(body).toContain(words);
    for (const words of ['Conceição', `J-${last}`]) expect(body).not.toContain(words);
    expect(await app.get(verifyPath(protocol, quittanceSignature(protocol, 'another')))).toMatchObject(
      problem(401, 'signature_invalid'),
    );
    const asReceipt = await app.get(`/api/receipts/download/${protocol}?sig=${quittanceSignature(protocol)}`);
    expect(asReceipt).toMatchObject(problem(401, 'signature_invalid'));
    const unknown = 'QA-2025-0000000000Z';
    for (const path of [`/api/annual-quittances/download/${unknown}`, `/verify/${unknown}`]) {
      const answer = await app.get(`${path}?sig=${quittanceSignature(unknown)}`);
      expect(answer).toMatchObject(problem(404, 'not_found'));
    }
  });

  it('is known by "É verdade?", which tells nothing of the person', async () => {
    const { june } = await paidYear();
    const { protocol, url } = (await issue(june.debtId)).body;
    const answers = await Promise.all(
      [url, url.replace('annual-quittances', 'receipts'), url.replace('sig=', 'sig=A')].map((content) =>
        app.post<{ genuine: boolean; kind?: string }>('/api/genuine', { content }),
      ),
    );
    expect(answers.map(({ body }) => body)).toMatchObject([{ genuine: true }, { genuine: false }, { genuine: false }]);
    expect(JSON.stringify(answers[0]!.body)).not.toContain(protocol);
  });

  it('says that it is revoked once a payment of a bill went back, and another one is issued later', async () => {
    const { may, june } = await paidYear();
    const { protocol, url } = (await issue(june.debtId)).body;
    await refund(may.paymentId);
    const page = (await pageOf(protocol)).body;
    expect(page).toContain('Declaração revogada em 25/11/2026');
    expect(page).not.toContain('Declaração autêntica.');
    expect(await textOf(url)).toContain('REVOGADA em 25/11/2026');
    const again = await issue(june.debtId);
    expect(again.status).toBe(201);
    expect(again.body.protocol).not.toBe(protocol);
    expect((await pageOf(protocol)).body).toContain('Declaração revogada');
  });

  it('is revoked when a payment that was recorded by mistake is taken back', async () => {
    const campaignId = await client.createCampaign();
    await client.importJson(campaignId, [debtInput(8, { debtorCpf: newPerson(), dueDate: '2025-05-10' })]);
    const [{ id }] = (await client.call('GET', `/api/campaigns/${campaignId}/debts`)).body.items;
    const settled = { amount: 150.75, paidAt: '2026-11-20', method: 'cash' };
    expect((await client.call('POST', `/api/debts/${id}/settle`, settled)).status).toBe(200);
    const { protocol, url } = (await issue(id)).body;
    expect(await textOf(url)).not.toContain('REVOGADA');
    const { paymentId } = (await client.call('GET', `/api/debts/${id}/payments`)).body.items[0];
    expect((await client.call('POST', `/api/settlements/${paymentId}/undo`)).status).toBe(200);
    expect((await pageOf(protocol)).body).toContain('Declaração revogada');
    expect(await textOf(url)).toContain('o credor corrigiu o registro');
    expect((await look(id)).body.refusals).toEqual([{ code: 'owed', debtIds: [id] }]);
  });

  it('is revoked when it states a part that was recorded by mistake, and another one states what came', async () => {
    const campaignId = await client.createCampaign();
    await client.importJson(campaignId, [debtInput(9, { debtorCpf: newPerson(), dueDate: '2025-05-10' })]);
    const [{ id }] = (await client.call('GET', `/api/campaigns/${campaignId}/debts`)).body.items;
    const settle = (amount: number) =>
      client.call('POST', `/api/debts/${id}/settle`, { amount, paidAt: '2026-11-20', method: 'cash' });
    expect((await settle(40)).status).toBe(200);
    const { paymentId } = (await client.call('GET', `/api/debts/${id}/payments`)).body.items[0];
    expect((await settle(150.75)).body.status).toBe('PAID');
    expect((await look(id)).body.bills).toMatchObject([{ paid: 190.75 }]);
    const { protocol } = (await issue(id)).body;
    expect((await client.call('POST', `/api/settlements/${paymentId}/undo`)).status).toBe(200);
    expect((await pageOf(protocol)).body).toContain('Declaração revogada');
    expect((await look(id)).body).toMatchObject({ issued: null, refusals: [], bills: [{ paid: 150.75 }] });
    expect((await issue(id)).status).toBe(201);
  });

  it('stays after an erasure, without the person once the duty to keep it has ended', async () => {
    const { debtorTaxId, june } = await paidYear({ debtorName: 'João Antônio da Conceição' });
    const { protocol, url } = (await issue(june.debtId)).body;
    await app.query(
      "update debts set debtor_name = '(dados apagados)', debtor_tax_id = '', erased_at = now(), erased_person_key = 'k' where debtor_tax_id = $1",
      [debtorTaxId],
    );
    const shortenAt = (moment: string) => shortenReceipts({ db: office.deps.db, now: () => new Date(moment) })();
    await shortenAt('2031-11-01T00:00:00Z');
    expect(await textOf(url)).toContain('João Antônio da Conceição');
    await shortenAt('2032-01-01T00:00:00Z');
    expect(await app.get(pathOf(url))).toMatchObject(problem(404, 'not_found'));
    const { status, body } = await pageOf(protocol);
    expect([status, body.includes('dados apagados'), body.includes('350,75')]).toEqual([200, true, true]);
    const [row] = await app.query<{ facts: unknown }>('select facts from annual_quittances where protocol = $1', [
      protocol,
    ]);
    for (const words of ['João', 'J-', 'M-']) expect(JSON.stringify(row)).not.toContain(words);
  });
});

describe('the page of rights of the person', () => {
  it('leads to the declaration, and says when it is revoked', async () => {
    const { debtorTaxId, may, june } = await paidYear({ sandbox: true });
    const { url, protocol } = (await issue(june.debtId)).body;
    const { path, proof } = await openRightsPage(app, client, debtInput(7, { debtorCpf: debtorTaxId }));
    const shown = async () => (await app.get<string>(`${path}?v=${proof}`)).body;
    const before = await shown();
    expect(before).toContain('você pagou todas as contas de 2025');
    expect(before).toContain(`href="${url}"`);
    await refund(may.paymentId);
    expect(await shown()).toContain('contas de 2025 estão pagas não vale mais');
    const copy = await app.get<{ annualQuittances: unknown }>(`${path}?v=${proof}&format=json`);
    expect(copy.body.annualQuittances).toMatchObject([{ protocol, year: 2025, revokedAt: '2026-11-25T12:00:00.000Z' }]);
  });
});
