import { describe, expect, it } from '@jest/globals';
import { expectCostBelow } from '../../../../../testing/cpu-cost.ts';
import { delimiterOf } from '../../rules/spreadsheet/csv-sheet.ts';
import { findHeader } from '../../rules/spreadsheet/find-header.ts';
import { headersOf } from '../../rules/spreadsheet/header-names.ts';
import type { SheetRow } from '../../rules/spreadsheet/sheet-row.ts';
import type { GivenColumns } from './given-columns.ts';
import { guessField } from './guess-field.ts';
import { fieldsOf, scoreOfHeader } from './headers.ts';

const NONE = new Map();
const guessed = (...headers: string[]) => fieldsOf(headers, NONE);
const headerOf = (rows: readonly SheetRow[], given: GivenColumns) =>
  findHeader(rows, (row) => scoreOfHeader(row, given));
const delimiter = (start: string, given: GivenColumns) =>
  delimiterOf(start, (name) => given.has(name) || guessField(name) !== null);

describe('guesses of columns', () => {
  it.each([
    [
      'debtorName',
      ['Nome', 'Aluno', 'Aluno(a)', 'PACIENTE', 'Responsável', 'Responsável Financeiro', 'Nome do cliente'],
    ],
    ['debtorPhone', ['Celular resp.', 'Tel.', 'WhatsApp', 'Fone do responsável', 'Telefone 3', 'Cel. aluno']],
    ['debtorCpf', ['CPF', 'C.P.F.', 'CPF do responsável', 'CPF Resp. Financeiro']],
    ['debtorTaxId', ['CPF/CNPJ', 'CPF ou CNPJ', 'cpf / cnpj do cliente']],
    ['originalAmount', ['Valor', 'Valor (R$)', 'VALOR EM ABERTO', 'Valor da mensalidade R$', 'Saldo devedor']],
    ['originalAmount', ['Vlr. em aberto', 'VLR', 'Vl. Total', 'Mensalidade (R$)', 'Parcela R$', 'Total (R$)']],
    ['dueDate', ['Vencimento', 'Vencto', 'Vcto.', 'Dt. Venc.', 'Data de vencimento', 'Data Vencto']],
    ['invoiceId', ['Fatura', 'Nº boleto', 'N° do boleto', 'Número da fatura', 'Nosso número', 'NF']],
    ['debtorEmail', ['E-mail', 'e-mail do responsável', 'Correio eletrônico']],
  ])('take for %s: %j', (field, headers) => {
    expect(headers.map((header) => guessField(header)?.field)).toEqual(headers.map(() => field));
  });

  it('take nothing for a header that only contains a known word', () => {
    const others = [
      'Valor pago',
      'Multa %',
      'Valor %',
      'Vlr. pago',
      'Valor pago (R$)',
      'Mensalidade',
      'Total',
      'Nome da mãe',
      'Data',
      'Documento',
      'Contrato',
      'Matrícula',
      'Turma',
      '',
      'x',
    ];
    expect(others.map(guessField)).toEqual(others.map(() => null));
  });

  it('belong to the person whose name is imported, and never to somebody less responsible', () => {
    expect(guessed('Aluno', 'CPF', 'Responsável', 'CPF do responsável', 'Celular do aluno', 'Celular resp.')).toEqual([
      ...[null, null, 'debtorName', 'debtorCpf', null, 'debtorPhone'],
    ]);
    expect(guessed('Responsável', 'CPF', 'Telefone')).toEqual(['debtorName', 'debtorCpf', 'debtorPhone']);
    expect(guessed('Aluno', 'Celular resp.')).toEqual(['debtorName', 'debtorPhone']);
  });

  it('use each field once, and lists for further phones and addresses', () => {
    expect(guessed('Nome', 'Cliente', 'CPF', 'CPF/CNPJ', 'CNPJ', 'Valor', 'Valor total')).toEqual([
      ...['debtorName', null, 'debtorCpf', null, 'debtorCnpj', 'originalAmount', null],
    ]);
    expect(guessed('Celular', 'Telefone', 'Tel 2', 'E-mail', 'E-mail 2')).toEqual([
      ...['debtorPhone', 'debtorPhones', 'debtorPhones', 'debtorEmail', 'debtorEmails'],
    ]);
    expect(fieldsOf(['Nome', 'Cliente'], new Map([['Cliente', 'debtorName' as const]]))).toEqual([null, 'debtorName']);
  });
});

describe('the header of a sheet', () => {
  const row = (...cells: string[]) => ({ row: 1, cells });
  const title = row('Colégio Aurora', '', 'Relatório');

  it('is the row with most known names, or that the mapping names', () => {
    expect(headerOf([title, row('Grupo'), row('Aluno', 'CPF'), row('Nome', 'x')], NONE)).toBe(2);
    expect(headerOf([title, row('A', 'B'), row('Nome', 'CPF')], new Map([['B', null]]))).toBe(1);
    expect(headerOf([row('Colégio Aurora'), row('A', 'B'), row('1', '2')], NONE)).toBe(1);
    expect(headerOf([], NONE)).toBe(0);
  });

  it('names each column in another way', () => {
    expect(headersOf(['Valor', ' Valor\n em  aberto', 'Valor', null, 'Valor (2)'], 6)).toEqual([
      ...['Valor', 'Valor em aberto', 'Valor (2)', 'Coluna D', 'Valor (2) (2)', 'Coluna F'],
    ]);
    expect(headersOf([], 28).slice(25)).toEqual(['Coluna Z', 'Coluna AA', 'Coluna AB']);
  });

  it('cannot block the event loop', async () => {
    const wide = (cell: string) => Array.from({ length: 20 }, () => ({ row: 1, cells: Array<string>(200).fill(cell) }));
    for (const cell of ['é'.repeat(64), 'é'.repeat(300), '', 'Valor R$'.repeat(8), 'Valor R$'.repeat(20)]) {
      await expectCostBelow(5, () => headerOf(wide(cell), NONE));
    }
    const distinct = (filler: string, length: number) =>
      Array.from({ length: 20 }, (_, row) => ({
        row,
        cells: Array.from({ length: 200 }, (_, at) => `${row}/${at}`.padEnd(length, filler)),
      }));
    for (const filler of ['é', 'Informação ', 'Valor R$']) {
      for (const length of [64, 90]) await expectCostBelow(5, () => headerOf(distinct(filler, length), NONE));
    }
    for (const start of [`${',;\t'.repeat(5_000)}\n`, 'é;,\n'.repeat(4_000)]) {
      await expectCostBelow(5, () => delimiter(start, NONE));
    }
  });
});

describe('the delimiter of a CSV', () => {
  it.each([
    [';', 'Colégio\nAluno;Zap;Valor em aberto\nAna;1;1.234,56\n'],
    [',', 'Pessoa,Zap\nAna,1\n'],
    [';', 'Pessoa;Zap;Quanto\nAna;1;1,00\nBia;2;2,00'],
    ['\t', 'Pessoa\tZap\nAna, a boa\t1'],
  ])('is %j', (expected, start) => {
    expect(delimiter(start, NONE)).toBe(expected);
  });

  it('is the one that separates the headers of the mapping', () => {
    expect(delimiter('a;b,c;d,e;f\n', new Map([['c;d', null]]))).toBe(',');
  });
});
