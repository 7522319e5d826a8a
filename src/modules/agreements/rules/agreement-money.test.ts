import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { TERMS } from '../../../../testing/late-payment-terms.ts';
import { addDays } from '../../../kernel/calendar.ts';
import { loadPolicy } from '../../policy/use-cases/load-policy.ts';
import { owedOn } from '../../terms/rules/owed-on.ts';
import { creditInOrder, type RestoredDebt, restoredCredits } from './agreement-money.ts';

const DEBT: RestoredDebt = {
  terms: TERMS,
  principalCentavos: 100_000,
  dueDate: '2026-01-10',
  calendar: { holidays: loadPolicy().holidays, states: ['SP'] },
  indices: { legalRate: new Map(), ipca: new Map() },
  credits: [],
};

it('golden example 11: a broken agreement restores the debt less what was paid', () => {
  const { credits, excess } = restoredCredits([DEBT], [{ on: '2026-07-09', amountCentavos: 25_200 }]);
  expect(excess).toBe(0);
  const owed = owedOn({ ...DEBT, credits: credits[0]!, on: '2026-08-08' });
  expect(owed.parts[0]!.credited).toEqual({ interest: 6_000, fine: 2_000, correction: 0, principal: 17_200 });
  expect(owed).toMatchObject({ principal: 82_800, interest: 828, total: 83_628 });
});

it('credits the oldest debt first, and each up to what it owes on the day', () => {
  const younger = { ...DEBT, dueDate: '2026-06-09', principalCentavos: 50_000 };
  const payments = [
    { on: '2026-08-08', amountCentavos: 60_000 },
    { on: '2026-07-09', amountCentavos: 100_000 },
  ];
  const { credits, excess } = restoredCredits([DEBT, younger], payments);
  // After R$ 1.000,00 the older debt has R$ 80,00 of principal open, and R$ 0,80 of interest 30 days later.
  expect(credits).toEqual([
    [
      { on: '2026-07-09', amountCentavos: 100_000 },
      { on: '2026-08-08', amountCentavos: 8_080 },
    ],
    [{ on: '2026-08-08', amountCentavos: 51_920 }],
  ]);
  expect(excess).toBe(0);
  expect(owedOn({ ...younger, credits: credits[1]!, on: '2026-08-08' }).total).toBe(50_000 + 1_000 + 1_000 - 51_920);
});

it('conserves every centavo', () => {
  const payment = fc.record({
    on: fc.integer({ min: -10, max: 300 }).map((days) => addDays('2026-01-10', days)),
    amountCentavos: fc.integer({ min: 1, max: 90_000 }),
  });
  const debt = fc
    .record({ principalCentavos: fc.integer({ min: 1, max: 100_000 }), late: fc.nat({ max: 60 }) })
    .map(({ principalCentavos, late }) => ({ ...DEBT, principalCentavos, dueDate: addDays('2026-01-10', late) }));
  const sum = (amounts: readonly { readonly amountCentavos: number }[]) =>
    amounts.reduce((all, { amountCentavos }) => all + amountCentavos, 0);
  fc.assert(
    fc.property(
      fc.array(debt, { minLength: 1, maxLength: 4 }),
      fc.array(payment, { maxLength: 5 }),
      (debts, payments) => {
        const { credits, excess } = restoredCredits(debts, payments);
        expect(sum(credits.flat()) + excess).toBe(sum(payments));
        debts.forEach((one, at) => {
          expect(owedOn({ ...one, credits: credits[at]!, on: '2026-12-31' }).excess).toBe(0);
        });
      },
    ),
  );
});

it('leaves over what is more than all debts have open', () => {
  expect(creditInOrder([100, 0, 50], 120)).toEqual({ shares: [100, 0, 20], excess: 0 });
  expect(creditInOrder([100, 0, 50], 200)).toEqual({ shares: [100, 0, 50], excess: 50 });
});
