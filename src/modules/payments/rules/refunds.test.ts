import { describe, expect, it } from '@jest/globals';
import { compareReversals, leftToRefund, lostTrace, type ProviderReversal, standingOf, toldReturn } from './refunds.ts';

const AT = new Date('2026-11-27T12:00:00Z');

const refund = (change: Partial<Parameters<typeof lostTrace>[0]> = {}) => ({
  id: '0b7e6d0e-4c55-4d6c-8f0a-7f6f0a3f8a11',
  kind: 'asked' as const,
  state: 'pending' as const,
  amountCentavos: 100,
  providerRefundId: null,
  triedAt: AT,
  ...change,
});

const reversal = (change: Partial<ProviderReversal> = {}): ProviderReversal => ({
  id: 'r1',
  kind: 'refund',
  state: 'done',
  amountCentavos: 100,
  at: AT,
  contestUntil: null,
  ...change,
});

describe('what of a payment can still be given back', () => {
  const paid = { paidCentavos: 1_000, refundedCentavos: 0, chargedBackAt: null };
  it.each([
    ['all of it', paid, [], 1_000],
    ['not what is under way', paid, [refund()], 900],
    ['what has failed', paid, [refund({ state: 'failed' })], 1_000],
    ['not what is done before the sum has it', paid, [refund({ state: 'done' })], 900],
    ['not what the sum has of another return', { ...paid, refundedCentavos: 400 }, [refund({ state: 'done' })], 600],
    ['nothing of a payment that was charged back', { ...paid, chargedBackAt: AT }, [], 0],
  ])('%s', (_what, payment, known, left) => {
    expect(leftToRefund(payment, known)).toBe(left);
  });
});

describe('the trace of a refund whose answer was lost', () => {
  it('has its amount, was made since, and belongs to no other refund', () => {
    const one = refund();
    expect(lostTrace(one, [one], [reversal()])?.id).toBe('r1');
    expect(lostTrace(one, [one], [reversal({ amountCentavos: 99 })])).toBeNull();
    expect(lostTrace(one, [one], [reversal({ at: new Date(AT.getTime() - 3_600_000) })])).toBeNull();
    expect(lostTrace(one, [one], [reversal({ state: 'failed' })])).toBeNull();
    const other = refund({ id: '5e0f7f1c-93a5-4e53-9d0f-2f1f3a3e8b22', providerRefundId: 'r1', state: 'done' });
    expect(lostTrace(one, [one, other], [reversal()])).toBeNull();
  });
});

describe('how a refund stands that the provider has answered about', () => {
  const named = refund({ providerRefundId: 'r1' });
  it('is what the payment shows', () => {
    const listed = reversal({ state: 'failed' });
    expect(standingOf(named, [named], { reversals: [listed], refundedCentavos: 0 }, reversal())).toBe(listed);
  });
  it('is not done before the sum of what went back has it', () => {
    expect(standingOf(named, [named], { reversals: [], refundedCentavos: 0 }, reversal())).toBeNull();
    expect(standingOf(named, [named], { reversals: [], refundedCentavos: 100 }, null)?.state).toBe('done');
    const other = refund({ id: 'other', state: 'done' });
    expect(standingOf(named, [named, other], { reversals: [], refundedCentavos: 100 }, null)).toBeNull();
  });
});

describe('the returns of a report', () => {
  const med = reversal({ id: 'm1', kind: 'med_fraude', contestUntil: new Date('2027-02-15T12:00:00Z') });
  it('are unasked when nobody here asked for them, and known after that', () => {
    const told = compareReversals([], [med]);
    expect(toldReturn(told)).toBe(med);
    const stored = refund({ kind: 'med_fraude', state: 'done', providerRefundId: 'm1', triedAt: null });
    expect(toldReturn(compareReversals([stored], [med]))).toBeNull();
    // The bank gives back what it took.
    expect(compareReversals([stored], [{ ...med, state: 'failed' }]).changed).toHaveLength(1);
  });
  it('are no news of a refund that is under way', () => {
    const one = refund();
    expect(compareReversals([one], [reversal()])).toEqual({ unasked: [], changed: [] });
    const own = reversal({ id: one.id.replaceAll('-', '') });
    expect(compareReversals([one], [own]).changed).toHaveLength(1);
    expect(compareReversals([{ ...one, state: 'done' }], [{ ...own, state: 'failed' }]).changed).toEqual([]);
    expect(compareReversals([{ ...one, state: 'failed' }], [own]).changed).toHaveLength(1);
  });
});
