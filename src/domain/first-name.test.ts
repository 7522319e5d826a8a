import { describe, expect, it } from '@jest/globals';
import { companyNameOf, firstNameOf } from './first-name.ts';

describe('firstNameOf', () => {
  it.each([
    ['MARIA DAS DORES', 'Maria'],
    ['  joão  pedro', 'João'],
    ["d'ávila souza", "D'ávila"],
    ['Ana<script>', 'Anascript'],
    ['http://golpe.com Ana', 'Httpgolpecom'],
    ['123 456', 'cliente'],
    ['', 'cliente'],
  ])('%s -> %s', (name, first) => {
    expect(firstNameOf(name)).toBe(first);
  });
});

describe('companyNameOf', () => {
  it.each([
    ['Padaria Pão Quente Ltda', 'Padaria Pão Quente Ltda'],
    ['POSTO 24 HORAS  S/A', 'POSTO 24 HORAS S/A'],
    ['Bar {{link}} <b>', 'Bar link b'],
    ['Ca\u200bsa', 'Casa'],
    ['{}', 'cliente'],
  ])('%s -> %s', (name, shown) => {
    expect(companyNameOf(name)).toBe(shown);
  });
});
