import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { expectCostBelow } from '../../../../../testing/cpu-cost.ts';
import { cpfOf } from '../../../../kernel/cpf.ts';
import type { SheetCell } from '../../rules/spreadsheet/sheet-row.ts';
import type { ColumnField } from '../csv/columns.ts';
import { fieldOfValues, isUnknown, proposedFields, VALUES_LOOKED_AT } from './column-values.ts';

const NONE = new Map();

describe('the values of a column', () => {
  it.each<[ColumnField | null, SheetCell[]]>([
    ['debtorPhone', ['(11) 98765-0001', '11 98765 0002', '+55 (21) 98765-0003', '(11) 3333-4444 (mãe)', 11987650005]],
    [
      'debtorPhone',
      ['(11) 98765-0001 / (11) 98765-0002', '(11) 98765-0003', '(11) 98765-0004', '', 'não tem'].slice(0, 3),
    ],
    ['debtorPhone', ['(11) 98765-0001', '(11) 98765-0002', '(11) 98765-0003', '(11) 98765-0004', 'não tem']],
    ['debtorCpf', ['529.982.247-25', '52998224725', 1234567890 + 0, '111.444.777-35'].filter((_, at) => at !== 2)],
    ['debtorCnpj', ['11.222.333/0001-81', '11222333000181']],
    ['debtorTaxId', ['529.982.247-25', '11.222.333/0001-81', '111.444.777-35']],
    ['dueDate', ['20/11/2026', '05.10.26', { date: '2026-09-01' }]],
    ['originalAmount', ['R$ 1.200,50', '300,00', 'R$ 300']],
    ['originalAmount', [1200.5, 300, 450]],
    ['debtorEmail', ['ana@exemplo.com.br', 'bia@escola.com']],
    [null, [300, 450, 300]],
    [null, [1, 2, 3]],
    [null, ['300', '450']],
    [null, ['7,5', '8,0']],
    [null, [0.02, 0.05]],
    [null, ['98765-0001', '98765-0002']],
    [null, ['Ana Souza', 'Bruno Dias']],
    [null, ['5º A', '6º B']],
    [null, ['(11) 98765-0001', 'x', 'y']],
    [null, [true, false]],
    [null, [null]],
    [null, []],
  ])('%s: %j', (field, cells) => expect(fieldOfValues(cells)).toBe(field));

  it('are CPFs with and without punctuation, and not phones', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 999_999_998 }), { minLength: 8, maxLength: 20 }), (numbers) => {
        const cpfs = numbers.filter((n) => n % 111_111_111 !== 0).map((n) => cpfOf(String(n).padStart(9, '0')));
        const punctuated = cpfs.map((cpf) => cpf.replace(/(...)(...)(...)(..)/, '$1.$2.$3-$4'));
        return [null, 'debtorCpf'].includes(fieldOfValues(cpfs)) && fieldOfValues(punctuated) === 'debtorCpf';
      }),
    );
  });

  it('are asked only when the header says nothing', () => {
    const unknown = ['Contato', 'Documento', 'Data', 'Coluna C', 'Nº'];
    expect(unknown.map(isUnknown)).toEqual(unknown.map(() => true));
    const known = ['Celular', 'Juros %', 'Data de nascimento', 'Pago em', 'Valor pago', 'Contato do aluno', 'Contrato'];
    expect(known.map(isUnknown)).toEqual(known.map(() => false));
  });

  it('cannot block the event loop', async () => {
    for (const text of [
      '1'.repeat(100),
      '(11) 9'.repeat(16),
      'a@'.repeat(50),
      '11 9876/'.repeat(12),
      '9 '.repeat(50),
    ]) {
      const cells = Array.from({ length: VALUES_LOOKED_AT }, () => text);
      await expectCostBelow(10, () => fieldOfValues(cells));
    }
  });
});

describe('the field that is proposed', () => {
  const proposed = (columns: Record<string, ColumnField | null>, given = NONE) =>
    proposedFields(Object.keys(columns), Object.values(columns), given);

  it('is that of the only column that looks like it', () => {
    expect(proposed({ Nome: null, Contato: 'debtorPhone', Quanto: 'originalAmount' })).toEqual([
      ...[null, 'debtorPhone', 'originalAmount'],
    ]);
  });

  it('is none where two columns look alike', () => {
    expect(proposed({ Contato: 'debtorPhone', Outro: 'debtorPhone' })).toEqual([null, null]);
    expect(proposed({ Documento: 'debtorCpf', Empresa: 'debtorCnpj' })).toEqual([null, null]);
  });

  it('is none where a header is known for it, or the caller gives it', () => {
    expect(proposed({ Celular: null, Contato: 'debtorPhone' })).toEqual([null, null]);
    expect(proposed({ 'CPF do aluno': null, Responsável: null, Documento: 'debtorCpf' })).toEqual([null, null, null]);
    expect(proposed({ Quanto: 'originalAmount' }, new Map([['Soma', 'originalAmount']]))).toEqual([null]);
    expect(proposed({ Quanto: 'originalAmount' }, new Map([['Quanto', null]]))).toEqual([null]);
  });
});
