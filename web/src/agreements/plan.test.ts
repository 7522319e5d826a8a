import { describe, expect, it } from '@jest/globals';
import type { Agreement } from '../api/client.ts';
import { nextInstalment, openOf, planDays, planText } from './plan.ts';

const of = (...amounts: readonly number[]) =>
  amounts.map((amount, at) => ({ number: at + 1, amount, dueDate: `2026-${String(at + 1).padStart(2, '0')}-05` }));

describe('a plan in words', () => {
  it.each([
    [[700], 'à vista'],
    [[200, 200, 200, 200], '4 × R$ 200,00'],
    [[33.33, 33.33, 33.34], '2 × R$ 33,33 + a última de R$ 33,34'],
    [[250, 200, 200, 200], 'entrada de R$ 250,00 + 3 × R$ 200,00'],
    [[250, 33.33, 33.33, 33.34], 'entrada de R$ 250,00 + 2 × R$ 33,33 + a última de R$ 33,34'],
    [[50, 50], '2 × R$ 50,00'],
    [[50, 70], 'R$ 50,00 e depois R$ 70,00'],
    [[], ''],
  ])('%j is %s', (amounts, text) => {
    expect(planText(of(...amounts))).toBe(text);
  });

  it('names its days', () => {
    expect(planDays(of(10))).toBe('pagar até 05/01/2026');
    expect(planDays(of(10, 10, 10))).toBe('parcelas de 05/01/2026 a 05/03/2026');
  });
});

describe('what is open of an agreement', () => {
  const instalments = of(100, 100, 100).map((one, at) => ({
    ...one,
    status: (['APPROVED', 'LATE', 'PENDING'] as const)[at]!,
    paidAt: null,
  }));
  const agreement = (status: Agreement['status']) => ({ status, instalments, total: 300, paid: 100.1 });

  it('is what was agreed less what was paid, to the centavo, and nothing when it was kept', () => {
    expect(openOf(agreement('ACTIVE'))).toBe(199.9);
    expect(openOf(agreement('COMPLETED'))).toBe(0);
  });

  it('has a next instalment while the agreement is active', () => {
    expect(nextInstalment(agreement('ACTIVE'))?.number).toBe(2);
    expect(nextInstalment(agreement('BROKEN'))).toBeUndefined();
  });
});
