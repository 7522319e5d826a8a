import { expect, it } from '@jest/globals';
import type { GetDebtResult } from '../../api/client.ts';
import { correctionOf } from './changes.ts';

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
