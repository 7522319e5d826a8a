import { describe, expect, it } from '@jest/globals';
import { isStale, showsDebts, staleAfter } from './stale.ts';

const paid = [{ type: 'payment.approved', debtId: 'debt-1', campaignId: 'campaign-1' }] as const;

describe('the live data of the console', () => {
  it('makes the lists and the debt of an event stale, and no other debt', () => {
    const stale = staleAfter(paid);
    expect(isStale(['dashboard'], stale)).toBe(true);
    expect(isStale(['debts', { status: 'PAID' }], stale)).toBe(true);
    expect(isStale(['debt', 'debt-1'], stale)).toBe(true);
    expect(isStale(['debt', 'debt-2'], stale)).toBe(false);
    expect(isStale(['statistics', 'campaign-1'], stale)).toBe(true);
    expect(isStale(['statistics', 'campaign-2'], stale)).toBe(false);
    expect(isStale(['policy'], stale)).toBe(false);
  });

  it('makes the agreements and the offers of a debt stale when an instalment is paid', () => {
    const stale = staleAfter([{ type: 'agreement.instalment_paid', debtId: 'debt-1', campaignId: 'campaign-1' }]);
    expect(isStale(['agreements', 'list', {}], stale)).toBe(true);
    expect(isStale(['agreements', 'debt', 'debt-2'], stale)).toBe(true);
    expect(isStale(['debt', 'debt-1', 'offers', 'AGREEMENT'], stale)).toBe(true);
    expect(isStale(['debt', 'debt-2', 'offers', 'QUEUED'], stale)).toBe(false);
    expect(showsDebts({ queryKey: ['agreements', 'one', 'a'] })).toBe(true);
  });
});
