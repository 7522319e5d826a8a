import { describe, expect, it } from '@jest/globals';
import { debtInput } from '../../testing/debts.ts';
import { collector, ofKind, sent, startCollectionApp } from '../../testing/engine-harness.ts';
import { opened } from '../../testing/opened.ts';
import { until } from '../../testing/poll.ts';

const app = await opened(startCollectionApp());
const client = collector(await app.newClient());

const SILENT = { debtorPhone: '+5511980007000' };

const end = (debtId: string) => app.query(`update debts set status = 'EXHAUSTED' where id = $1`, [debtId]);

/** Launches a debt and imports it again after its end. */
async function importedAgain(n: number): Promise<{ ended: string; again: string }> {
  const ended = await client.launchOne(SILENT, n);
  await client.reaches(ended, 'it was contacted', (debt) => sent(debt, 'collection').length > 0);
  await end(ended);
  const again = await client.launchOne(SILENT, n);
  expect(again).not.toBe(ended);
  return { ended, again };
}

const pay = async (debtId: string): Promise<void> => {
  expect((await client.call('POST', `/api/sandbox/debts/${debtId}/pay`)).status).toBe(202);
};
const paid = (debtId: string) => client.reaches(debtId, `${debtId} is paid`, ({ status }) => status === 'PAID');

describe('a debt that was imported again after its end', () => {
  it('is settled by a payment of either row, once, and has one receipt', async () => {
    const ended = await client.launchOne(SILENT, 1);
    expect((await client.ended(ended)).status).toBe('EXHAUSTED');
    const again = await client.launchOne(SILENT, 1);
    // The rows have one code, which is paid at the same moment by the address of either.
    await Promise.all([pay(ended), pay(again)]);
    const rows = [await paid(ended), await paid(again)];
    expect(rows.flatMap((debt) => ofKind(debt, 'payment_approved'))).toHaveLength(1);
    expect(rows.flatMap((debt) => ofKind(debt, 'payment_duplicate'))).toEqual([]);
    const receipts = await Promise.all(
      [ended, again].map((id) =>
        until('the receipt is issued', async () => {
          const { status, body } = await client.call('POST', `/api/receipts/${id}`);
          return status === 200 || status === 201 ? body : null;
        }),
      ),
    );
    expect(receipts[0].protocol).toBe(receipts[1].protocol);
  });

  it('keeps the code that can still be paid', async () => {
    const ended = await client.launchOne(SILENT, 2);
    await client.reaches(ended, 'it has a code', (debt) => ofKind(debt, 'charge_created').length > 0);
    await end(ended);
    const { body: before } = await client.call('GET', `/api/payments/${ended}`);
    expect(before.brCode).not.toBeNull();
    const campaignId = await client.draft([debtInput(2, SILENT)]);
    const [again] = await client.allDebts(campaignId);
    const { body: after } = await client.call('GET', `/api/payments/${again?.id}`);
    expect([after.paymentId, after.brCode]).toEqual([before.paymentId, before.brCode]);
  });

  it('is disputed as a whole', async () => {
    const { ended, again } = await importedAgain(5);
    expect((await client.say(ended, 'Não reconheço essa dívida')).status).toBe(202);
    await client.reaches(again, 'the current row is disputed', ({ status }) => status === 'DISPUTED');
    expect((await client.debt(ended)).status).toBe('EXHAUSTED');
  });

  it('is withdrawn as a whole', async () => {
    const { ended, again } = await importedAgain(3);
    expect((await client.call('POST', `/api/debts/${again}/withdraw`)).status).toBe(200);
    for (const id of [ended, again]) {
      await client.reaches(id, 'the row is stopped', ({ status }) => status === 'STOPPED');
    }
  });

  it('is recognised without its invoice as well', async () => {
    const { ended, again } = await importedAgain(4);
    await end(again);
    const third = await client.launchOne({ ...SILENT, invoiceId: undefined }, 4);
    await pay(ended);
    for (const id of [ended, again, third]) await paid(id);
  });
});
