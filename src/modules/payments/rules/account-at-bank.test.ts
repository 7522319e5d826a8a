import { expect, it } from '@jest/globals';
import { bankOfAccount, idAtBank, nameOfAccount } from './account-at-bank.ts';

const at = (baseUrl: string) => bankOfAccount({ profile: 'custom', custom: { baseUrl } });

it('tells banks apart by profile, and those without one by their address', () => {
  expect(bankOfAccount({ profile: 'inter', custom: null })).toBe('inter');
  expect(at('https://BANCO.example/pix/v2/')).toBe(at('https://banco.example/pix/v2'));
  expect(at('https://banco.example/pix/v2')).not.toBe(at('https://outro.example/pix/v2'));
});

it.each(['financeiro@credora.com.br', '+5511987654321', '12345678000195'])(
  'shows the Pix key alone, wherever the account is: %s',
  (key) => {
    expect(nameOfAccount(key)).toBe(key);
    expect(nameOfAccount(idAtBank(key, 'inter'))).toBe(key);
    expect(nameOfAccount(idAtBank(key, at('https://banco.example/pix/v2')))).toBe(key);
  },
);
