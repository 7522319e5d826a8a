import { describe, expect, it } from '@jest/globals';
import { opened } from '../../testing/opened.ts';
import { until } from '../../testing/poll.ts';
import {
  type Debtor,
  newDebt,
  payInSandbox,
  readDebt,
  readPayment,
  startPaymentsApp,
  untilStatus,
} from '../payments/support.ts';

const sandbox = await opened(startPaymentsApp());

const protocolOf = (debtor: Debtor): Promise<string> =>
  until('the receipt is issued', async () => {
    const { receiptProtocol } = (await readPayment(debtor)) as { receiptProtocol?: string | null };
    return receiptProtocol ?? null;
  });

/** Records a payment and returns its id. */
async function settle({ client, id }: Debtor, amount: number): Promise<string> {
  const body = { amount, paidAt: '2026-11-02', method: 'cheque' };
  const paid = async (): Promise<string[]> =>
    (await client.call('GET', `/api/debts/${id}/payments`)).body.items
      .filter((payment: { paid: number }) => payment.paid > 0)
      .map(({ paymentId }: { paymentId: string }) => paymentId);
  const before = await paid();
  expect((await client.call('POST', `/api/debts/${id}/settle`, body)).status).toBe(200);
  return (await paid()).find((one) => !before.includes(one))!;
}

/** Takes a payment back and returns the status of the debt. */
async function undo(debtor: Debtor, paymentId: string): Promise<string> {
  expect((await debtor.client.call('POST', `/api/settlements/${paymentId}/undo`)).status).toBe(200);
  return (await readDebt(debtor)).status;
}

describe('after a payment about the wrong debt was taken back', () => {
  it('the receipt of the debt is that of the payment that settles it now', async () => {
    const debtor = await newDebt(sandbox, { originalAmount: 100 });
    const mistake = await settle(debtor, 100);
    const wrong = await protocolOf(debtor);
    expect(await undo(debtor, mistake)).not.toBe('PAID');
    expect((await payInSandbox(debtor)).status).toBe(202);
    await untilStatus(debtor, 'APPROVED');
    const right = await protocolOf(debtor);
    expect(right).not.toBe(wrong);
    const [found] = (await debtor.client.call('POST', '/api/debts/search', {})).body.items;
    const page = (await sandbox.get<string>(`/checkout/${debtor.id}`)).body;
    expect([found.receiptProtocol, /receipts\/download\/(QT-[^?"&]+)/.exec(page)?.[1]]).toEqual([right, right]);
  });
});
