import { describe, expect, it } from '@jest/globals';
import { openOf, othersOf, taxIdOf } from './other-debts.ts';

const CPF = '52998224725';
const debt = (
  id: string,
  owedToday: number | null,
  status: 'IN_COLLECTION' | 'PAID' | 'STOPPED' = 'IN_COLLECTION',
) => ({
  id,
  debtorCpf: CPF as string | null,
  debtorCnpj: null,
  owedToday,
  sandbox: false,
  status,
});

describe('the other debts of a person', () => {
  it('are those of the same CPF in the same world, each once', () => {
    const found = [
      debt('this', 10),
      debt('other', 20),
      debt('replaced', null),
      { ...debt('phone', 30), debtorCpf: '11' },
      { ...debt('simulated', 40), sandbox: true },
    ];
    expect(othersOf(debt('this', 10), found).map(({ id }) => id)).toEqual(['other']);
  });

  it('sum what is still owed, to the centavo', () => {
    expect(openOf([debt('a', 0.1), debt('b', 0.2), debt('c', 5, 'PAID'), debt('d', 7, 'STOPPED')])).toBe(0.3);
  });

  it('are not searched where nobody is named', () => {
    expect(taxIdOf({ debtorCpf: '', debtorCnpj: null })).toBeNull();
    expect(taxIdOf({ debtorCpf: '***4725', debtorCnpj: null })).toBeNull();
    expect(taxIdOf({ debtorCpf: null, debtorCnpj: '11222333000181' })).toBe('11222333000181');
  });
});
