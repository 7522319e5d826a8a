import { expect, it } from '@jest/globals';
import type { Account } from '../../api/client.ts';
import { changesOf } from './company-changes.ts';

const account = {
  name: 'Escola Aurora',
  cnpj: '11222333000181',
  segment: null,
  contactEmail: null,
  lawfulGround: null,
  collectsFor: 'itself',
  autoRefundExcess: false,
  address: null,
} as unknown as Account;

const form = (values: Readonly<Record<string, string>>) => (name: string) =>
  ({ collectsFor: 'itself', ...values })[name] ?? '';

it('sends only what was changed, so that the verification of the company stays', () => {
  const same = { name: 'Escola Aurora', cnpj: '11.222.333/0001-81' };
  expect(changesOf(account, form(same))).toEqual({});
  const address = { street: 'Rua A', number: '1', district: 'B', city: 'C', state: 'SP', postalCode: '01305-000' };
  expect(changesOf(account, form({ name: 'Aurora', cnpj: '', segment: 'saude', ...address }))).toEqual({
    name: 'Aurora',
    cnpj: null,
    segment: 'saude',
    address,
  });
  expect(changesOf(account, form({ ...same, autoRefundExcess: 'on' }))).toEqual({ autoRefundExcess: true });
  expect(changesOf(account, form({ ...same, collectsFor: 'others' }))).toEqual({ collectsFor: 'others' });
  const full = { ...account, address } as Account;
  expect(changesOf(full, form({ name: 'Escola Aurora', cnpj: '11222333000181' }))).toEqual({ address: null });
});
