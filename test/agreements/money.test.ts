import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { addDays, DAY, localDate } from '../../src/kernel/calendar.ts';
import { settleAgreement } from '../../src/modules/payments/use-cases/settle-agreement.ts';
import { startAgreementMoney } from '../../testing/agreement-money.ts';
import { type MoneyDeed, moneyDeeds } from '../../testing/money-deeds.ts';
import { opened } from '../../testing/opened.ts';

const money = await opened(startAgreementMoney());
const ninety = addDays(localDate(Date.now(), -3), -60);

const agreed = fc.record({
  debts: fc.array(
    fc
      .record({ originalAmount: fc.integer({ min: 2_000, max: 90_000 }).map((cents) => cents / 100) })
      .chain((one) => fc.boolean().map((isYoung) => (isYoung ? { ...one, dueDate: ninety } : one))),
    { minLength: 1, maxLength: 3 },
  ),
  withTerms: fc.boolean(),
  instalments: fc.integer({ min: 1, max: 3 }),
  afterBreach: fc.constantFrom('restore' as const, 'keep' as const),
});

describe('the money of an agreement', () => {
  it('is neither lost nor asked for twice, whatever happens to it', async () => {
    await fc.assert(
      fc.asyncProperty(agreed, fc.array(moneyDeeds, { maxLength: 14 }), async (given, deeds) => {
        const one = await money.agree(given);
        await one.check();
        for (const deed of deeds) {
          await one.carryOut(deed);
          await one.check();
        }
        // What was reported before is reported again, in another order, and changes nothing.
        const before = await one.state();
        await one.hearAll('backwards');
        expect(await one.state()).toEqual(before);
        await one.check();
      }),
      {
        numRuns: 40,
        seed: 69,
        endOnFailure: true,
        examples: [
          [
            {
              debts: [{ originalAmount: 100 }, { originalAmount: 50 }],
              withTerms: false,
              instalments: 3,
              afterBreach: 'keep',
            },
            [
              { kind: 'pay', code: 0, part: 2 },
              { kind: 'pay', code: 3, part: 0.3 },
            ] satisfies MoneyDeed[],
          ],
          [
            {
              debts: [{ originalAmount: 100 }, { originalAmount: 50 }],
              withTerms: false,
              instalments: 3,
              afterBreach: 'keep',
            },
            [
              { kind: 'code', what: 'next' },
              { kind: 'pay', code: 2, part: 2 },
              { kind: 'record', debt: 1, part: 0.5 },
              { kind: 'end', event: 'broken' },
              { kind: 'refund', payment: 0, part: 1 },
              { kind: 'code', what: 'ofDebts' },
              { kind: 'pay', code: 3, part: 1 },
            ] satisfies MoneyDeed[],
          ],
        ],
      },
    );
  });

  it('ends in the same amounts whatever order its reports come in', async () => {
    await fc.assert(
      fc.asyncProperty(
        agreed,
        fc.array(fc.record({ code: fc.nat(3), part: fc.constantFrom(0.3, 0.5, 1, 1.5) }), {
          minLength: 2,
          maxLength: 5,
        }),
        fc.constantFrom(null, 'broken' as const, 'cancelled' as const),
        fc.boolean(),
        async (given, payments, end, endsFirst) => {
          const sums = [];
          for (const order of ['forwards', 'backwards'] as const) {
            const one = await money.agree(given);
            for (const what of ['next', 'rest'] as const) await one.carryOut({ kind: 'code', what });
            if (end !== null && endsFirst) await one.carryOut({ kind: 'end', event: end });
            for (const payment of payments) one.payUnheard(payment);
            await one.hearAll(order);
            if (end !== null) await one.carryOut({ kind: 'end', event: end });
            await one.check();
            sums.push(await one.totals());
          }
          expect(sums[1]).toEqual(sums[0]);
        },
      ),
      { numRuns: 20, seed: 70, endOnFailure: true },
    );
  });

  it('completes it by a payment that went back, whether that is learned before or after it went back', async () => {
    for (const debts of [[{ originalAmount: 100 }], [{ originalAmount: 100 }, { originalAmount: 50 }]]) {
      for (const back of [
        { kind: 'refund', payment: 0, part: 1 },
        { kind: 'refund', payment: 0, part: 0.5 },
        { kind: 'chargeBack', payment: 0 },
      ] as const) {
        const ends = [];
        for (const isSeenAsPaid of [true, false]) {
          const one = await money.agree({ debts, withTerms: false, instalments: 1, afterBreach: 'restore' });
          await one.carryOut({ kind: 'code', what: 'rest' });
          const rest = { code: debts.length, part: 1 as const };
          if (isSeenAsPaid) await one.carryOut({ kind: 'pay', ...rest });
          else one.payUnheard(rest);
          await one.carryOut(back);
          await one.check();
          ends.push(await one.end());
        }
        expect(ends[0]).toMatchObject({ status: 'COMPLETED', statuses: debts.map(() => 'PAID') });
        expect(ends[1]).toEqual(ends[0]);
      }
    }
  });

  it('leaves a paid debt and its receipt as they are when an earlier payment is known after a breach', async () => {
    const debts = [{ originalAmount: 1_000 }, { originalAmount: 500 }];
    const one = await money.agree({ debts, withTerms: true, instalments: 2, afterBreach: 'restore' });
    for (const what of ['next', 'rest'] as const) await one.carryOut({ kind: 'code', what });
    await one.carryOut({ kind: 'end', event: 'broken' });
    const early = one.payUnheard({ code: 2, part: 1, paidAt: new Date(Date.now() - 40 * DAY) })!;
    await one.hearNewest(one.payUnheard({ code: 3, part: 1.2 })!);
    const { payment, receipt } = await one.shown(0);
    const before = await one.state();
    expect(before.statuses).toEqual(['PAID', 'IN_COLLECTION']);
    const receipts = () =>
      money.app.query<{ debt_id: string }>(
        'select debt_id, protocol, revoked_at from receipts where debt_id = any($1) order by issued_at',
        [one.person.ids],
      );
    const given = await receipts();
    expect(given).toEqual([{ debt_id: one.person.ids[0], protocol: expect.any(String), revoked_at: null }]);

    await one.hearNewest(early);
    await one.check();
    expect(await one.shown(0)).toMatchObject({ status: 'PAID', payment, receipt });
    expect((await receipts()).filter(({ debt_id }) => debt_id === one.person.ids[0])).toEqual(given);
    // The other debt has it as of the day on which it came.
    const after = (await one.state()).charges.filter(({ id }) => !before.charges.some((known) => known.id === id));
    const credited = await money.app.query(
      'select debt_id, paid_centavos::int, credited_on::text from charges where id = any($1)',
      [after.map(({ id }) => id)],
    );
    const creditedOn = localDate(early.paidAt!.getTime(), -3);
    expect(credited).toEqual([
      { debt_id: one.person.ids[1], paid_centavos: early.states[0]!.paidCentavos, credited_on: creditedOn },
    ]);
  });

  it('that comes late by a code of a cancelled one counts for the one that the debt has now', async () => {
    const { app, agreements, clients, collection } = money;
    const client = clients.plain;
    const person = await agreements.newPerson(client, [[{}]]);
    const [debtId] = person.ids;
    const cancelled = await agreements.agree(client, person);
    const [code] = await money.codesOf(client.id, person.ids);
    const cancel = await client.call('POST', `/api/agreements/${cancelled}/cancel`, { reason: 'outra data' });
    expect(cancel.status).toBe(200);
    const { items } = (await client.call('GET', `/api/debts/${debtId}/offers`)).body;
    const present = await agreements.accept(client.id, debtId!, items[0].number);

    await app.query(
      `update sandbox_charges set status = 'approved', paid_amount_centavos = amount_centavos, paid_at = now(),
         updated_at = now() where id = $1`,
      [code!.providerPaymentId],
    );
    await app.query('insert into payment_notifications (client_id, charge_id, request_id) values ($1, $2, $3)', [
      client.id,
      code!.id,
      'late',
    ]);
    const clock = { at: Date.now(), offsetMs: 0, exact: false };
    const task = { clientId: client.id, agreementId: cancelled, clock, attemptKey: randomUUID() };
    await settleAgreement(collection.payments)(task);

    expect((await client.call('GET', `/api/agreements/${present}`)).body).toMatchObject({
      status: 'ACTIVE',
      paid: 700,
    });
    // The debt got nothing of it by itself, so that the money counts once.
    const parts = await app.query('select 1 from charges where debt_id = $1 and part_of is not null', [debtId]);
    expect(parts).toEqual([]);
  });

  it('of a debt that an agreement settled with a discount is what was really paid', async () => {
    const given = { debts: [{ originalAmount: 100 }, { originalAmount: 50 }], withTerms: false, instalments: 1 };
    const one = await money.agree({ ...given, afterBreach: 'restore' });
    await one.carryOut({ kind: 'code', what: 'rest' });
    await one.carryOut({ kind: 'pay', code: 2, part: 1 });
    for (const [at, paid] of [70, 35].entries()) {
      const shown = await one.shown(at);
      expect(shown).toMatchObject({ status: 'PAID', owedToday: 0, payment: paid, quote: { paid, total: 0 } });
      expect(shown.facts).toBe(paid * 100);
      // The page rounds nothing and says no other amount.
      expect(shown.page).toContain(`${paid},00`);
      expect(shown.page).not.toMatch(/100,00|50,00/);
      expect(shown.receipt).toMatchObject({ amountCentavos: paid * 100 });
    }
  });
});
