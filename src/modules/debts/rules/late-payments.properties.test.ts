import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { TERMS } from '../../../../testing/late-payment-terms.ts';
import { addDays } from '../../../kernel/calendar.ts';
import { loadPolicy } from '../../policy/use-cases/load-policy.ts';
import { keptCentavos } from '../../terms/rules/credits.ts';
import { owedOn } from '../../terms/rules/owed-on.ts';
import { applyState, creditedParts, type DebtPayments, openOn } from './debt-payments.ts';

const { holidays } = loadPolicy();
const DUE = '2026-01-05';
const LAST_DAY = addDays(DUE, 400);

const terms = fc.record({
  finePercent: fc.integer({ min: 0, max: 200 }).map((points) => points / 100),
  interest: fc.integer({ min: 0, max: 100 }).map((points) => ({ kind: 'monthly', percent: points / 100 }) as const),
  graceDays: fc.integer({ min: 0, max: 30 }),
});
const payment = fc.record({
  day: fc.integer({ min: -30, max: 300 }).map((days) => addDays(DUE, days)),
  paid: fc.integer({ min: 1, max: 60_000 }),
  refunded: fc.constantFrom(0, 0, 0.5, 1),
  chargedBack: fc.constantFrom(false, false, false, true),
});
const history = fc.record({
  principal: fc.integer({ min: 1, max: 100_000 }),
  terms,
  payments: fc.array(payment, { maxLength: 6 }),
});
type History = typeof history extends fc.Arbitrary<infer Value> ? Value : never;

const debtOf = ({ principal, terms: own, payments }: History): DebtPayments => ({
  indebted: {
    terms: { ...TERMS, ...own },
    principalCentavos: principal,
    dueDate: DUE,
    calendar: { holidays, states: ['SP'] },
    indices: { legalRate: new Map(), ipca: new Map() },
  },
  settled: false,
  coveredCentavos: null,
  payments: payments.map((_, at) => ({
    id: String(at),
    paidCentavos: 0,
    refundedCentavos: 0,
    chargedBack: false,
    reportedAt: null,
    on: null,
    waivesRest: false,
  })),
});

/** Hears of the payments in this order. */
const heard = (debt: DebtPayments, { payments }: History, order: readonly number[]): DebtPayments =>
  order.reduce((before, at) => {
    const { day, paid, refunded, chargedBack } = payments[at]!;
    const state = { paidCentavos: paid, refundedCentavos: Math.floor(paid * refunded), chargedBack, at: 1 };
    return applyState(before, String(at), state, { on: day, waivesRest: false })!.debt;
  }, debt);

const orderOf = ({ payments }: History): number[] => payments.map((_, at) => at);

it('ends in the same state in whichever order the payments are learned', () => {
  fc.assert(
    fc.property(
      history.chain((one) =>
        fc.tuple(fc.constant(one), fc.shuffledSubarray(orderOf(one), { minLength: one.payments.length })),
      ),
      ([one, order]) => {
        const inOrder = heard(debtOf(one), one, orderOf(one));
        const shuffled = heard(debtOf(one), one, order);
        expect(creditedParts(shuffled)).toEqual(creditedParts(inOrder));
        expect(openOn(shuffled, LAST_DAY)).toEqual(openOn(inOrder, LAST_DAY));
        const nothingReturned = one.payments.every(({ refunded, chargedBack }) => refunded === 0 && !chargedBack);
        if (nothingReturned) expect(shuffled.settled).toBe(inOrder.settled);
      },
    ),
    { numRuns: 500 },
  );
});

it('keeps every centavo: what is kept is credited or left over, and what is charged is paid or open', () => {
  fc.assert(
    fc.property(history, (one) => {
      const debt = heard(debtOf(one), one, orderOf(one));
      const kept = debt.payments.reduce((sum, paid) => sum + keptCentavos(paid), 0);
      const open = openOn(debt, LAST_DAY);
      const credited = open.parts.reduce(
        (sum, { credited: of }) => sum + of.principal + of.fine + of.interest + of.correction,
        0,
      );
      expect(credited + open.excess).toBe(kept);
      const principalPaid = open.parts.reduce((sum, { credited: of }) => sum + of.principal, 0);
      expect(principalPaid + open.principal).toBe(one.principal);
    }),
    { numRuns: 500 },
  );
});

it('never lets a payment make the debt larger, and never asks more than without it', () => {
  fc.assert(
    fc.property(history, (one) => {
      const debt = heard(debtOf(one), one, orderOf(one));
      const without = owedOn({ ...debt.indebted, credits: [], on: LAST_DAY });
      expect(openOn(debt, LAST_DAY).total).toBeLessThanOrEqual(without.total);
    }),
    { numRuns: 500 },
  );
});
