import { expect, it } from '@jest/globals';
import type { GetDebtResult } from '../../api/client.ts';
import { correctionOf, parseReais } from './changes.ts';

it('reads amounts as people write them', () => {
  expect(['1.234,56', '1234,5', '1234.56', 'R$ 90'].map(parseReais)).toEqual([1234.56, 1234.5, 1234.56, 90]);
  expect(['', '0', 'dez', '1,234', '-5', '999999999'].map(parseReais)).toEqual([null, null, null, null, null, null]);
});

it('sends only what was corrected', () => {
  const debt = {
    debtorPhone: '+5511987650001',
    debtorEmail: null,
    dueDate: '2026-09-10',
    originalAmount: 100.5,
  } as unknown as GetDebtResult;
  const form = (values: Readonly<Record<string, string>>) => (name: string) => values[name] ?? '';
  const same = { debtorPhone: '(11) 98765-0001', dueDate: '2026-09-10', originalAmount: '100,50' };
  expect(correctionOf(debt, form(same))).toEqual({});
  expect(correctionOf(debt, form({ ...same, debtorPhone: '11 98765-0002', originalAmount: '90' }))).toEqual({
    debtorPhone: '11 98765-0002',
    originalAmount: 90,
  });
});
