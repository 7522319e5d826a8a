import { beforeEach, describe, expect, it } from '@jest/globals';
import { startCampaignsApp, type TestClient } from '../../testing/campaigns-app.ts';
import { cpfOf, debtInput, debtInputs } from '../../testing/debts.ts';
import { opened } from '../../testing/opened.ts';

const HEADER = 'nome;telefone;cpf;valor;vencimento;fatura;email';
const row = (n: number, given: Partial<Record<'nome' | 'valor' | 'vencimento' | 'fatura', string>> = {}) =>
  [
    given.nome ?? `José Antônio ${n}`,
    '(11) 98765-4321',
    cpfOf(200_000_000 + n),
    given.valor ?? '1.234,56',
    given.vencimento ?? '20/11/2026',
    given.fatura ?? `F-${n}`,
    '',
  ].join(';');

const app = await opened(startCampaignsApp());

describe('CSV import', () => {
  let client: TestClient;
  let campaignId: string;

  beforeEach(async () => {
    client = await app.newClient();
    campaignId = await client.createCampaign();
  });

  const debts = async () => (await client.call('GET', `/api/campaigns/${campaignId}/debts`)).body.items;
  const problemsOf = async (csv: string | Uint8Array) => {
    const { status, body } = await client.importCsv(campaignId, csv);
    expect([status, body.code]).toEqual([400, 'validation_failed']);
    return body.errors.map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`);
  };

  it('reads a Brazilian spreadsheet', async () => {
    const { body } = await client.importCsv(campaignId, `${HEADER}\r\n${row(1)}\r\n`);
    expect(body).toEqual({ imported: 1, skipped: 0, errors: [] });
    expect(await debts()).toMatchObject([
      {
        debtorName: 'José Antônio 1',
        debtorPhone: '+5511987654321',
        debtorCpf: cpfOf(200_000_001),
        originalAmount: 1234.56,
        dueDate: '2026-11-20',
        invoiceId: 'F-1',
        debtorEmail: null,
      },
    ]);
  });

  it.each([
    ['UTF-8 with a byte order mark', (text: string) => Buffer.from(`\uFEFF${text}`)],
    ['Latin-1', (text: string) => Buffer.from(text, 'latin1')],
    ['tabs', (text: string) => Buffer.from(text.replaceAll(';', '\t'))],
    ['line feeds alone', (text: string) => Buffer.from(text.replaceAll('\r\n', '\n'))],
    ['carriage returns alone', (text: string) => Buffer.from(text.replaceAll('\r\n', '\r'))],
    ['quotes around all', (text: string) => Buffer.from(text.replaceAll(/[^;\r\n]+/g, '"$&"'))],
  ])('reads %s', async (_, encode) => {
    const { body } = await client.importCsv(campaignId, encode(`${HEADER}\r\n${row(1)}\r\n${row(2)}`));
    expect(body).toEqual({ imported: 2, skipped: 0, errors: [] });
    expect((await debts())[0].debtorName).toBe('José Antônio 1');
  });

  it('reads English headers in any order, case and accent, commas as delimiters, and ignores unknown columns', async () => {
    const csv = `Observação,DUE DATE,Original Amount,"Debtor-Name",CPF,Celular,Telefone,e-mail
"x, y",2026-10-05,10.50,"Silva, ""Zé"" da",${cpfOf(300_000_000)},,1133334444,ze@exemplo.com.br
`;
    expect((await client.importCsv(campaignId, csv)).body.errors).toEqual([]);
    expect(await debts()).toMatchObject([
      {
        debtorName: 'Silva, "Zé" da',
        originalAmount: 10.5,
        debtorPhone: '+551133334444',
        debtorEmail: 'ze@exemplo.com.br',
        invoiceId: null,
      },
    ]);
  });

  it.each([
    ['R$ 1.234.567,8', 1_234_567.8],
    ['19,99', 19.99],
    ['19.99', 19.99],
    ['100', 100],
    ['1234.5', 1234.5],
  ])('reads the amount %s', async (valor, reais) => {
    await client.importCsv(campaignId, `${HEADER}\n${row(1, { valor })}`);
    expect((await debts())[0].originalAmount).toBe(reais);
  });

  it.each(['1.234', '10,999', '1,234.56', '1e3', '-5', '0', 'mil', 'NaN', '0x10', 'Infinity'])(
    'refuses the amount %s',
    async (valor) => {
      const { body } = await client.importCsv(campaignId, `${HEADER}\n${row(1, { valor })}`);
      expect(body.errors).toMatchObject([{ pointer: '/debts/0/originalAmount', code: 'amount_invalid', row: 2 }]);
    },
  );

  it('counts rows like the spreadsheet, including quoted line breaks and blank lines', async () => {
    const lines = [
      HEADER,
      row(1, { nome: '"José\nda Silva"' }),
      '',
      ';;;;;;',
      row(2, { vencimento: '30/02/2026' }),
      row(3),
      ';;;1,00;;;',
    ];
    const { body } = await client.importCsv(campaignId, lines.join('\r\n'));
    expect([body.imported, body.skipped]).toEqual([1, 3]);
    const found = body.errors.map((e: { index: number; row: number; code: string }) => [e.index, e.row, e.code]);
    expect(found).toEqual([
      [0, 2, 'name_invalid'],
      [1, 5, 'date_invalid'],
      [3, 7, 'required'],
      [3, 7, 'required'],
      [3, 7, 'required'],
      [3, 7, 'required'],
    ]);
  });

  it('names the row of a duplicate', async () => {
    await client.importCsv(campaignId, `${HEADER}\n${row(1)}`);
    const { body } = await client.importCsv(campaignId, `${HEADER}\n${row(2)}\n\n${row(1)}`);
    expect(body.errors).toMatchObject([{ index: 1, row: 4, code: 'duplicate', invoiceId: 'F-1' }]);
  });

  it('stores a text that looks like a formula unchanged', async () => {
    const nome = '=HYPERLINK(A1)';
    await client.importCsv(campaignId, `${HEADER}\n${row(1, { nome, fatura: '@SUM(1)' })}`);
    expect(await debts()).toMatchObject([{ debtorName: nome, invoiceId: '@SUM(1)' }]);
  });

  it('stores nothing in a dry run', async () => {
    const csv = `${HEADER}\n${row(1)}\n${row(2, { valor: 'x' })}`;
    const checked = await client.importCsv(campaignId, csv, { checkOnly: true });
    expect(await debts()).toEqual([]);
    expect(checked.body).toEqual((await client.importCsv(campaignId, csv)).body);
  });

  it('refuses a file that is not a spreadsheet of debts', async () => {
    expect(await problemsOf('')).toEqual(['/debts too_short']);
    expect(await problemsOf(HEADER)).toEqual(['/debts too_short']);
    expect(await problemsOf(`a;b\n1;2`)).toEqual(Array(5).fill('/file required'));
    expect(await problemsOf(`${HEADER}\n"José;11`)).toEqual(['/file invalid_format']);
    expect(await problemsOf(`${HEADER}\n${'x'.repeat(20_000_000)}`)).toEqual(['/file too_long']);
    expect(await problemsOf('x'.repeat(20_000_000))).toEqual(['/file too_long']);
    expect(await problemsOf(Buffer.alloc(100_000))).not.toEqual([]);
    expect(await problemsOf(`${HEADER}\n${`${row(1)}\n`.repeat(50_001)}`)).toEqual(['/debts too_long']);
    expect(await debts()).toEqual([]);
  });

  it('needs the field "file"', async () => {
    const form = new FormData();
    form.set('other', 'x');
    const response = await fetch(`${app.url}/api/import/csv/${campaignId}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${client.token}` },
      body: form,
    });
    expect([response.status, ((await response.json()) as { errors: object[] }).errors]).toMatchObject([
      400,
      [{ pointer: '/file', code: 'required' }],
    ]);
  });

  it('imports a large file as the JSON import does', async () => {
    const list = debtInputs(20_000);
    const fields = Object.keys(debtInput(1)) as (keyof ReturnType<typeof debtInput>)[];
    const csv = [fields.join(), ...list.map((debt) => fields.map((field) => debt[field]).join())].join('\n');
    expect((await client.importCsv(campaignId, csv)).body).toEqual({ imported: 20_000, skipped: 0, errors: [] });
    expect((await client.importJson(campaignId, list)).body).toMatchObject({ imported: 0, skipped: 20_000 });
  });
});
