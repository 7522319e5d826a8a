/** What is true of the money of any agreement. `npm test` tries a few, the long run many. */
import { expect } from '@jest/globals';
import fc from 'fast-check';
import { addDays, localDate } from '../src/kernel/calendar.ts';
import type { startAgreementMoney } from './agreement-money.ts';
import { daysAgo, type MoneyDeed, moneyDeeds } from './money-deeds.ts';
import { offersPolicies } from './offers-policy.ts';

type AgreementMoney = Awaited<ReturnType<typeof startAgreementMoney>>;
type Runs = Pick<fc.Parameters<unknown>, 'numRuns' | 'seed'>;

const sixtyDaysAgo = addDays(localDate(Date.now(), -3), -60);

const agreed = fc
  .record({
    debts: fc.array(
      fc
        .record({ originalAmount: fc.integer({ min: 2_000, max: 90_000 }).map((cents) => cents / 100) })
        .chain((one) => fc.boolean().map((isYoung) => (isYoung ? { ...one, dueDate: sixtyDaysAgo } : one))),
      { minLength: 1, maxLength: 3 },
    ),
    withTerms: fc.boolean(),
    instalments: fc.integer({ min: 1, max: 3 }),
    policy: offersPolicies,
  })
  .map((given) => ({ ...given, afterBreach: given.policy.breach.then }));

const TWO = { debts: [{ originalAmount: 100 }, { originalAmount: 50 }], withTerms: false, instalments: 3 };
const KNOWN: [Parameters<AgreementMoney['agree']>[0], MoneyDeed[]][] = [
  [
    { ...TWO, afterBreach: 'keep' },
    [
      { kind: 'pay', code: 0, part: 2 },
      { kind: 'pay', code: 3, part: 0.3 },
    ],
  ],
  [
    { ...TWO, afterBreach: 'keep' },
    [
      { kind: 'code', what: 'next' },
      { kind: 'pay', code: 2, part: 2 },
      { kind: 'record', debt: 1, part: 0.5 },
      { kind: 'end', event: 'broken' },
      { kind: 'refund', payment: 0, part: 1 },
      { kind: 'code', what: 'ofDebts' },
      { kind: 'pay', code: 3, part: 1 },
    ],
  ],
];

/** Charged = paid + given up + open at every moment, for each component; nobody is asked for more than the quote of the day. */
export const keepsEveryCentavo = (money: AgreementMoney, runs: Runs): Promise<void> =>
  fc.assert(
    fc.asyncProperty(agreed, fc.array(moneyDeeds, { maxLength: 14 }), async (given, deeds) => {
      const one = await money.agree(given);
      await one.check();
      for (const deed of deeds) {
        await one.carryOut(deed);
        await one.check();
      }
      await one.checkReceipts();
      // What was reported before is reported again, in another order, and changes nothing.
      const before = await one.state();
      await one.hearAll();
      expect(await one.state()).toEqual(before);
      await one.check();
    }),
    { ...runs, endOnFailure: true, examples: KNOWN as never },
  );

const payments = fc.array(fc.record({ code: fc.nat(4), part: fc.constantFrom(0.3, 0.5, 1, 1.5), daysAgo }), {
  minLength: 2,
  maxLength: 5,
});

/**
 * The same reports in another order end in the same state: status, money, and status and rest of each debt. What is left
 * out is exactly this: after a breach that restores several debts (or a cancellation) of which one is PAID, a later debt
 * may end otherwise where money came by a code of a single debt, or where debts with charges are paid on several days. The first debt ends the same
 * also then, and where nothing depends on the day, a later debt owes more only by what the creditor has too much; `totals`
 * checks that the inbox tells of it.
 */
export const endsInOneState = (money: AgreementMoney, runs: Runs): Promise<void> =>
  fc.assert(
    fc.asyncProperty(
      agreed,
      payments.chain((all) =>
        fc.tuple(fc.constant(all), fc.shuffledSubarray([...all.keys()], { minLength: all.length })),
      ),
      fc.constantFrom(null, 'broken' as const, 'cancelled' as const),
      fc.boolean(),
      async (given, [paid, shuffled], end, endsFirst) => {
        const ends = [];
        for (const order of [[...paid.keys()], shuffled]) {
          const one = await money.agree(given);
          for (const what of ['next', 'rest'] as const) await one.carryOut({ kind: 'code', what });
          if (end !== null && endsFirst) await one.carryOut({ kind: 'end', event: end });
          for (const payment of paid) one.payUnheard(payment);
          await one.hearAll(order);
          if (end !== null) await one.carryOut({ kind: 'end', event: end });
          await one.check();
          ends.push(await one.totals());
        }
        const [first, second] = ends as [(typeof ends)[number], (typeof ends)[number]];
        expect(second).toMatchObject({ status: first.status, kept: first.kept });
        expect(second.statuses[0]).toBe(first.statuses[0]);
        const isRestored =
          first.status === 'CANCELLED' || (first.status === 'BROKEN' && given.afterBreach === 'restore');
        const isPaid = [first, second].some(({ statuses }) => statuses.includes('PAID'));
        const isFixed = !given.withTerms || paid.every((one) => one.daysAgo === 0);
        const hasOwn = first.hasOwn || second.hasOwn;
        if (!isRestored || !isPaid || given.debts.length === 1 || (isFixed && !hasOwn)) {
          expect([second.statuses, second.open]).toEqual([first.statuses, first.open]);
        }
        // A paid debt keeps the interest that it was settled with.
        const rest = ({ open, tooMuch }: typeof first) => open.reduce((sum, one) => sum + one, 0) - tooMuch;
        if (isFixed) expect(rest(second)).toBe(rest(first));
      },
    ),
    {
      ...runs,
      endOnFailure: true,
      examples: [
        // The payment that covers a debt is of an earlier day than one that was learned before it.
        [
          { ...TWO, afterBreach: 'keep', policy: undefined },
          [
            [
              { code: 0, part: 0.3, daysAgo: 0 },
              { code: 3, part: 1, daysAgo: 3 },
            ],
            [1, 0],
          ],
          'broken',
          true,
        ],
      ] as never,
    },
  );
