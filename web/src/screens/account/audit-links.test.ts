import { describe, expect, it } from '@jest/globals';
import { linkOf } from './audit-links.ts';

const ID = '0a4f5f6e-1111-4222-8333-444455556666';
const link = (action: string, target: string | null = ID, details: Record<string, string> | null = null) =>
  linkOf({ action, target, details });

describe('the page of what an entry is about', () => {
  it.each([
    ['campaign_launched', `/campanhas/${ID}`],
    ['debts_imported', `/campanhas/${ID}`],
    ['debt_withdrawn', `/dividas/${ID}`],
    ['payment_recorded', `/dividas/${ID}`],
    ['agreement_cancelled', `/acordos/${ID}`],
    ['member_changed', '/conta/equipe'],
    ['api_key_created', null],
    ['webhook_created', null],
  ])('%s', (action, path) => expect(link(action)).toBe(path));

  it('is the debt for a receipt, whose target is a protocol', () => {
    expect(link('receipt_issued', 'TQ-2026-ABCD', { debtId: ID })).toBe(`/dividas/${ID}`);
  });

  it('is none without a target, and never an address that somebody wrote', () => {
    expect(link('campaign_launched', null)).toBe(null);
    expect(link('campaign_launched', 'javascript:alert(1)')).toBe(null);
    expect(link('receipt_issued', null, { debtId: '../x' })).toBe(null);
  });
});
