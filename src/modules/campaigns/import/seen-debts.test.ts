import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createSeenDebts, sumOf } from './seen-debts.ts';

// There are few values, so that many debts have something in common.
const debts = fc.array(
  fc.record({
    debtorTaxId: fc.constantFrom('1', '2'),
    originalAmountCentavos: fc.constantFrom(1, 2),
    dueDate: fc.constantFrom('2026-01-01', '2026-01-02'),
    invoiceKey: fc.constantFrom(null, 'a', 'b', 'c'),
  }),
  { maxLength: 8 },
);

describe('the debts that an import has seen', () => {
  it('have a debt with an invoice of theirs, or, where either has none, with person, amount and due date', () => {
    fc.assert(
      fc.property(debts, debts, (earlier, given) => {
        const seen = createSeenDebts();
        for (const debt of earlier) seen.add({ invoiceKey: debt.invoiceKey, sum: sumOf(debt) });
        for (const debt of given) {
          const areSame = (other: typeof debt) =>
            debt.invoiceKey !== null && other.invoiceKey !== null
              ? debt.invoiceKey === other.invoiceKey
              : sumOf(debt) === sumOf(other);
          expect(seen.has(debt)).toBe(earlier.some(areSame));
        }
      }),
    );
  });

  it('are known by the invoice alone when nothing else is known of them', () => {
    const seen = createSeenDebts();
    seen.add({ invoiceKey: 'a', sum: null });
    const debt = { debtorTaxId: '1', originalAmountCentavos: 1, dueDate: '2026-01-01' };
    expect([seen.has({ ...debt, invoiceKey: 'a' }), seen.has({ ...debt, invoiceKey: null })]).toEqual([true, false]);
  });
});
