import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { expectCostBelow } from '../../../../../testing/cpu-cost.ts';
import type { SheetCell } from './sheet-row.ts';
import { isTitleOrTotal } from './title-rows.ts';

const header = ['Nome', 'Telefone', 'CPF', 'Valor', 'Vencimento', 'Obs'];
const known = { header, amounts: new Set([3]), dueDates: new Set([4]) };
const isIgnored = (...cells: SheetCell[]) => isTitleOrTotal(cells, known);

describe('titles and sums among the rows', () => {
  it.each<[SheetCell[]]>([
    [['Setembro/2026']],
    [['TURMA 5º A']],
    [[null, null, 'Emitido em 20/11/2026 14:30']],
    [[{ date: '2026-09-01' }]],
    [['TOTAL GERAL', null, null, 3100.5]],
    [['Total Geral:', '', '', 'R$ 12.345.678,90']],
    [['Subtotal', '', '', '300,00', '', '2 alunos']],
    [['Sub-total', null, null, 12_345_678]],
    [[null, null, null, null, null, 'TOTAL', 3100.5].slice(0, 6)],
    [[null, 'TOTAL', null, 3100.5]],
    [['Soma', '', '', '-']],
    [[null, null, null, 3100.5]],
    [[null, null, null, '3.100,50', '', '1.200,00']],
    [[3, null, null, 3100.5]],
    [header],
  ])('%j is ignored', (cells) => expect(isIgnored(...cells)).toBe(true));

  it.each<[SheetCell[]]>([
    [['Total Serviços Ltda', '(11) 3333-4444', '11.222.333/0001-81', '300,00', '20/11/2026']],
    [['Total Serviços Ltda', null, null, 300, { date: '2026-11-20' }]],
    [['Total Serviços Ltda', '', '', '300,00', '20/11/2026']],
    [['Total Serviços Ltda', '', '', '300,00']],
    [['Ana Souza', '', '', '300,00']],
    [['Ana Souza', '', '123', 'trezentos', 'amanhã']],
    [['Maria Total', '', '', '300,00']],
    [['TOTAL', '(11) 98765-0001', '', '300,00']],
    [['', '98765-0001']],
    [['', '', '52998224725']],
    [['', '', 52998224725]],
    [['', '', '', '', '20/11/2026']],
    [['', '', '', '', { date: '2026-11-20' }]],
    [['', '', '', '', '', 'ana@exemplo.com.br']],
  ])('%j is kept', (cells) => expect(isIgnored(...cells)).toBe(false));

  it('never are rows with a CPF and a due date, whatever else they say', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.constantFrom('TOTAL', 'Subtotal', 'Soma', 'Setembro/2026')),
        fc.option(fc.oneof(fc.string(), fc.double({ noNaN: true }))),
        (name, amount) => !isIgnored(name, null, '529.982.247-25', amount, '20/11/2026'),
      ),
    );
  });

  it('cannot block the event loop', async () => {
    for (const text of [
      'a'.repeat(65_536),
      'total '.repeat(10_000),
      '1.'.repeat(30_000),
      ' '.repeat(60_000),
      'R$'.repeat(9_000),
    ]) {
      const cells = Array.from({ length: 50 }, () => text);
      await expectCostBelow(5, () => isTitleOrTotal(cells, known));
    }
  });
});
