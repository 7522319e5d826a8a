import { describe, expect, it } from '@jest/globals';
import { addDays, localDate } from '../../src/kernel/calendar.ts';
import { newAgreement } from '../../testing/agreements-harness.ts';
import { opened } from '../../testing/opened.ts';
import { until } from '../../testing/poll.ts';
import { readPdf } from '../../testing/read-pdf.ts';
import { downloadPath } from '../../testing/receipts-harness.ts';
import { newCharge, openPage, startRealApp, tell } from '../payments/real-provider.ts';
import {
  type Debtor,
  newDebt,
  payInSandbox,
  paymentEvents,
  readDebt,
  readPayment,
  startPaymentsApp,
  untilStatus,
} from '../payments/support.ts';

const sandbox = await opened(startPaymentsApp());
const real = await opened(startRealApp());

interface Listed {
  readonly protocol: string;
  readonly kind: string;
  readonly amount: number;
  readonly revokedAt: string | null;
}

const receiptsOf = async ({ client, id }: Debtor): Promise<Listed[]> =>
  (await client.call('GET', `/api/receipts?debtId=${id}`)).body.items;
const issued = (debtor: Debtor, kind: string, count = 1): Promise<Listed[]> =>
  until(`receipts of kind ${kind}`, async () => {
    const found = (await receiptsOf(debtor)).filter((one) => one.kind === kind);
    return found.length === count ? found : null;
  });
const protocolOf = (debtor: Debtor): Promise<string> =>
  until('the receipt is issued', async () => {
    const { receiptProtocol } = (await readPayment(debtor)) as { receiptProtocol?: string | null };
    return receiptProtocol ?? null;
  });

async function textOf(protocol: string): Promise<string> {
  const file = await fetch(sandbox.url + downloadPath(protocol));
  return (await readPdf(new Uint8Array(await file.arrayBuffer()))).text.replace(/\s+/g, ' ');
}

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

/** A debt of R$ 900,00 that is paid by an agreement of three equal instalments. */
async function newAgreed(): Promise<Debtor> {
  const { client } = await newDebt(sandbox);
  const instalments = [20, 50, 80].map((days) => ({ dueDate: addDays(today, days), amount: 30_000 }));
  const given = { sandbox: true, debts: [{ owed: 90_000, discount: 0 }], instalments, agreedOn: '2026-11-01' };
  const { debtIds } = await newAgreement(sandbox.query, client.id, given);
  return { client, campaignId: '', id: debtIds[0]! };
}

const today = localDate(Date.now(), -3);

/** The instalments that the receipt of an agreement's payment names, and what it says is open. */
async function instalmentsOf(protocol: string) {
  const text = await textOf(protocol);
  const named = [...text.matchAll(/(parte da )?(\d)ª de 3/gi)].map(([, part = '', number]) => part + number);
  return { named, open: /ainda faltam (R\$ [\d.,]*\d)/.exec(text)?.[1] ?? null };
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

  it('the Termo of a debt that stays paid says what came without it, under the same protocol', async () => {
    const debtor = await newDebt(sandbox, { originalAmount: 100 });
    const mistake = await settle(debtor, 40);
    await settle(debtor, 100);
    const protocol = await protocolOf(debtor);
    const read = async () => {
      const termo = (await receiptsOf(debtor)).find((one) => one.protocol === protocol);
      const text = await textOf(protocol);
      const named = ['40,00', '100,00', '140,00'].filter((amount) => text.includes(`R$ ${amount}`));
      return { amount: termo?.amount, revokedAt: termo?.revokedAt, named };
    };
    expect(await read()).toEqual({ amount: 140, revokedAt: null, named: ['40,00', '100,00', '140,00'] });
    expect(await undo(debtor, mistake)).toBe('PAID');
    expect(await read()).toEqual({ amount: 100, revokedAt: null, named: ['100,00'] });
    expect(await protocolOf(debtor)).toBe(protocol);
  });

  it('the receipt of another part says what that left open without it', async () => {
    const debtor = await newDebt(sandbox, { originalAmount: 100 });
    const mistake = await settle(debtor, 30);
    await issued(debtor, 'part');
    await settle(debtor, 20);
    const part = (await issued(debtor, 'part', 2)).find(({ amount }) => amount === 20)!;
    const open = (centavos: string) => `O que ficou em aberto Principal R$ ${centavos}`;
    expect(await textOf(part.protocol)).toContain(open('50,00'));
    await undo(debtor, mistake);
    expect(await textOf(part.protocol)).toContain(open('80,00'));
    expect((await receiptsOf(debtor)).find(({ protocol }) => protocol === part.protocol)).toEqual(part);
  });

  it('the receipt of another payment of the agreement says which instalments that paid without it', async () => {
    const debtor = await newAgreed();
    const mistake = await settle(debtor, 300);
    await issued(debtor, 'instalment');
    await settle(debtor, 450);
    const other = (await issued(debtor, 'instalment', 2)).find(({ amount }) => amount === 450)!;
    expect(await instalmentsOf(other.protocol)).toEqual({ named: ['2', 'parte da 3'], open: 'R$ 150,00' });
    expect(await undo(debtor, mistake)).toBe('AGREEMENT');
    expect(await instalmentsOf(other.protocol)).toEqual({ named: ['1', 'parte da 2'], open: 'R$ 450,00' });
    expect((await receiptsOf(debtor)).find(({ protocol }) => protocol === other.protocol)).toEqual(other);
  });

  it('the receipts of an agreement that another payment completes alone say nothing of it', async () => {
    const debtor = await newAgreed();
    const mistake = await settle(debtor, 300);
    await issued(debtor, 'instalment');
    await settle(debtor, 900);
    const whole = (await issued(debtor, 'instalment', 2)).find(({ amount }) => amount === 900)!;
    await protocolOf(debtor);
    expect((await instalmentsOf(whole.protocol)).named).toEqual(['2', '3']);
    expect(await undo(debtor, mistake)).toBe('PAID');
    expect((await instalmentsOf(whole.protocol)).named).toEqual(['1', '2', '3']);
    const termo = await until('the Termo is issued again', async () =>
      (await receiptsOf(debtor)).find(({ kind, revokedAt }) => kind === 'settlement' && revokedAt === null),
    );
    expect(termo.amount).toBe(900);
    expect(await textOf(termo.protocol)).not.toContain('R$ 300,00');
  });

  it('a chargeback that is won makes no Termo valid again of a debt that is open', async () => {
    const before = await newCharge(real, { originalAmount: 100 });
    const mistake = await settle(before, 40);
    const debtor = await openPage(real.app, before);
    expect((await readPayment(debtor)).amount).toBe(60);
    real.provider.pay(debtor.providerId);
    await tell(real, debtor);
    await untilStatus(debtor, 'APPROVED');
    const [termo] = await issued(debtor, 'settlement');
    await undo(debtor, mistake);
    const again = async () => (await receiptsOf(debtor)).find(({ protocol }) => protocol === termo?.protocol);
    const revoked = await again();
    expect(revoked).toMatchObject({ kind: 'settlement', revokedAt: expect.any(String) });
    for (const [detail, change] of [
      ['in_process', 'charged_back'],
      ['reimbursed', 'chargeback_reversed'],
    ]) {
      real.provider.change(debtor.providerId, { status: 'charged_back', status_detail: detail });
      await tell(real, debtor);
      await until(`it is ${change}`, async () => (await paymentEvents(debtor)).some((one) => one['change'] === change));
    }
    expect((await readDebt(debtor)).status).not.toBe('PAID');
    expect((await debtor.client.call('GET', `/api/debts/${debtor.id}/quote`)).body.total).toBe(40);
    expect(await again()).toEqual(revoked);
  });
});
