import { describe, expect, it } from '@jest/globals';
import { problemText } from './import-problems.ts';

describe('the sentence on a problem of a spreadsheet', () => {
  it.each([
    ['31/09/2026', 'Vencimento: setembro não tem dia 31'],
    ['31.09.26', 'Vencimento: setembro não tem dia 31'],
    ['29/02/2026', 'Vencimento: fevereiro de 2026 não tem dia 29'],
    ['amanhã', 'Vencimento não é uma data que existe, como 20/11/2026'],
  ])('says of %s: %s', (value, text) => expect(problemText('dueDate', 'date_invalid', { value })).toBe(text));

  it('says how messages would call the person', () => {
    expect(problemText(null, 'name_brackets', { value: 'Pedro (resp. Cláudia)', calledAs: 'Pedro' })).toContain(
      'a pessoa será “Pedro”',
    );
  });

  it('names no cell where the whole row is meant', () => {
    expect(problemText(null, 'no_debt')).toBe('Quase vazia: não parece uma dívida');
    expect(problemText(null, 'too_long')).toMatch(/^A linha tem valores demais/);
  });
});
