import { describe, expect, it } from '@jest/globals';
import { startAgreementMoney } from '../../testing/agreement-money.ts';
import { opened } from '../../testing/opened.ts';

const money = await opened(startAgreementMoney());
const { app } = money;

/** Empties the outbox, in which one row stands for all wakes of a workflow, and returns what is asked for afterwards. */
async function wakes() {
  await app.query('delete from outbox');
  return async () =>
    (await app.query<{ id: string }>('select workflow_id as id from outbox')).map(({ id }) => id).sort();
}

/** One bill of R$ 1.000,00 of which R$ 700,00 were agreed, are owed after the breach, and are asked for by its code. */
async function brokenAndKept() {
  const one = await money.agree({ debts: [{}], withTerms: false, instalments: 1, afterBreach: 'keep' });
  await one.carryOut({ kind: 'end', event: 'broken' });
  await one.carryOut({ kind: 'code', what: 'ofDebts' });
  const debtId = one.person.ids[0]!;
  const settle = (body: object) =>
    one.client.call('POST', `/api/debts/${debtId}/settle`, {
      paidAt: new Date().toISOString(),
      method: 'cash',
      ...body,
    });
  return { ...one, debtId, settle };
}

describe('a debt whose agreement was broken', () => {
  it.each([300, 700])('is woken by R$ %p that staff record, so that its codes follow', async (amount) => {
    const one = await brokenAndKept();
    const woken = await wakes();
    expect((await one.settle({ amount })).status).toBe(200);
    expect(await woken()).toContain(`collection-${one.debtId}`);
  });

  it('is woken by late money of the agreement that pays it', async () => {
    const one = await money.agree({ debts: [{}, {}], withTerms: false, instalments: 1, afterBreach: 'restore' });
    await one.carryOut({ kind: 'code', what: 'rest' });
    await one.carryOut({ kind: 'end', event: 'broken' });
    const late = one.payUnheard({ code: 2, part: 1 })!;
    const woken = await wakes();
    await one.hearNewest(late);
    const [first] = await app.query('select status from debts where id = $1', [one.person.ids[0]]);
    expect(first).toEqual({ status: 'PAID' });
    expect(await woken()).toContain(`collection-${one.person.ids[0]}`);
  });

  it('is paid by less than the kept rest when staff give up what is left', async () => {
    const one = await brokenAndKept();
    expect((await one.settle({ amount: 500, rest: 'waive' })).body).toMatchObject({ status: 'PAID' });
    expect((await one.client.call('GET', `/api/debts/${one.debtId}`)).body).toMatchObject({ status: 'PAID' });
  });
});
