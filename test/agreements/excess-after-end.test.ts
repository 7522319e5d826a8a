import { beforeAll, describe, expect, it } from '@jest/globals';
import { applyAnswer } from '../../src/modules/payments/use-cases/apply-answer.ts';
import { findOrMakeCharge, type LiveCharge } from '../../src/modules/payments/use-cases/find-or-make-charge.ts';
import { startAgreementMoney } from '../../testing/agreement-money.ts';
import type { DebtInput } from '../../testing/debts.ts';
import { reportOfCode } from '../../testing/money-deeds.ts';
import { opened } from '../../testing/opened.ts';

const money = await opened(startAgreementMoney());
const { app, agreements, clients, collection } = money;
const client = clients.plain;

beforeAll(async () => {
  expect((await client.call('PATCH', '/api/onboarding/me', { autoRefundExcess: true })).status).toBe(200);
});

const ENDS = ['keep', 'restore', 'cancelled'] as const;
type End = (typeof ENDS)[number];

/** An agreement of R$ 700,00 for each R$ 1.000,00 that has ended so, with the code that it had. */
async function ended(how: End, debts: readonly Partial<DebtInput>[] = [{}]) {
  const afterBreach = how === 'keep' ? 'keep' : 'restore';
  const one = await money.agree({ debts, withTerms: false, instalments: 1, afterBreach });
  const debtId = one.person.ids[0]!;
  const code = (await findOrMakeCharge(collection.payments)({ clientId: client.id, debtId, ofAgreement: 'next' }))!;
  expect(code.amountCentavos).toBe(70_000 * debts.length);
  await one.carryOut({ kind: 'end', event: how === 'cancelled' ? 'cancelled' : 'broken' });
  return { ...one, ids: one.person.ids, debtId, code };
}

const pay = (code: LiveCharge): Promise<void> => money.payCode(client.id, code);

/** The bank says that so much of the payment went back. */
async function bankReturns(code: LiveCharge, centavos: number): Promise<void> {
  const [charge] = await app.query<{ debtId: string }>('select debt_id as "debtId" from charges where id = $1', [
    code.id,
  ]);
  const state = { paidCentavos: code.amountCentavos, refundedCentavos: centavos, chargedBack: false, at: 900_000 };
  await applyAnswer(
    collection.payments,
    { clientId: client.id, debtId: charge!.debtId, chargeId: code.id },
    reportOfCode({ code, paidAt: null }, state),
    () => Date.now(),
  );
}

async function payOwnCode(debtId: string): Promise<void> {
  await pay((await findOrMakeCharge(collection.payments)({ clientId: client.id, debtId }))!);
  expect(await statusOf(debtId)).toBe('PAID');
}

async function record(debtId: string, amount: number, rest?: 'waive'): Promise<void> {
  const payment = { amount, paidAt: new Date().toISOString(), method: 'cash', rest };
  expect((await client.call('POST', `/api/debts/${debtId}/settle`, payment)).status).toBe(200);
}

async function agreeAgain(debtId: string): Promise<number> {
  const { items } = (await client.call('GET', `/api/debts/${debtId}/offers`)).body;
  await agreements.accept(client.id, debtId, items[0].number);
  return items[0].total;
}

const statusOf = async (debtId: string): Promise<string> =>
  (await client.call('GET', `/api/debts/${debtId}`)).body.status;

/** What goes back of a payment by itself. */
const goesBack = async ({ id }: Pick<LiveCharge, 'id'>): Promise<number[]> =>
  (
    await app.query<{ centavos: number }>(
      `select amount_centavos::int as centavos from refunds where charge_id = $1 and kind = 'excess'`,
      [id],
    )
  ).map(({ centavos }) => centavos);

describe('a payment by the code of an agreement that has ended', () => {
  it.each(ENDS)('goes back by itself where the debt was paid before, once: %s', async (how) => {
    const { debtId, code } = await ended(how);
    await payOwnCode(debtId);
    await pay(code);
    expect(await goesBack(code)).toEqual([70_000]);
    await pay(code);
    expect(await goesBack(code)).toEqual([70_000]);
  });

  it.each([
    ['keep', 60_000],
    ['restore', 30_000],
    ['cancelled', 30_000],
  ] as const)('goes back by itself as far as it is more than was open: %s', async (how, back) => {
    const { debtId, code } = await ended(how);
    await record(debtId, 600);
    expect(await statusOf(debtId)).not.toBe('PAID');
    await pay(code);
    expect(await statusOf(debtId)).toBe('PAID');
    expect(await goesBack(code)).toEqual([back]);
  });

  it.each(ENDS)('stays where it pays what is open: %s', async (how) => {
    const { code } = await ended(how);
    await pay(code);
    expect(await goesBack(code)).toEqual([]);
  });

  it.each(ENDS)('stays as far as it pays another debt of the agreement: %s', async (how) => {
    const { ids, code } = await ended(how, [{}, {}]);
    await payOwnCode(ids[0]!);
    await pay(code);
    const open = how === 'keep' ? 70_000 : 100_000;
    expect(await statusOf(ids[1]!)).toBe('PAID');
    expect(await goesBack(code)).toEqual([140_000 - open]);
  });

  it.each(ENDS)('goes back from the debt that was paid before, and leaves the other one: %s', async (how) => {
    const { ids, code } = await ended(how, [{}, {}]);
    const [first, second] = ids as [string, string];
    await payOwnCode(first);
    await pay(code);
    const [back] = await goesBack(code);
    await bankReturns(code, back!);
    const parts = await app.query(
      'select debt_id as debt, refunded_centavos::int as refunded from charges where part_of = $1 order by debt_id = $2',
      [code.id, first],
    );
    expect(parts).toEqual([
      { debt: second, refunded: 0 },
      { debt: first, refunded: back },
    ]);
    expect(
      await app.query('select reason from inbox_items where debt_id = any($1) and closed_at is null', [ids]),
    ).toEqual([]);
  });

  it.each(ENDS)('goes back where the rest of the debt was given up with another payment: %s', async (how) => {
    const { debtId, code } = await ended(how);
    await record(debtId, 100, 'waive');
    expect(await statusOf(debtId)).toBe('PAID');
    await pay(code);
    expect(await goesBack(code)).toEqual([70_000]);
  });

  it.each(ENDS)('goes back where a later agreement about the debt was completed: %s', async (how) => {
    const { debtId, code } = await ended(how);
    await record(debtId, await agreeAgain(debtId));
    expect(await statusOf(debtId)).toBe('PAID');
    await pay(code);
    expect(await goesBack(code)).toEqual([70_000]);
  });

  it.each(ENDS)('goes back only beyond what a later agreement about the debt asks for: %s', async (how) => {
    const { debtId, code } = await ended(how);
    const total = await agreeAgain(debtId);
    await pay(code);
    const beyond = 70_000 - total * 100;
    expect(await statusOf(debtId)).toBe(beyond < 0 ? 'AGREEMENT' : 'PAID');
    expect(await goesBack(code)).toEqual(beyond > 0 ? [beyond] : []);
  });

  it('stays as far as the agreed rest is owed again because money went back', async () => {
    const one = await money.agree({ debts: [{}], withTerms: false, instalments: 1, afterBreach: 'keep' });
    await one.carryOut({ kind: 'code', what: 'next' });
    await one.carryOut({ kind: 'end', event: 'broken' });
    await one.carryOut({ kind: 'code', what: 'ofDebts' });
    await one.carryOut({ kind: 'pay', code: 1, part: 1 });
    await one.carryOut({ kind: 'refund', payment: 0, part: 1 / 7 });
    await one.carryOut({ kind: 'pay', code: 2, part: 1 });
    const back = await app.query(
      "select amount_centavos::int as centavos from refunds where debt_id = $1 and kind = 'excess'",
      [...one.person.ids],
    );
    expect(back).toEqual([{ centavos: 60_000 }]);
  });
});
