import { expect, it } from '@jest/globals';
import { insert } from './insert.ts';

const at = (from: number, to = from) => ({ from, to });

it('puts the words where the cursor is, and the cursor behind them', () => {
  expect(insert('', at(0), 'Olá!')).toEqual({ text: 'Olá!', caret: 4 });
  expect(insert('Bom dia.\nAté logo.', at(9), 'Olá!')).toEqual({ text: 'Bom dia.\nOlá! Até logo.', caret: 13 });
});

it('keeps words apart, and leaves what follows a sentence where it is', () => {
  expect(insert('Bom dia', at(7), 'Joana')).toEqual({ text: 'Bom dia Joana', caret: 13 });
  expect(insert('Bom dia !', at(8), 'Joana')).toEqual({ text: 'Bom dia Joana!', caret: 13 });
});

it('replaces what is marked', () => {
  expect(insert('Oi, tudo bem?', at(0, 2), 'Olá')).toEqual({ text: 'Olá, tudo bem?', caret: 3 });
});
