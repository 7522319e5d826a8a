import { expect, it } from '@jest/globals';
import { isPersonalDomain } from './personal-domains.ts';

it.each([
  'gmail.com',
  'outlook.com',
  'hotmail.com.br',
  'yahoo.com.br',
  'uol.com.br',
  'bol.com.br',
  'terra.com.br',
  'pop.com.br',
  'proton.me',
  'mailinator.com',
  'yopmail.com',
  'tempmail.com',
  'mailbox.org',
  'mozmail.com',
  'relay.firefox.com',
  'anonaddy.me',
  'startmail.com',
  'disroot.org',
  'riseup.net',
  'throwaway.email',
  // Only a list of this year has it.
  'emailtemporario.com.br',
])('%s is personal', (domain) => {
  expect(isPersonalDomain(domain)).toBe(true);
});

it.each([
  'empresa.com.br',
  'acme.com.br',
  'itau.com.br',
  'petrobras.com.br',
  'folha.com.br',
  // The list of free providers has these.
  'abc.com',
  'cnn.com',
  'test.com',
  'toString',
])('%s is not', (domain) => {
  expect(isPersonalDomain(domain)).toBe(false);
});
