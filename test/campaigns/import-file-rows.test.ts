import { beforeEach, describe, expect, it } from '@jest/globals';
import { type FileOptions, sendFile, startCampaignsApp } from '../../testing/campaigns-app.ts';
import { cpfOf } from '../../testing/debts.ts';
import { opened } from '../../testing/opened.ts';
import { writeWorkbook } from '../../testing/workbook.ts';

const cpf = (n: number) => cpfOf(300_000_000 + n).replace(/(...)(...)(...)(..)/, '$1.$2.$3-$4');
const CLINIC = [
  ['Clínica Aurora', '', '', '', '', ''],
  ['Nome', 'Contato', 'CPF', 'Valor', 'Vencimento', 'Observação'],
  ['Setembro/2026', '', '', '', '', ''],
  ['Ana Souza', '(11) 98765-0001 (mãe)', cpf(1), '300,00', '20/09/2026', ''],
  ['Pedro Souza (resp. Cláudia Souza)', '(11) 98765-0002', cpf(2), '400,00', '20/09/2026', ''],
  ['Subtotal', '', '', '700,00', '', ''],
  ['Outubro/2026', '', '', '', '', ''],
  ['Total Serviços Ltda', '(11) 3333-4444', '11.222.333/0001-81', '500,00', '20/10/2026', ''],
  ['Bruno Dias', '(11) 98765-0003', '123', '600,00', '20/10/2026', ''],
  ['Rita Prado', '(11) 98765-0004', cpf(4), '800,00', '20/10/2026', 'não cobrar – processo'],
  ['TOTAL GERAL', '', '', '2.600,00', '', ''],
];
const csv = (rows: readonly (readonly string[])[]) => rows.map((row) => row.join(';')).join('\n');
const COLUMNS = { Contato: 'debtorPhone', CPF: 'debtorTaxId' };

const app = await opened(startCampaignsApp());
const client = await app.newClient();

describe('the rows of a file', () => {
  let campaignId: string;

  beforeEach(async () => {
    await app.query("update debts set status = 'STOPPED' where client_id = $1", [client.id]);
    campaignId = await client.createCampaign();
  });
  const send = (file: string | Uint8Array, options: FileOptions = {}) =>
    sendFile(app, client, campaignId, file, { columns: COLUMNS, ...options });
  const names = async () =>
    (await client.call('GET', `/api/campaigns/${campaignId}/debts`)).body.items.map(
      ({ debtorName }: { debtorName: string }) => debtorName,
    );

  it.each(['CSV', 'XLSX'])('that are titles and sums are ignored and told: %s', async (kind) => {
    const file = kind === 'CSV' ? csv(CLINIC) : await writeWorkbook({ Plan1: CLINIC });
    const { status, body } = await send(file);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      imported: 4,
      skipped: 1,
      rows: 5,
      amount: 2000,
      ignored: 4,
      ignoredRows: [3, 6, 7, 11],
    });
    expect(body.errors).toMatchObject([{ index: 3, row: 9, header: 'CPF', value: '123', code: 'cpf_invalid' }]);
    expect(body.columns[0].samples[0]).toBe('Ana Souza');
    expect(await names()).toContain('Total Serviços Ltda');
    const rejected = await send(file, { headers: { accept: 'text/csv' }, checkOnly: true });
    expect(rejected.body).toContain('Bruno Dias');
    expect(rejected.body).not.toMatch(/TOTAL|Subtotal|Setembro/);
  });

  it('are looked at for brackets in a name and for remarks, which are no errors', async () => {
    const { body } = await send(csv(CLINIC), { checkOnly: true });
    expect(body.warned).toBe(2);
    expect(body.warnings).toEqual([
      {
        row: 5,
        header: 'Nome',
        code: 'name_brackets',
        value: 'Pedro Souza (resp. Cláudia Souza)',
        calledAs: 'Pedro',
      },
      { row: 10, header: 'Observação', code: 'remark', value: 'não cobrar – processo', calledAs: 'Rita' },
    ]);
  });

  it('are corrected and left out by the call, as the check said', async () => {
    const changes = { 9: { CPF: cpf(3), Nome: 'Bruno Dias Neto' }, 10: null };
    const check = await send(csv(CLINIC), { changes, checkOnly: true });
    expect(check.body).toMatchObject({ imported: 4, skipped: 0, rows: 4, leftOut: 1, errors: [], amount: 1800 });
    expect(await names()).toEqual([]);
    const { body } = await send(csv(CLINIC), { changes });
    expect(body).toMatchObject({ imported: 4, skipped: 0, leftOut: 1, errors: [], amount: 1800 });
    expect(await names()).toEqual([
      ...['Ana Souza', 'Pedro Souza (resp. Cláudia Souza)', 'Total Serviços Ltda', 'Bruno Dias Neto'],
    ]);
    // Without the change the row is wrong as before: nothing of it was stored.
    expect((await send(csv(CLINIC), { checkOnly: true })).body.errors).toContainEqual(
      expect.objectContaining({ row: 9, code: 'cpf_invalid' }),
    );
  });

  it('are checked with the new texts too, and a changed row is never ignored', async () => {
    const changes = { 9: { CPF: '1234' }, 11: { Contato: '' } };
    const { body } = await send(csv(CLINIC), { changes, checkOnly: true });
    expect(body).toMatchObject({ ignored: 3, rows: 6 });
    expect(body.errors).toContainEqual(expect.objectContaining({ row: 9, header: 'CPF', value: '1234' }));
    expect(body.errors).toContainEqual(
      expect.objectContaining({ row: 11, header: 'CPF', value: null, code: 'required' }),
    );
  });

  it('in changes that no row, no column or no limit knows are 400 at /changes', async () => {
    const many = Object.fromEntries(Array.from({ length: 1_001 }, (_, at) => [at + 1, null]));
    for (const [changes, code] of [
      ['{', 'invalid_format'],
      [{ 99: null }, 'unknown_row'],
      [{ 2: null }, 'unknown_row'],
      [{ 9: { Documento: '1' } }, 'unknown_header'],
      [{ 9: { CPF: 'x'.repeat(501) } }, 'too_long'],
      [many, 'too_long'],
    ] as const) {
      const { status, body } = await send(csv(CLINIC), { changes });
      expect([status, body.errors]).toEqual([400, [expect.objectContaining({ pointer: '/changes', code })]]);
    }
    expect((await send(csv(CLINIC), { changes: `{"9": {"CPF": "${'1'.repeat(300_000)}"}}` })).status).toBe(413);
    expect(await names()).toEqual([]);
  });

  it('tell what a column is whose header is unknown, and it is imported only when the caller says so', async () => {
    const rows = [
      ['Nome', 'Contato', 'Documento', 'Quanto', 'Quando', 'Correio', 'Nascimento'],
      ['Ana', '(11) 98765-0001', cpf(1), '300,00', '20/09/2026', 'ana@exemplo.com.br', '01/02/1990'],
      ['Bia', '(11) 98765-0002', cpf(2), '400,00', '20/09/2026', 'bia@exemplo.com.br', '01/02/1991'],
    ];
    const { body } = await send(csv(rows), { columns: {}, checkOnly: true });
    expect(body.columns.map(({ proposed }: { proposed: string }) => proposed)).toEqual([
      ...[null, 'debtorPhone', 'debtorCpf', 'originalAmount', 'dueDate', 'debtorEmail', null],
    ]);
    expect(body.missing).toEqual(['debtorPhone', 'debtorCpf', 'originalAmount', 'dueDate']);
    const refused = await send(csv(rows), { columns: {} });
    expect(refused.status).toBe(400);
    const twice = rows.map(([name, ...cells]) => [name!, cells[0]!, ...cells]);
    twice[0]![2] = 'Outro';
    const both = await send(csv(twice), { columns: {}, checkOnly: true });
    expect(both.body.columns.slice(1, 3)).toMatchObject([
      { header: 'Contato', looksLike: 'debtorPhone', proposed: null },
      { header: 'Outro', looksLike: 'debtorPhone', proposed: null },
    ]);
  });
});
