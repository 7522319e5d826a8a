import { describe, expect, it } from '@jest/globals';
import { companyNameOf, firstNameOf } from './first-name.ts';

describe('firstNameOf', () => {
  it.each([
    ['MARIA DAS DORES', 'Maria'],
    ['  joão  pedro', 'João'],
    ["d'ávila souza", "D'ávila"],
    ['Ana<script>', 'Anascript'],
    ['http://golpe.com Ana', 'cliente'],
    ['golpe.com.br', 'cliente'],
    ['Serasa-ultimo-aviso-de-protesto Silva', 'cliente'],
    ['VAGABUNDO da Silva', 'cliente'],
    ['Maria-Clara Souza', 'Maria-clara'],
    ['S.E.R.A.S.A. Souza', 'cliente'],
    ['SILVA, JOSÉ DA', 'José'],
    ['dos santos oliveira , ana', 'Ana'],
    ['Ana Souza,', 'Ana'],
    ['José Silva, Jr.', 'José'],
    ['SILVA, Serasa', 'cliente'],
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
    ['Silva & Filhos Advogados', 'Silva & Filhos Advogados'],
    [`${'Nome '.repeat(20)}`, 'Nome '.repeat(12).trim()],
    ['PAGUE HOJE ou avisamos seu chefe', 'cliente'],
    ['Padaria https://golpe.example/pix', 'cliente'],
  ])('%s -> %s', (name, shown) => {
    expect(companyNameOf(name)).toBe(shown);
  });
});
