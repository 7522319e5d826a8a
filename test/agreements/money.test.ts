import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { localDate } from '../../src/kernel/calendar.ts';
import { settleAgreement } from '../../src/modules/payments/use-cases/settle-agreement.ts';
import { startAgreementMoney } from '../../testing/agreement-money.ts';
import { endsInOneState, keepsEveryCentavo } from '../../testing/agreement-properties.ts';
import { opened } from '../../testing/opened.ts';

const money = await opened(startAgreementMoney());
describe('the money of an agreement', () => {
  it('is neither lost nor asked for twice, whatever happens to it', async () => {
    await keepsEveryCentavo(money, { numRuns: 16, seed: 69 });
  });

  it('ends in the same state whatever order its reports come in', async () => {
    await endsInOneState(money, { numRuns: 10, seed: 70 });
  });

  it('that is more than was agreed takes nothing from the discount, and is in the inbox', async () => {
    const debts = [{ originalAmount: 1_000 }, { originalAmount: 500 }];
    const one = await money.agree({ debts, withTerms: false, instalments: 1, afterBreach: 'restore' });
    await one.carryOut({ kind: 'code', what: 'rest' });
    // R$ 1.050,00 were agreed, and R$ 1.150,00 came.
    await one.carryOut({ kind: 'pay', code: 2, part: 1_150 / 1_050 });
    await one.check();
    await one.checkReceipts();
    expect(await one.totals()).toMatchObject({ status: 'COMPLETED', statuses: ['PAID', 'PAID'], tooMuch: 10_000 });
    const waiting = () =>
      money.app.query('select debt_id, reason from inbox_items where debt_id = any($1) and closed_at is null', [
        one.person.ids,
      ]);
    expect(await waiting()).toEqual([{ debt_id: one.person.ids[1], reason: 'overpaid' }]);
    await one.carryOut({ kind: 'refund', payment: 0, part: 100 / 1_150 });
    expect(await waiting()).toEqual([]);
    expect(await one.totals()).toMatchObject({ kept: 105_000, statuses: ['PAID', 'PAID'], tooMuch: 0 });
  });

  it('that comes for a debt which money of a broken agreement has paid is in the inbox in either order', async () => {
    const ends = [];
    for (const isOwnFirst of [false, true]) {
      const debts = [{ originalAmount: 1_000 }, { originalAmount: 500 }];
      const one = await money.agree({ debts, withTerms: false, instalments: 1, afterBreach: 'restore' });
      await one.carryOut({ kind: 'code', what: 'rest' });
      await one.carryOut({ kind: 'end', event: 'broken' });
      const ofAgreement = one.payUnheard({ code: 2, part: 1_000 / 1_050 })!;
      const own = one.payUnheard({ code: 0, part: 1 })!;
      for (const payment of isOwnFirst ? [own, ofAgreement] : [ofAgreement, own]) await one.hearNewest(payment);
      await one.check();
      ends.push(await one.totals());
    }
    const same = { status: 'BROKEN', kept: 200_000 };
    expect(ends[0]).toMatchObject({
      ...same,
      statuses: ['PAID', 'IN_COLLECTION'],
      open: [0, 50_000],
      tooMuch: 100_000,
    });
    expect(ends[1]).toMatchObject({ ...same, statuses: ['PAID', 'PAID'], open: [0, 0], tooMuch: 50_000 });
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
    const early = one.payUnheard({ code: 2, part: 1, daysAgo: 40 })!;
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
