import { expect, it } from '@jest/globals';
import { matching } from './matching.ts';

const ANSWERS = [
  { name: 'Agradecer', text: 'Obrigado, Joana! Recebemos a negociação.' },
  { name: 'Boleto', text: 'O código está na página da dívida.' },
  { name: 'Negociação', text: 'Podemos dividir.' },
];
const found = (typed: string): string[] => matching(ANSWERS, typed).map(({ name }) => name);

it('finds answers by words of their names and texts, whatever the accents and capitals', () => {
  expect(found('CODIGO')).toEqual(['Boleto']);
  expect(found('joana obrigado')).toEqual(['Agradecer']);
  expect(found('joana boleto')).toEqual([]);
});

it('puts the answers that are called so first', () => {
  expect(found('negociacao')).toEqual(['Negociação', 'Agradecer']);
});

it('shows all of them, in their order, while nothing is typed', () => {
  expect(found('  ')).toEqual(ANSWERS.map(({ name }) => name));
});
