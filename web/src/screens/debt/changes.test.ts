import { expect, it } from '@jest/globals';
import type { GetDebtResult, TimelineEntryPaymentChanged } from '../../api/client.ts';
import { DEBT } from '../../texts/debt.ts';
import { correctionOf, whyNotCorrect } from './changes.ts';

const DEBT_NOW = {
  debtorPhone: '+5511987650001',
  debtorCpf: '52998224725',
  debtorCnpj: null,
  debtorEmail: null,
  dueDate: '2026-09-10',
  originalAmount: 100.5,
  status: 'IN_COLLECTION',
  timeline: [{ at: '2026-11-23T12:00:00Z', kind: 'imported' }],
} as unknown as GetDebtResult;

it('sends only what was corrected', () => {
  const form = (values: Readonly<Record<string, string>>) => (name: string) => values[name] ?? '';
  const same = { debtorPhone: '(11) 98765-0001', dueDate: '2026-09-10', originalAmount: '100,50' };
  expect(correctionOf(DEBT_NOW, form(same))).toEqual({});
  expect(correctionOf(DEBT_NOW, form({ ...same, debtorPhone: '11 98765-0002', originalAmount: '90' }))).toEqual({
    debtorPhone: '11 98765-0002',
    originalAmount: 90,
  });
  expect(correctionOf(DEBT_NOW, form({ ...same, originalAmount: 'dez' }))).toEqual({ originalAmount: 0 });
});

it('says why a debt cannot be corrected', () => {
  const after = (entry: Partial<TimelineEntryPaymentChanged>) =>
    whyNotCorrect({
      ...DEBT_NOW,
      timeline: [{ at: '2026-11-23T12:00:00Z', kind: 'payment_changed', paymentId: '1', ...entry }],
    });
  expect(whyNotCorrect(DEBT_NOW)).toBeUndefined();
  expect(after({ problem: 'provider_unavailable' })).toBeUndefined();
  expect(after({ problem: 'underpaid', amount: 10 })).toBe(DEBT.correctPaid);
  expect(whyNotCorrect({ ...DEBT_NOW, status: 'PAID' })).toBe(DEBT.correctPaid);
  expect(whyNotCorrect({ ...DEBT_NOW, status: 'AGREEMENT' })).toBe(DEBT.cancelFirst);
  expect(whyNotCorrect({ ...DEBT_NOW, status: 'STOPPED' })).toBe(DEBT.correctStopped);
  expect(whyNotCorrect({ ...DEBT_NOW, debtorCpf: '' })).toBe(DEBT.correctErased);
});
