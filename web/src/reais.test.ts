import { expect, it } from '@jest/globals';
import { parseReais } from './reais.ts';

it.each([
  ['1.234,56', 1234.56],
  ['1234,5', 1234.5],
  ['1234.56', 1234.56],
  ['R$ 90', 90],
  ['1.234', 1234],
  ['', null],
  ['0', null],
  ['dez', null],
  ['1,234', null],
  ['-5', null],
  ['999999999', null],
])('reads the amount %s as %s', (text, reais) => {
  expect(parseReais(text)).toBe(reais);
});
