import { randomUUID } from 'node:crypto';
import { request as send } from 'node:http';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import readXlsxFile from 'read-excel-file/node';
import { CURRENT_TEMPLATE_VERSION } from '../../src/modules/receipts/texts/document/receipt-data.ts';
import { startCampaignsApp } from '../../testing/campaigns-app.ts';
import { debtInput } from '../../testing/debts.ts';
import { opened } from '../../testing/opened.ts';
import { until } from '../../testing/poll.ts';
import { paidDebt } from '../../testing/receipts-harness.ts';

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

const HOSTILE = ['=1+1', '+Ana', '-Ana', '@Ana', 'Ana; "Bia" & <b>', 'Élcio _x0041_ 😀'];

const app = await opened(startCampaignsApp());
const [client, stranger] = [await app.newClient(), await app.newClient()];
const debts = HOSTILE.map((debtorName, n) =>
  debtInput(n + 1, { debtorName, invoiceId: `=NF${n}`, originalAmount: 1234.5 }),
);
await client.importJson(await client.createCampaign('=Cobrança'), debts);

const download = async (method: string, path: string, accept: string | null, body?: object, who = client) => {
  const response = await fetch(`${app.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${who.token}`,
      ...(accept === null ? {} : { accept }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { response, bytes: Buffer.from(await response.arrayBuffer()) };
};
const exported = (accept: string | null, body: object = {}, who = client) =>
  download('POST', '/api/debts/export', accept, body, who);

const rowsOfCsv = (bytes: Buffer): string[][] => parse(bytes, { bom: true, delimiter: ';', record_delimiter: '\r\n' });
async function rowsOfXlsx(bytes: Buffer): Promise<unknown[][]> {
  const [sheet] = await readXlsxFile(bytes);
  return (sheet as unknown as { data: unknown[][] }).data;
}
const columnOf = (rows: readonly (readonly unknown[])[], header: string): unknown[] => {
  const at = rows[0]?.indexOf(header) ?? -1;
  expect(at).toBeGreaterThanOrEqual(0);
  return rows.slice(1).map((row) => row[at]);
};

describe('POST /api/debts/export', () => {
  it('writes CSV for spreadsheet programs in Brazil, in which no cell is a formula', async () => {
    const { response, bytes } = await exported('text/csv', { sort: 'createdAt' });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('content-disposition')).toMatch(
      /^attachment; filename="dividas-\d{4}-\d\d-\d\d\.csv"$/,
    );
    expect(bytes.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
    const rows = rowsOfCsv(bytes);
    expect(columnOf(rows, 'Nome')).toEqual(["'=1+1", "'+Ana", "'-Ana", "'@Ana", ...HOSTILE.slice(4)]);
    expect(columnOf(rows, 'Fatura')[0]).toBe("'=NF0");
    expect(columnOf(rows, 'Campanha')[0]).toBe("'=Cobrança");
    expect(columnOf(rows, 'Valor')[0]).toBe('1234,50');
    expect(columnOf(rows, 'Vencimento')[0]).toBe('05/10/2026');
    expect(columnOf(rows, 'Telefone')[0]).toBe('(11) 98000-0001');
    expect(columnOf(rows, 'CPF')[0]).toMatch(/^\d{3}\.\d{3}\.\d{3}-\d\d$/);
    expect(columnOf(rows, 'Situação')[0]).toBe('Importada');
    expect(
      bytes
        .toString()
        .split('\r\n')
        .every((line) => !/(?:^|;)"?[=+\-@]/.test(line.replace(BOM, ''))),
    ).toBe(true);
  });

  const BOM = '\ufeff';

  it('writes a workbook with real numbers and dates, and texts as they are', async () => {
    const { response, bytes } = await exported(XLSX, { sort: 'createdAt' });
    expect(response.headers.get('content-type')).toBe(XLSX);
    const rows = await rowsOfXlsx(bytes);
    // A reader may decode what keeps Excel from decoding a text.
    const names = columnOf(rows, 'Nome').map((name) => String(name).replace('_x005F_', '_'));
    expect(names).toEqual(HOSTILE);
    expect(columnOf(rows, 'Valor')[0]).toBe(1234.5);
    expect(columnOf(rows, 'Vencimento')[0]).toEqual(new Date('2026-10-05T00:00:00Z'));
    expect(columnOf(rows, 'Fatura')[0]).toBe('=NF0');
  });

  it.each([null, '*/*', 'application/json'])('answers CSV when Accept is %s', async (accept) => {
    const { response } = await exported(accept);
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  });

  it('exports what the search finds, without regard to its page', async () => {
    const { bytes } = await exported('text/csv', { q: '=NF3', limit: 1 });
    expect(columnOf(rowsOfCsv(bytes), 'Nome')).toEqual(["'@Ana"]);
    expect(rowsOfCsv((await exported('text/csv', {}, stranger)).bytes)).toHaveLength(1);
    expect((await exported('text/csv', { q: '' })).response.status).toBe(400);
  });

  it('is noted in the audit log, without the searched text', async () => {
    await exported('text/csv', { q: 'Élcio', status: ['IMPORTED'] });
    const [entry] = (await client.call('GET', '/api/audit?limit=1')).body.items;
    expect(entry).toMatchObject({
      action: 'debts_exported',
      details: { debts: 1, searched: true, status: 'IMPORTED' },
    });
    expect(JSON.stringify(entry)).not.toMatch(/lcio/i);
  });

  it('a download that is broken off reads no more debts and keeps no connection', async () => {
    const many = await app.newClient();
    const campaignId = await many.createCampaign();
    await app.query(
      `insert into debts (client_id, campaign_id, position, debtor_name, debtor_phone, debtor_tax_id,
         original_amount_centavos, due_date, status)
       select $1, $2, n, repeat('Nome muito comprido ', 9), '+5511900000000', lpad(n::text, 11, '0'), 100, '2026-10-05', 'PAID'
       from generate_series(1, 20000) as n`,
      [many.id, campaignId],
    );
    const reads = async () =>
      (
        await app.query<{ n: number }>(
          `select count(*)::int as n from pg_stat_activity where datname = current_database()
           and usename like '%api_login' and state <> 'idle'`,
        )
      )[0]?.n;
    await new Promise<void>((resolve, reject) => {
      const url = new URL('/api/debts/export', app.url);
      const request = send(
        url,
        {
          method: 'POST',
          headers: { authorization: `Bearer ${many.token}`, 'content-type': 'application/json', accept: XLSX },
        },
        (response) => {
          // One piece is read, and then the caller goes away.
          response.once('data', () => {
            response.destroy();
            resolve();
          });
        },
      );
      request.on('error', reject);
      request.end('{}');
    });
    await until('no statement runs', async () => (await reads()) === 0);
    const whole = await exported('text/csv', {}, many);
    expect(rowsOfCsv(whole.bytes)).toHaveLength(20_001);
    expect(app.logText()).not.toContain('an answer could not be sent');
  });

  it('the answer breaks off without its end when the database fails', async () => {
    const many = await app.newClient();
    const campaignId = await many.createCampaign();
    await app.query(
      `insert into debts (client_id, campaign_id, position, debtor_name, debtor_phone, debtor_tax_id,
         original_amount_centavos, due_date, status, next_contact_at)
       select $1, $2, n, 'Nome', '+5511900000000', lpad(n::text, 11, '0'), 100, '2026-10-05', 'PAID',
         case when n = 1500 then timestamptz 'infinity' end
       from generate_series(1, 2000) as n`,
      [many.id, campaignId],
    );
    // A moment that no date can hold stands for any failure between two portions.
    await expect(exported('text/csv', { sort: 'createdAt' }, many)).rejects.toThrow();
    expect(app.logText()).toContain('an answer could not be sent to its end');
  });
});

describe('GET /api/reports/settlements', () => {
  const report = (query: string, accept = 'application/json', who = client) =>
    download('GET', `/api/reports/settlements?${query}`, accept, undefined, who);
  const jsonOf = async (query: string, who = client) =>
    JSON.parse((await report(query, 'application/json', who)).bytes.toString());

  let refunded: string;

  beforeAll(async () => {
    const at = (text: string) => new Date(text);
    await paidDebt(app.query, client.id, {
      approvedAt: at('2026-11-20T02:30:00Z'),
      amountCentavos: 10_000,
      debtorName: 'Ana de Ontem',
    });
    const paid = await paidDebt(app.query, client.id, {
      approvedAt: at('2026-11-20T12:00:00Z'),
      amountCentavos: 5_050,
      debtorName: '=Bia',
    });
    await paidDebt(app.query, client.id, {
      approvedAt: at('2026-11-20T13:00:00Z'),
      amountCentavos: 777,
      sandbox: false,
    });
    await paidDebt(app.query, stranger.id, { approvedAt: at('2026-11-20T12:00:00Z') });
    // A part of a debt is money that came, although nothing is approved yet.
    const part = await paidDebt(app.query, client.id, {
      approvedAt: null,
      paidCentavos: 1_000,
      status: 'IN_COLLECTION',
    });
    await app.query(`update charges set underpaid_at = $2, paid_at = $2 where id = $1`, [
      part.paymentId,
      at('2026-11-19T15:00:00Z'),
    ]);
    // A settlement stores how it credited the money.
    await app.query(
      `update charges set principal_centavos = 4900, fine_centavos = 98, interest_centavos = 50,
        correction_centavos = 2 where id = $1`,
      [paid.paymentId],
    );
    refunded = paid.paymentId;
    const event = (moment: string, data: object) =>
      app.query(
        `insert into debt_events (client_id, debt_id, at, kind, data) values ($1, $2, $3, 'payment_changed', $4)`,
        [client.id, paid.debtId, moment, JSON.stringify({ paymentId: paid.paymentId, ...data })],
      );
    await event('2026-11-19T12:00:00Z', { problem: 'underpaid' });
    await event('2026-11-21T12:00:00Z', { change: 'refunded', refundedAmount: 20.5 });
    await event('2026-11-21T13:00:00Z', { change: 'refunded', refundedAmount: 30.5 });
    await event('2026-11-22T12:00:00Z', { change: 'charged_back' });
    await event('2026-11-23T12:00:00Z', { change: 'chargeback_reversed' });
    await client.call('POST', `/api/receipts/${paid.debtId}`);
  });

  it('sums payments, refunds and receipts by the days of São Paulo', async () => {
    const { days, totals } = await jsonOf('from=2026-11-19&to=2026-11-23&sandbox=true');
    expect(days.map(({ receipts: _, ...day }: { receipts: number }) => day)).toEqual([
      { date: '2026-11-19', payments: 2, amount: 110, refunds: 0, refunded: 0 },
      { date: '2026-11-20', payments: 1, amount: 50.5, refunds: 0, refunded: 0 },
      { date: '2026-11-21', payments: 0, amount: 0, refunds: 2, refunded: 30.5 },
      { date: '2026-11-22', payments: 0, amount: 0, refunds: 1, refunded: 20 },
      { date: '2026-11-23', payments: 0, amount: 0, refunds: 1, refunded: -20 },
    ]);
    expect(totals).toMatchObject({ payments: 3, amount: 160.5, refunds: 4, refunded: 30.5 });
    const today = new Date(Date.now() - 3 * 3_600_000).toISOString().slice(0, 10);
    expect((await jsonOf(`from=${today}&to=${today}&sandbox=true`)).totals.receipts).toBe(1);
    expect((await jsonOf('from=2026-11-20&to=2026-11-20')).totals).toMatchObject({ payments: 1, amount: 7.77 });
  });

  it('has one line for each payment and each refund, in the order of time', async () => {
    const query = 'from=2026-11-19&to=2026-11-23&sandbox=true';
    const csv = rowsOfCsv((await report(query, 'text/csv')).bytes);
    expect(columnOf(csv, 'Tipo')).toEqual([
      'Pagamento',
      'Pagamento',
      'Pagamento',
      'Devolução',
      'Devolução',
      'Estorno por contestação',
      'Estorno revertido',
    ]);
    expect(columnOf(csv, 'Data').slice(0, 4)).toEqual(['19/11/2026', '19/11/2026', '20/11/2026', '21/11/2026']);
    expect(columnOf(csv, 'Hora').slice(0, 3)).toEqual(['12:00:00', '23:30:00', '09:00:00']);
    expect(columnOf(csv, 'Valor devolvido').slice(3)).toEqual(['20,50', '10,00', '20,00', '-20,00']);
    for (const [header, cell] of [
      ['Principal', '49,00'],
      ['Multa', '0,98'],
      ['Juros', '0,50'],
      ['Correção', '0,02'],
    ] as const) {
      expect(columnOf(csv, header).slice(2, 4)).toEqual([cell, '']);
    }
    expect(columnOf(csv, 'Devedor')[2]).toBe("'=Bia");
    expect(columnOf(csv, 'CPF ou CNPJ')[2]).toMatch(/^\d{3}\.\d{3}\.\d{3}-\d\d$/);
    expect(columnOf(csv, 'Código do pagamento')[2]).toBe(refunded);
    expect(columnOf(csv, 'Recibo')[2]).toMatch(/^QT-/);
    const xlsx = await rowsOfXlsx((await report(query, XLSX)).bytes);
    expect(columnOf(xlsx, 'Valor recebido').slice(0, 3)).toEqual([10, 100, 50.5]);
    const [entry] = (await client.call('GET', '/api/audit?limit=1')).body.items;
    expect(entry).toMatchObject({ action: 'settlements_exported', details: { from: '2026-11-19', to: '2026-11-23' } });
  });

  it('reads more payments than one portion has, each once', async () => {
    const many = await app.newClient();
    const { debtId } = await paidDebt(app.query, many.id, { approvedAt: new Date('2026-10-01T12:00:00Z') });
    await app.query(
      `insert into charges (client_id, debt_id, attempt, provider, status, amount_centavos, paid_centavos, expires_at, approved_at, paid_at)
       select $1, $2, n, 'sandbox', 'APPROVED', 100, 100, now(), timestamptz '2026-10-02T12:00:00Z', '2026-10-02T12:00:00Z'::timestamptz + make_interval(secs => n % 7)
       from generate_series(2, 1201) as n`,
      [many.id, debtId],
    );
    const { bytes } = await report('from=2026-10-01&to=2026-10-02&sandbox=true', 'text/csv', many);
    const ids = columnOf(rowsOfCsv(bytes), 'Código do pagamento');
    expect([ids.length, new Set(ids).size]).toEqual([1_201, 1_201]);
  });

  it.each([
    ['', 'from'],
    ['from=2026-11-01', 'to'],
    ['from=2026-11-02&to=2026-11-01', 'to'],
    ['from=2025-01-01&to=2026-01-02', 'to'],
    ['from=2026-02-30&to=2026-03-01', 'from'],
    ['from=2026-01-01&to=2026-01-02&sandbox=maybe', 'sandbox'],
  ])('refuses ?%s', async (query, parameter) => {
    const { response, bytes } = await report(query);
    expect(response.status).toBe(400);
    expect(JSON.parse(bytes.toString()).errors.map((error: { parameter: string }) => error.parameter)).toContain(
      parameter,
    );
  });

  it('takes a leap year whole', async () => {
    expect((await jsonOf('from=2024-01-01&to=2024-12-31')).days).toHaveLength(366);
  });
});

describe('GET /api/receipts', () => {
  it('lists issued receipts, the newest first, with links that work', async () => {
    const mine = await app.newClient();
    const issued: string[] = [];
    for (const debtorName of ['Ana', 'Bia', 'Caio']) {
      const { debtId } = await paidDebt(app.query, mine.id, { debtorName, amountCentavos: 1_990 });
      issued.push((await mine.call('POST', `/api/receipts/${debtId}`)).body.protocol);
    }
    await app.query(`update receipts set revoked_at = now(), revoked_reason = 'refund' where protocol = $1`, [
      issued[0],
    ]);
    const first = (await mine.call('GET', '/api/receipts?limit=2')).body;
    const rest = (await mine.call('GET', `/api/receipts?limit=2&cursor=${first.nextCursor}`)).body;
    const items = [...first.items, ...rest.items];
    expect(rest.nextCursor).toBeNull();
    expect(items.map(({ protocol }: { protocol: string }) => protocol)).toEqual(issued.toReversed());
    expect(items[0]).toMatchObject({
      debtorName: 'Caio',
      amount: 19.9,
      revokedAt: null,
      sent: false,
      templateVersion: CURRENT_TEMPLATE_VERSION,
    });
    expect(items[2].revokedAt).toEqual(expect.any(String));
    const { pathname, search } = new URL(items[0].url);
    expect((await app.get(pathname + search)).status).toBe(200);
    const ofCampaign = (await mine.call('GET', `/api/receipts?campaignId=${items[1].campaignId}`)).body.items;
    expect(ofCampaign).toEqual([items[1]]);
    const ofDebt = `/api/receipts?debtId=${items[1].debtId}`;
    expect((await mine.call('GET', ofDebt)).body.items).toEqual([items[1]]);
    expect((await mine.call('GET', `${ofDebt}&campaignId=${items[1].campaignId}`)).body.items).toEqual([items[1]]);
    expect((await mine.call('GET', `${ofDebt}&campaignId=${randomUUID()}`)).body.items).toEqual([]);
    expect((await stranger.call('GET', ofDebt)).body.items).toEqual([]);
    expect((await mine.call('GET', '/api/receipts?to=2020-01-01')).body.items).toEqual([]);
    expect((await mine.call('GET', '/api/receipts?from=2020-01-01')).body.items).toHaveLength(3);
    expect((await mine.call('GET', '/api/receipts?cursor=x')).status).toBe(400);
    expect((await stranger.call('GET', `/api/receipts?campaignId=${items[1].campaignId}`)).body.items).toEqual([]);
  });
});
