import { describe, expect, it } from '@jest/globals';
import { expectCostBelow } from '../../../../testing/cpu-cost.ts';
import { namedDebts } from './named-debts.ts';

const SCHOOL = { id: 'school', invoiceId: 'F-2041', amountCentavos: 15_000, dueDate: '2026-10-05' };
const BOOKS = { id: 'books', invoiceId: null, amountCentavos: 123_456, dueDate: '2026-09-12' };
const BUS = { id: 'bus', invoiceId: '7', amountCentavos: 15_000, dueDate: '2025-03-01' };
const DEBTS = [SCHOOL, BOOKS, BUS];

describe('the debts that a message names', () => {
  it.each([
    ['não reconheço a fatura F-2041', ['school']],
    ['não reconheço a f-2041!', ['school']],
    ['a fatura 7 não é minha', ['bus']],
    ['não devo 1.234,56 a ninguém', ['books']],
    ['não devo R$1234,56.', ['books']],
    ['essa de 150 reais não é minha', ['school', 'bus']],
    ['nunca comprei nada, a de 12/09 não é minha', ['books']],
    ['a que venceu em 12/09/26 e a de 05/10/2026', ['school', 'books']],
    ['não reconheço essa dívida', []],
    ['não reconheço a F-20411', []],
    ['venceu em 12/09/2024', []],
    ['liguei 15 vezes', []],
  ])('%s', (message, ids) => {
    expect(namedDebts(message, DEBTS).map(({ id }) => id)).toEqual(ids);
  });

  it('reads a long message of digits and separators in linear time', async () => {
    await expectCostBelow(100, () => namedDebts('1.1.1,1/1'.repeat(20_000), DEBTS));
  });
});
