import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { TERMS } from '../../../../testing/late-payment-terms.ts';
import { addDays } from '../../../kernel/calendar.ts';
import { loadPolicy } from '../../policy/use-cases/load-policy.ts';
import type { Credit } from '../../terms/rules/credits.ts';
import { owedOn } from '../../terms/rules/owed-on.ts';
import { creditInOrder, openAsBefore, type RestoredDebt, restoredCredits } from './agreement-money.ts';

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

/** What the money of a debt leaves of it and over it, on the day of its latest credit. */
function afterCredits(debt: RestoredDebt, credits: readonly Credit[]) {
  const on =
    credits
      .map((credit) => credit.on)
      .toSorted()
      .at(-1) ?? debt.dueDate;
  const { total, excess } = owedOn({ ...debt, credits, on });
  return { open: total, excess };
}

/** Credits payments one after the other as they become known after a breach; what a paid debt has got stays. */
function learned(debts: readonly RestoredDebt[], arrivals: readonly Credit[]) {
  const credits: Credit[][] = debts.map(() => []);
  const isPaid = debts.map(() => false);
  let excess = 0;
  for (const { on, amountCentavos } of arrivals) {
    const open = debts.map((debt, at) => (isPaid[at] ? 0 : openAsBefore({ ...debt, credits: credits[at]! }, on)));
    const money = creditInOrder(open, amountCentavos);
    for (const [at, share] of money.shares.entries()) {
      if (share === 0) continue;
      credits[at]!.push({ on, amountCentavos: share });
      isPaid[at] = afterCredits(debts[at]!, credits[at]!).open === 0;
    }
    excess += money.excess;
  }
  return { credits, excess, isPaid };
}

describe('payments that become known after a breach', () => {
  const payment = fc.record({
    on: fc.integer({ min: 1, max: 200 }).map((days) => addDays('2026-01-10', days)),
    amountCentavos: fc.integer({ min: 1, max: 60_000 }),
  });
  const debts = [DEBT, { ...DEBT, dueDate: '2026-03-10', principalCentavos: 50_000 }];
  const inOneOrder = (credits: readonly (readonly Credit[])[]) =>
    credits.map((all) => all.map(({ on, amountCentavos }) => `${on} ${amountCentavos}`).sort());
  const payments = fc.array(payment, { minLength: 1, maxLength: 5 });
  const inTwoOrders = payments.chain((all) =>
    fc.record({ all: fc.constant(all), arrived: fc.shuffledSubarray(all, { minLength: all.length }) }),
  );

  it('lead to one state in whatever order, as long as they pay no debt in full', () => {
    let compared = 0;
    fc.assert(
      fc.property(inTwoOrders, ({ all, arrived }) => {
        const { credits, isPaid } = learned(debts, arrived);
        if (isPaid.includes(true)) return;
        compared += 1;
        expect(inOneOrder(credits)).toEqual(inOneOrder(restoredCredits(debts, all).credits));
      }),
    );
    expect(compared).toBeGreaterThan(0);
  });

  it('lose no centavo in any order, and each counts as of its own day', () => {
    fc.assert(
      fc.property(inTwoOrders, ({ all, arrived }) => {
        const { credits, excess } = learned(debts, arrived);
        const sum = (of: readonly Credit[]) => of.reduce((total, { amountCentavos }) => total + amountCentavos, 0);
        expect(sum(credits.flat()) + excess).toBe(sum(all));
        for (const { on } of credits.flat()) expect(all.map((one) => one.on)).toContain(on);
      }),
    );
  });

  it('are divided otherwise when a debt was paid before an earlier one is known: the example of decision 0069', () => {
    const both = [DEBT, { ...DEBT, principalCentavos: 50_000 }];
    const early = { on: '2026-02-09', amountCentavos: 50_000 };
    const late = { on: '2026-07-09', amountCentavos: 110_000 };
    const tooMuch = ({ credits, excess }: ReturnType<typeof learned>) =>
      excess + both.reduce((sum, debt, at) => sum + afterCredits(debt, credits[at]!).excess, 0);

    const inTime = learned(both, [early, late]);
    expect(inTime.credits).toEqual(restoredCredits(both, [late, early]).credits);
    expect(inTime).toMatchObject({ isPaid: [true, true] });
    expect(inTime.credits[0]).toEqual([early, { ...late, amountCentavos: 55_650 }]);
    expect(tooMuch(inTime)).toBe(350);

    const afterwards = learned(both, [late, early]);
    expect(afterwards).toMatchObject({ isPaid: [true, true] });
    expect(afterwards.credits).toEqual([
      [{ ...late, amountCentavos: 108_000 }],
      [{ ...late, amountCentavos: 2_000 }, early],
    ]);
    expect(tooMuch(afterwards)).toBe(425);
  });
});
