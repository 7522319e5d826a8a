import { describe, expect, it } from '@jest/globals';
import type { Field } from './fields.ts';
import { type Problem, sortProblems, warningRows } from './problems.ts';

const problem = (index: number, pointer: string, code: Problem['code']): Problem => ({
  index,
  pointer: `/debts/${index}${pointer}`,
  code,
  message: '',
  invoiceId: null,
  row: index + 2,
  header: null,
  value: 'x',
});
const mapping = new Map<string, Field | null>([
  ['Documento', 'debtorTaxId'],
  ['Vencto', 'dueDate'],
  ['Fone', 'debtorPhones'],
  ['Celular', 'debtorPhones'],
]);

describe('the problems of a check', () => {
  it('are sorted by column, the fullest first, and named as the sheet names it', () => {
    const { groups, wrong } = sortProblems(
      [
        problem(0, '/dueDate', 'date_invalid'),
        problem(0, '/debtorCpf', 'cpf_invalid'),
        problem(1, '/debtorCpf', 'cpf_invalid'),
        problem(2, '/debtorPhones/1', 'phone_invalid'),
        problem(3, '', 'invalid_type'),
      ],
      mapping,
    );
    expect(groups.map(({ key, column, problems }) => [key, column, problems.length])).toEqual([
      ['debtorCpf', 'Documento', 2],
      ['dueDate', 'Vencto', 1],
      ['debtorPhones', 'Fone, Celular', 1],
      ['row', '', 1],
    ]);
    expect(wrong).toBe(4);
  });

  it('name the very column of a cell, where several hold the field', () => {
    const { groups } = sortProblems(
      [{ ...problem(2, '/debtorPhones/1', 'phone_invalid'), header: 'Celular' }],
      mapping,
    );
    expect(groups.map(({ column, problems }) => [column, problems[0]?.column, problems[0]?.header])).toEqual([
      ['Fone, Celular', 'Celular', 'Celular'],
    ]);
  });

  it('of a sum below the list are one, not one for each empty cell', () => {
    const { groups, wrong } = sortProblems(
      [
        problem(7, '/debtorName', 'required'),
        problem(7, '/debtorPhone', 'phone_invalid'),
        problem(7, '/debtorCpf', 'required'),
        problem(7, '/dueDate', 'required'),
        problem(8, '/debtorName', 'required'),
      ],
      mapping,
    );
    expect(wrong).toBe(2);
    expect(groups.map(({ key, problems }) => [key, problems.map(({ row, code }) => [row, code])])).toEqual([
      ['row', [[9, 'no_debt']]],
      ['debtorName', [[10, 'required']]],
    ]);
  });

  it('do not count the rows that exist already', () => {
    const { groups, wrong, known, all } = sortProblems(
      [problem(0, '/invoiceId', 'duplicate'), problem(1, '', 'duplicate'), problem(2, '/dueDate', 'required')],
      mapping,
    );
    expect([wrong, known, all.length]).toEqual([1, 2, 1]);
    expect(groups.map(({ key }) => key)).toEqual(['dueDate', 'known']);
  });
});

describe('the warnings of a check', () => {
  it('let a name be corrected, and a remark only be read', () => {
    const shown = { row: 5, value: 'x', calledAs: 'Pedro' };
    const rows = warningRows(
      [
        { ...shown, header: 'Nome', code: 'name_brackets' },
        { ...shown, header: 'Obs', code: 'remark' },
      ],
      new Map<string, Field | null>([['Nome', 'debtorName']]),
    );
    expect(rows.map(({ key, header, column, code }) => [key, header, column, code])).toEqual([
      ['warning-0', 'Nome', 'Nome', 'name_brackets'],
      ['warning-1', null, 'Obs', 'remark'],
    ]);
  });
});
