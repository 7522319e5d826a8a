import { beforeEach, describe, expect, it } from '@jest/globals';
import { type FileOptions, sendFile, startCampaignsApp } from '../../testing/campaigns-app.ts';
import { cpfOf } from '../../testing/debts.ts';
import { opened } from '../../testing/opened.ts';
import { rawRow, workbookEntries, writeWorkbook, zip } from '../../testing/workbook.ts';

const HEADER = ['Nome', 'Telefone', 'CPF', 'Valor', 'Vencimento', 'Fatura'];
const day = (text: string) => new Date(`${text}T00:00:00Z`);
const row = (n: number, ...given: readonly (string | number | Date | null)[]) =>
  HEADER.map(
    (_, at) =>
      given[at] ??
      [`José Antônio ${n}`, '(11) 98765-4321', cpfOf(200_000_000 + n), 1234.56, day('2026-11-20'), `F-${n}`][at]!,
  );

const app = await opened(startCampaignsApp());
const client = await app.newClient();

describe('file import', () => {
  let campaignId: string;

  const importFile = (id: string, file: string | Uint8Array, options?: FileOptions) =>
    sendFile(app, client, id, file, options);
  beforeEach(async () => {
    await app.query("update debts set status = 'STOPPED' where client_id = $1", [client.id]);
    campaignId = await client.createCampaign();
  });

  const debts = async () => (await client.call('GET', `/api/campaigns/${campaignId}/debts`)).body.items;
  const send = async (rows: Parameters<typeof writeWorkbook>[0][string], options = {}) =>
    (await importFile(campaignId, await writeWorkbook({ Plan1: rows }), options)).body;
  const problemsOf = async (file: string | Uint8Array, options = {}) => {
    const { status, body } = await importFile(campaignId, file, options);
    expect([status, body.code]).toEqual([400, 'validation_failed']);
    return body.errors.map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`);
  };

  it('imports the workbook of a school and tells how it was understood', async () => {
    const file = await writeWorkbook({
      Capa: [['Colégio Aurora']],
      'Em aberto': [
        [{ value: 'Relatório de inadimplência — novembro', columnSpan: 8 }],
        [],
        [
          'Aluno',
          'Responsável',
          'Celular resp.',
          'CPF do responsável',
          'Valor em aberto',
          'Vencto',
          'Nº boleto',
          'E-mail',
          'Multa %',
          'Obs',
        ],
        [
          ...['Bia', 'Ana Souza', '(11) 98765-0001', '529.982.247-25'],
          ...[
            { value: 1200.5, format: '"R$"\\ #,##0.00' },
            day('2026-10-10'),
            4471,
            'ana@exemplo.com.br',
            { value: 0.02, format: '0%' },
            'bolsa',
          ],
        ],
        [],
        ['Caio', 'Bruno Dias', 11987650002, 1234567891, 'R$ 1.300,00', '20/11/2026', 'B-2', null, null, null],
      ],
    });
    const { status, body } = await importFile(campaignId, file);
    expect(status).toBe(200);
    expect(body).toEqual({
      imported: 1,
      skipped: 1,
      rows: 2,
      amount: 1200.5,
      sheets: ['Capa', 'Em aberto'],
      ignored: 0,
      ignoredRows: [],
      leftOut: 0,
      warnings: [],
      warned: 0,
      columns: [
        { header: 'Aluno', field: null, samples: ['Bia', 'Caio'] },
        { header: 'Responsável', field: 'debtorName', samples: ['Ana Souza', 'Bruno Dias'] },
        { header: 'Celular resp.', field: 'debtorPhone', samples: ['(11) 98765-0001', '11987650002'] },
        { header: 'CPF do responsável', field: 'debtorCpf', samples: ['529.982.247-25', '1234567891'] },
        { header: 'Valor em aberto', field: 'originalAmount', samples: ['1200,5', 'R$ 1.300,00'] },
        { header: 'Vencto', field: 'dueDate', samples: ['10/10/2026', '20/11/2026'] },
        { header: 'Nº boleto', field: 'invoiceId', samples: ['4471', 'B-2'] },
        { header: 'E-mail', field: 'debtorEmail', samples: ['ana@exemplo.com.br'] },
        { header: 'Multa %', field: null, samples: ['0,02'] },
        { header: 'Obs', field: null, samples: ['bolsa'] },
      ].map((column) => ({ ...column, looksLike: null, proposed: null })),
      errors: [
        {
          index: 1,
          pointer: '/debts/1/debtorCpf',
          code: 'cpf_invalid',
          message: 'A CPF with right check digits is expected',
          invoiceId: 'B-2',
          row: 6,
          header: 'CPF do responsável',
          value: '1234567891',
        },
      ],
    });
    expect(await debts()).toMatchObject([
      {
        debtorName: 'Ana Souza',
        debtorPhone: '+5511987650001',
        debtorCpf: '52998224725',
        originalAmount: 1200.5,
        dueDate: '2026-10-10',
        invoiceId: '4471',
        debtorEmail: 'ana@exemplo.com.br',
      },
    ]);
    const [entry] = (await client.call('GET', '/api/audit')).body.items;
    expect(entry).toMatchObject({ action: 'debts_imported', target: campaignId, details: { imported: 1, skipped: 1 } });
  });

  it('reads the same table as CSV, guesses included', async () => {
    const csv =
      'Colégio Aurora;;;;\n\nAluno;Celular resp.;CPF;Valor em aberto (R$);Vencto\nAna, a boa;(11) 98765-0001;529.982.247-25;1.200,50;10/10/2026\n';
    const { body } = await importFile(campaignId, csv);
    expect(body).toMatchObject({ imported: 1, errors: [], sheets: [], rows: 1, amount: 1200.5 });
    expect(body.columns.map(({ field }: { field: string }) => field)).toEqual([
      ...['debtorName', 'debtorPhone', 'debtorCpf', 'originalAmount', 'dueDate'],
    ]);
    expect((await debts())[0].debtorName).toBe('Ana, a boa');
  });

  it('shifts no date, whatever the time zone, the format and the epoch of the workbook are', async () => {
    const cells = [
      day('2026-01-01'),
      day('2026-12-31'),
      new Date('2026-02-28T23:59:00Z'),
      '28/02/2026 00:00:00',
      '2026-03-01',
    ];
    const formatted = { value: day('2026-10-18'), format: '[$-416]d\\-mmm\\-yy;@' };
    await send([
      HEADER,
      ...cells.map((cell, n) => row(n, null, null, null, null, cell)),
      [...row(9).slice(0, 4), formatted as never, 'F-9'],
    ]);
    expect((await debts()).map(({ dueDate }: { dueDate: string }) => dueDate)).toEqual([
      ...['2026-01-01', '2026-12-31', '2026-02-28', '2026-02-28', '2026-03-01', '2026-10-18'],
    ]);
    const texts = row(20).map(String);
    const rowOf1904 = `${rawRow(2, texts.slice(0, 4)).replace('1234.56', '10,00').replace('</row>', '')}<c r="E2" s="1"><v>44885</v></c></row>`;
    const entries = workbookEntries([{ name: 'A', data: rawRow(1, HEADER) + rowOf1904 }], { date1904: true });
    const { body } = await importFile(campaignId, zip(entries));
    expect(body.errors).toEqual([]);
    expect((await debts()).at(-1).dueDate).toBe('2026-11-21');
  });

  it('restores lost zeros of a CPF only when its check digits are right, and keeps numbers as they are', async () => {
    const lost = Number(cpfOf(12_345_678));
    const body = await send([
      [...HEADER, 'Telefone 2'],
      [...row(1, null, 5511987654321, lost, 0.1 + 0.2, null, 900719), 1133334444],
      [...row(2, null, null, lost + 1), null],
      [...row(3, null, null, null, 33.333), null],
      [...row(4, null, null, null, null, 46346), null],
      [...row(5, null, null, null, null, null, 1e20), null],
      [...row(6, null, null, null, null, null, day('2026-11-01')), null],
      [...row(7, 123), null],
    ]);
    expect(body.errors.map((e: Record<string, unknown>) => [e['row'], e['code'], e['value']])).toEqual([
      [3, 'cpf_invalid', String(lost + 1)],
      [4, 'amount_invalid', '33,333'],
      [5, 'date_invalid', '46346'],
      [6, 'invoice_invalid', '100000000000000000000'],
      [7, 'invoice_invalid', '01/11/2026'],
      [8, 'name_invalid', '123'],
    ]);
    expect(await debts()).toMatchObject([
      {
        debtorCpf: cpfOf(12_345_678),
        originalAmount: 0.3,
        invoiceId: '900719',
        debtorPhones: ['+5511987654321', '+551133334444'],
      },
    ]);
  });

  it('takes the stored result of a formula, and an error for an empty cell', async () => {
    const texts = row(1).map(String);
    const formula = `<row r="2">${[
      `<c r="A2" t="str"><f>CONCATENATE("Ana"," Souza")</f><v>Ana Souza</v></c>`,
      `<c r="B2" t="str"><f>X1</f><v>(11) 98765-4321</v></c>`,
      `<c r="C2" t="e"><f>VLOOKUP(1,A1,1)</f><v>#N/A</v></c>`,
      `<c r="D2"><f>1200+0.5</f><v>1200.5</v></c>`,
      `<c r="E2" s="1"><f>TODAY()</f><v>46346</v></c>`,
    ].join('')}</row>`;
    const second = rawRow(3, [...texts.slice(0, 3), '10,00', '20/11/2026']);
    const file = zip(workbookEntries([{ name: 'A', data: rawRow(1, HEADER.slice(0, 5)) + formula + second }]));
    const { body } = await importFile(campaignId, file);
    expect([body.imported, body.rows]).toEqual([1, 2]);
    expect(body.errors).toMatchObject([{ row: 2, pointer: '/debts/0/debtorCpf', code: 'required', value: null }]);
    expect(body.columns[3].samples[0]).toBe('1200,5');
    expect(body.columns[4].samples[0]).toBe('20/11/2026');
  });

  it('maps columns by their exact headers, those of the same name and those without a name too', async () => {
    const rows = [
      ['Pessoa', 'Zap', 'Documento', 'Valor', 'Valor', null, 'Quando'],
      ['Ana Souza', '11987654321', '529.982.247-25', 1, 99.9, 'N-1', '20/11/2026'],
    ];
    const checked = await send(rows, { checkOnly: true });
    expect(checked).toMatchObject({
      ...{ imported: 0, skipped: 1, errors: [], amount: 0, rows: 1 },
      missing: ['debtorName', 'debtorCpf', 'dueDate'],
    });
    const headers = ['Pessoa', 'Zap', 'Documento', 'Valor', 'Valor (2)', 'Coluna F', 'Quando'];
    expect(checked.columns.map(({ header }: { header: string }) => header)).toEqual(headers);
    const columns = {
      ...{ Pessoa: 'debtorName', Documento: 'debtorTaxId', Valor: null, 'Valor (2)': 'originalAmount' },
      ...{ 'Coluna F': 'invoiceId', Quando: 'dueDate' },
    };
    const body = await send(rows, { columns });
    expect(body).toMatchObject({ imported: 1, errors: [], amount: 99.9 });
    expect(body.columns.map(({ field }: { field: string }) => field)).toEqual([
      ...['debtorName', 'debtorPhone', 'debtorTaxId', null, 'originalAmount', 'invoiceId', 'dueDate'],
    ]);
    expect(await debts()).toMatchObject([{ originalAmount: 99.9, invoiceId: 'N-1' }]);
    // What an answer says about the columns can be sent as the mapping, and gives the same.
    const said = Object.fromEntries(body.columns.map((c: { header: string; field: string }) => [c.header, c.field]));
    expect((await send(rows, { columns: said, checkOnly: true })).columns).toEqual(body.columns);
  });

  it('refuses a mapping that is not one of this sheet', async () => {
    const file = await writeWorkbook({ Plan1: [HEADER, row(1)] });
    const refused = async (columns: object | string) => problemsOf(file, { columns });
    expect(await refused({ nome: 'debtorName' })).toEqual(['/columns unknown_header']);
    expect(await refused({ Nome: 'name' })).toEqual(['/columns invalid_value']);
    expect(await refused({ Nome: 'debtorName', Fatura: 'debtorName' })).toEqual(['/columns duplicate']);
    expect(await refused('{')).toEqual(['/columns invalid_format']);
    expect(await refused('[]')).toEqual(['/columns invalid_type']);
    expect(await refused({ Nome: null, Valor: null })).toEqual(['/columns required', '/columns required']);
    expect(await debts()).toEqual([]);
  });

  it('reads the sheet that is named, else the first one with data, and never a hidden one', async () => {
    const sheet = (n: number) =>
      rawRow(1, HEADER.slice(0, 5)) + rawRow(2, [...row(n).slice(0, 3).map(String), '10,00', '20/11/2026']);
    const file = zip(
      workbookEntries([
        { name: 'Listas', state: 'hidden', data: sheet(1) },
        { name: 'Capa', data: rawRow(1, ['Colégio']) },
        { name: 'Outubro', data: sheet(2) },
        { name: 'Novembro', data: sheet(3) },
        { name: 'Segredo', state: 'veryHidden', data: sheet(4) },
      ]),
    );
    const namesOf = async (options: object) => {
      const { body } = await importFile(campaignId, file, { ...options, checkOnly: true });
      return [body.sheets, body.columns[0].samples];
    };
    const sheets = ['Capa', 'Outubro', 'Novembro'];
    expect(await namesOf({})).toEqual([sheets, ['José Antônio 2']]);
    expect(await namesOf({ sheet: 'Novembro' })).toEqual([sheets, ['José Antônio 3']]);
    for (const wrong of ['Dezembro', 'Listas', 'Segredo']) {
      expect(await problemsOf(file, { sheet: wrong })).toEqual(['/sheet unknown_sheet']);
    }
    expect(await problemsOf(file, { sheet: 'Capa' })).toEqual(['/file too_short']);
    expect(await problemsOf(HEADER.join(';'), { sheet: 'Capa' })).toEqual(['/sheet unknown_sheet']);
  });

  it('returns the rejected rows as a CSV that can be corrected and sent again', async () => {
    const cpf = cpfOf(12_345_678);
    const rows = [
      [...HEADER, 'Obs'],
      [...row(1), 'fica'],
      [...row(2, null, '+55 11 98765-4321', Number(cpf), -5), '=1+1; "x"'],
      [...row(3, 'J', '123'), null],
      [...row(1), null],
    ];
    const file = await writeWorkbook({ Plan1: rows });
    const headers = { accept: 'text/csv', 'idempotency-key': 'one' };
    const { status, body, headers: answered } = await importFile(campaignId, file, { headers });
    expect([status, answered?.get('content-type'), answered?.get('vary')]).toEqual([
      ...[200, 'text/csv; charset=utf-8', expect.stringContaining('Accept')],
    ]);
    const lines = [
      'Nome;Telefone;CPF;Valor;Vencimento;Fatura;Obs;erro',
      `José Antônio 2;'+55 11 98765-4321;${Number(cpf)};'-5;20/11/2026;F-2;"'=1+1; ""x""";Valor deve ser maior que zero e ter até duas casas decimais, como 1.234,56`,
      `J;123;${cpfOf(200_000_003)};1234,56;20/11/2026;F-3;;"Nome deve ter de 2 a 200 letras, em uma linha, e só o nome, sem links nem avisos; Telefone não é um número brasileiro com DDD"`,
      `José Antônio 1;(11) 98765-4321;${cpfOf(200_000_001)};1234,56;20/11/2026;F-1;;Esta dívida já foi importada ou está repetida na planilha`,
    ];
    expect(body).toBe(`\uFEFF${lines.join('\r\n')}\r\n`);
    // A repetition with the same key gets the same text, and another kind of answer is another request.
    expect((await importFile(campaignId, file, { headers })).body).toBe(body);
    const asJson = { headers: { 'idempotency-key': 'one' } };
    expect((await importFile(campaignId, file, asJson)).status).toBe(422);

    const corrected = body.replace("'-5;", '5,00;').replace('J;123;', 'Jo;11987654321;');
    const again = (await importFile(campaignId, corrected)).body;
    expect(again).toMatchObject({ imported: 2, skipped: 1, errors: [{ row: 4, code: 'duplicate' }] });
    expect((await debts()).map((debt: { debtorCpf: string }) => debt.debtorCpf)).toContain(cpf);
    expect(await problemsOf('a;b\n1;2', { checkOnly: true, headers: { accept: 'text/csv' } })).toEqual(
      Array(5).fill('/columns required'),
    );
  });

  it('stores nothing in a check, and says the amount of what would enter', async () => {
    const rows = [HEADER, row(1), row(2), row(2), row(3, null, null, null, 'x')];
    const checked = await send(rows, { checkOnly: true });
    expect(checked).toMatchObject({ imported: 2, skipped: 2, rows: 4, amount: 2469.12 });
    expect(await debts()).toEqual([]);
    expect(await send(rows)).toEqual(checked);
    expect(await send(rows)).toMatchObject({ imported: 0, skipped: 4, amount: 0 });
    const other = await (await app.newClient()).createCampaign();
    expect(
      (
        await importFile(
          other,
          await writeWorkbook({
            A: [
              ['a', 'b'],
              ['1', '2'],
            ],
          }),
          { checkOnly: true },
        )
      ).status,
    ).toBe(404);
  });

  it('tells the kind of a file by its content', async () => {
    const start = (...bytes: number[]) => Buffer.concat([Buffer.from(bytes), Buffer.alloc(2_000, 1)]);
    expect(await problemsOf(start(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1))).toEqual([
      '/file unsupported_format',
    ]);
    expect(await problemsOf('%PDF-1.7\n')).toEqual(['/file unsupported_format']);
    expect(await problemsOf('\uFEFF <html><table><tr><td>Nome')).toEqual(['/file unsupported_format']);
    expect(await problemsOf(Buffer.from('Nome;CPF', 'utf16le'))).toEqual(['/file unsupported_format']);
    expect(await problemsOf(zip([{ name: 'word/document.xml', content: '<a/>' }]))).toEqual([
      '/file unsupported_format',
    ]);
    expect(await problemsOf('')).toEqual(['/file too_short']);
    expect(await problemsOf(HEADER.join(';'))).toEqual(['/file too_short']);
    expect(await problemsOf(`${HEADER.join(';')}\n"a`)).toEqual(['/file invalid_format']);
  });

  it('refuses more than 50,000 rows, 200 columns, 20 sheets and 32 MiB', async () => {
    expect(await problemsOf(`${HEADER.join(';')}\n${'x\n'.repeat(50_001)}`)).toEqual(['/file too_long']);
    expect(await problemsOf(`${HEADER.join(';')}\n${';'.repeat(200)}x`)).toEqual(['/file too_long']);
    expect(await problemsOf(await writeWorkbook({ A: [HEADER, Array(201).fill('x')] }))).toEqual(['/file too_long']);
    const sheets = Array.from({ length: 21 }, (_, n) => ({ name: `S${n}`, data: '' }));
    expect(await problemsOf(zip(workbookEntries(sheets)))).toEqual(['/file too_long']);
    expect((await importFile(campaignId, Buffer.alloc(33 * 1024 * 1024, 'x'))).status).toBe(413);
  });
});
