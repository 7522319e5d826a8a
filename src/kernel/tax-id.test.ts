import { describe, expect, it } from '@jest/globals';
import { isCnpj, maskedDebtor, taxIdOf } from './tax-id.ts';

describe('a tax id', () => {
  it.each([
    ['52998224725', false],
    ['11222333000181', true],
    ['12ABC34501DE35', true],
  ])('%s belongs to a company: %s', (taxId, company) => {
    expect(isCnpj(taxId)).toBe(company);
  });

  it.each([
    ['52998224725', { name: 'Ana', cpfMasked: '***.982.247-**' }, 'CPF'],
    ['11222333000181', { name: 'Ana', cnpjMasked: '**.222.333/0001-**' }, 'CNPJ'],
    ['12ABC34501DE35', { name: 'Ana', cnpjMasked: '**.ABC.345/01DE-**' }, 'CNPJ'],
    ['', { name: 'Ana', cpfMasked: '***.***.***-**' }, 'CPF'],
  ])('%s stands on documents in part', (taxId, debtor, kind) => {
    const masked = maskedDebtor('Ana', taxId);
    expect(masked).toEqual(debtor);
    expect(taxIdOf(masked)).toEqual({ kind, masked: Object.values(debtor)[1] });
  });
});
