import { describe, expect, it } from '@jest/globals';
import { loadPolicy } from '../../policy/use-cases/load-policy.ts';
import { NOT_CREDITED } from './credited-parts.ts';
import { decideReport } from './decide-payment.ts';
import type { KnownCharge, KnownDebt } from './known-debt.ts';

const { holidays } = loadPolicy();
const NOW = new Date('2026-11-26T12:00:00Z');
const LATER = new Date('2026-11-26T13:00:00Z');

const charge = (given: Partial<KnownCharge> = {}): KnownCharge => ({
  id: 'one',
  status: 'PENDING',
  amountCentavos: 10_000,
  paidCentavos: 0,
  refundedCentavos: 0,
  underpaidAt: null,
  chargedBackAt: null,
  duplicate: false,
  problem: null,
  supersededAt: null,
  providerUpdatedAt: null,
  method: null,
  askedOn: '2026-11-26',
  askedFineCentavos: 0,
  askedInterestCentavos: 0,
  askedCorrectionCentavos: 0,
  creditedOn: (given.paidCentavos ?? 0) > 0 ? '2026-11-26' : null,
  coveredCentavos: null,
  waivesRest: false,
  principalCentavos: 0,
  fineCentavos: 0,
  interestCentavos: 0,
  correctionCentavos: 0,
  ...given,
});
const PAID = {
  status: 'APPROVED',
  paidCentavos: 10_000,
  principalCentavos: 10_000,
  coveredCentavos: 10_000,
  providerUpdatedAt: NOW,
} as const;
const debtOf = (...charges: KnownCharge[]): KnownDebt => ({
  indebted: {
    terms: null,
    principalCentavos: 10_000,
    dueDate: '2026-10-05',
    calendar: { holidays, states: ['SP'] },
    indices: { legalRate: new Map(), ipca: new Map() },
  },
  isPaid: false,
  charges,
});
const report = (given: object = {}) => ({
  status: 'APPROVED' as const,
  externalReference: 'one',
  currency: 'BRL',
  amountCentavos: 10_000,
  paidAmountCentavos: 10_000,
  refundedCentavos: 0,
  chargedBack: false,
  paidAt: null,
  endToEndId: null,
  updatedAt: NOW,
  day: '2026-11-26',
  ...given,
});
const decide = (one: KnownCharge, given: object = {}, ...others: KnownCharge[]) =>
  decideReport(debtOf(one, ...others), one, report(given), LATER);

describe('what an answer about a charge means', () => {
  it('is that the debt is settled, with what is too much', () => {
    const { columns, entry, money } = decide(charge(), { paidAmountCentavos: 12_000 });
    expect(columns).toMatchObject({ status: 'APPROVED', paidCentavos: 12_000, settledCentavos: 12_000, paidAt: LATER });
    expect(entry).toBeNull();
    expect(money).toMatchObject({ outcome: 'settled', recoveredCentavos: 12_000, receipt: null });
    expect(money?.asks).toEqual({ duplicate: false, overpaid: true, refunded: false });
    expect(money?.before).toEqual([{ kind: 'payment_approved', paymentId: 'one', amount: 120, overpaidAmount: 20 }]);
  });

  it('is a part, which counts for the campaign once the rest settles the debt', () => {
    const part = charge({ id: 'part', paidCentavos: 4_000, underpaidAt: NOW });
    expect(decide(charge(), { paidAmountCentavos: 4_000 }).money).toMatchObject({
      outcome: 'underpaid',
      recoveredCentavos: 0,
      before: [{ problem: 'underpaid', amount: 40, expectedAmount: 100 }],
    });
    const rest = decide(charge({ amountCentavos: 6_000 }), { amountCentavos: 6_000, paidAmountCentavos: 6_000 }, part);
    expect(rest.money).toMatchObject({ outcome: 'settled', recoveredCentavos: 10_000 });
    expect(rest.columns.settledCentavos).toBe(10_000);
  });

  it('is a second payment, which pays the debt when the first went back', () => {
    const first = charge({ ...PAID, id: 'first' });
    const asks = { duplicate: true, overpaid: false, refunded: false };
    expect(decide(charge(), {}, first).money).toMatchObject({ outcome: 'duplicate', receipt: null, asks });
    const covered = decide(charge(), {}, { ...first, refundedCentavos: 10_000 });
    expect(covered.money).toMatchObject({ outcome: 'duplicate', receipt: 'restored', before: [{ covers: true }] });
  });

  it('is that money went back, which revokes the receipt and leaves the status', () => {
    const { columns, money } = decide(charge(PAID), { refundedCentavos: 10_000, updatedAt: LATER });
    expect(columns).toEqual({
      refundedCentavos: 10_000,
      chargedBackAt: null,
      providerUpdatedAt: LATER,
      ...NOT_CREDITED,
    });
    expect(money).toMatchObject({ outcome: null, receipt: 'refund', recoveredCentavos: -10_000, before: [] });
    expect(money?.asks.refunded).toBe(true);
    expect(money?.after).toMatchObject([{ change: 'refunded', refundedAmount: 100 }]);
  });

  it('is nothing when it is repeated, older, or names a problem that is known', () => {
    const nothing = { columns: {}, entry: null, money: null };
    expect(decide(charge(PAID))).toEqual(nothing);
    expect(decide(charge({ ...PAID, providerUpdatedAt: LATER }), { refundedCentavos: 10_000 })).toEqual(nothing);
    const wrong = { currency: 'USD' };
    expect(decide(charge(), wrong)).toMatchObject({ columns: { problem: 'currency_mismatch' }, money: null });
    expect(decide(charge({ problem: 'currency_mismatch' }), wrong)).toEqual(nothing);
  });

  it('is that a code has ended without a payment', () => {
    const { columns, entry } = decide(charge(), { status: 'REJECTED', paidAmountCentavos: 0 });
    expect(columns).toEqual({ status: 'REJECTED', problem: null, askAt: null });
    expect(entry).toEqual({ kind: 'payment_changed', paymentId: 'one', status: 'REJECTED' });
  });
});
