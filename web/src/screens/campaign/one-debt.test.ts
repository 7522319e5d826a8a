import { describe, expect, it } from '@jest/globals';
import { debtOf, sentenceAt } from './one-debt.ts';

const typed = (values: Readonly<Record<string, string>>) => debtOf((name) => values[name] ?? '');
const ANA = { debtorName: 'Ana', debtorPhone: '(11) 98123-4567', originalAmount: '1.200,50', dueDate: '5/10/26' };

describe('a debt that is typed', () => {
  it('is sent as an import takes it, without what was left empty', () => {
    expect(typed({ ...ANA, taxId: '529.982.247-25', invoiceId: 'NF-1' })).toEqual({
      debtorName: 'Ana',
      debtorCpf: '529.982.247-25',
      debtorPhone: '(11) 98123-4567',
      originalAmount: 1200.5,
      dueDate: '2026-10-05',
      invoiceId: 'NF-1',
    });
    expect(typed({ ...ANA, taxId: '12.ABC.345/01DE-35', originalAmount: 'x' })).toMatchObject({
      debtorCnpj: '12.ABC.345/01DE-35',
      originalAmount: 0,
    });
  });

  it('has what the server refuses said beside its field', () => {
    const errors = [
      { index: 0, pointer: '/debts/0/debtorCpf', code: 'cpf_invalid' as const, message: '', invoiceId: null },
      { index: 0, pointer: '/debts/0/description', code: 'health_data' as const, message: '', invoiceId: null },
    ];
    expect(sentenceAt(errors, 'debtorCpf', 'debtorCnpj')).toMatch(/^CPF ou CNPJ não confere/);
    expect(sentenceAt(errors, 'description')).toMatch(/não pode falar de saúde/);
    expect(sentenceAt(errors, 'dueDate')).toBeUndefined();
  });
});
