import { expect, it } from '@jest/globals';
import { parseIndexValue } from './index-series.ts';

it.each([
  ['0.155714', 155_714],
  ['1', 1_000_000],
  ['-0.02', -20_000],
  ['0.0', 0],
  ['-0', 0],
  ['1.1545270', null],
  ['1,15', null],
  ['', null],
  ['-100', null],
  ['1e2', null],
])('reads %s of the IPCA as %s', (text, value) => {
  expect(parseIndexValue('ipca', text)).toBe(value);
});

it('refuses a Taxa Legal below 0', () => {
  expect(parseIndexValue('legalRate', '-0.01')).toBeNull();
  expect(parseIndexValue('legalRate', '0.01')).toBe(10_000);
});
