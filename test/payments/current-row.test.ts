import { describe, expect, it } from '@jest/globals';
import { statisticsDay } from '../../src/kernel/statistics-day.ts';
import type { TestClient } from '../../testing/campaigns-app.ts';
import { cpfOf, debtInput } from '../../testing/debts.ts';
import { opened } from '../../testing/opened.ts';
import { until } from '../../testing/poll.ts';
import { openPage, startRealApp, tell } from './real-provider.ts';
import { type Debtor, paymentEvents, readDebt, readPayment, untilStatus } from './support.ts';

let next = 5_000;

const real = await opened(startRealApp());

/** One bill of a person, which may be imported again and again. */
interface Bill {
  readonly n: number;
  readonly client: TestClient;
}

const newBill = async (): Promise<Bill> => ({ n: next++, client: await real.app.newClient() });

async function importBill({ n, client }: Bill, given: object = {}): Promise<Debtor> {
  const campaignId = await client.createCampaign();
  const { body } = await client.importJson(campaignId, [debtInput(n, { originalAmount: 100, ...given })]);
  if (body.imported !== 1) throw new Error(`not imported: ${JSON.stringify(body)}`);
  const { body: list } = await client.call('GET', `/api/campaigns/${campaignId}/debts`);
  return { client, campaignId, id: list.items[0].id };
}
const end = ({ id }: Debtor, status = 'EXHAUSTED') =>
  real.app.query('update debts set status = $2 where id = $1', [id, status]);
/** As a launch does, without the workflows. */
const launched = ({ id, campaignId }: Debtor, status = 'IN_COLLECTION') =>
  Promise.all([
    real.app.query(`update campaigns set status = 'RUNNING', launched_at = now(), sandbox = false where id = $1`, [
      campaignId,
    ]),
    real.app.query('update debts set status = $2 where id = $1', [id, status]),
  ]);

async function importedAgain(given: object = {}): Promise<{ bill: Bill; earlier: Debtor; current: Debtor }> {
  const bill = await newBill();
  const earlier = await importBill(bill);
  await end(earlier);
  return { bill, earlier, current: await importBill(bill, given) };
}

const page = async ({ id }: Pick<Debtor, 'id'>): Promise<string> => {
  const { status, body } = await real.app.get<string>(`/checkout/${id}`);
  if (status !== 200) throw new Error(`the page answered ${status}`);
  return body;
};
const amountOf = (text: string): string => /class="amount">([^<]+)</.exec(text)?.[1]?.replace(/\s/g, ' ') ?? '';
const codesOf = (text: string): number => text.match(/<textarea/g)?.length ?? 0;
const inbox = async (
  { client }: Pick<Debtor, 'client'>,
  query = '',
): Promise<{ reason: string; debt: { id: string } }[]> => (await client.call('GET', `/api/inbox${query}`)).body.items;
const reasons = async (debtor: Pick<Debtor, 'client'>): Promise<string[]> =>
  (await inbox(debtor)).map(({ reason }) => reason).sort();
const untilReasons = (debtor: Pick<Debtor, 'client'>, ...expected: string[]) =>
  until(`reasons: ${expected}`, async () => (await reasons(debtor)).join() === expected.join());
const settle = ({ client, id }: Debtor, amount: number) =>
  client.call('POST', `/api/debts/${id}/settle`, { amount, paidAt: '2026-11-20', method: 'cash', note: 'balcão' });
const press = (debtor: Debtor, button: string) =>
  fetch(`${real.app.url}/checkout/${debtor.id}/${button}`, {
    method: 'POST',
    headers: { origin: real.app.url },
    redirect: 'manual',
  });

describe('a bill that was imported again after its end', () => {
  it('is asked for once, by the page of either row', async () => {
    const { earlier, current } = await importedAgain();
    await launched(current);
    for (const row of [earlier, current]) {
      const text = await page(row);
      expect(amountOf(text)).toBe('R$ 100,00');
      expect(text).toContain(`data-debt="${current.id}"`);
      expect(text).not.toContain('/pay/');
    }
    expect((await readPayment(earlier)).paymentId).toBe((await readPayment(current)).paymentId);
  });

  it('is once on the page of a person who has another debt', async () => {
    const { bill, current } = await importedAgain();
    await launched(current);
    const other = { n: next++, client: bill.client };
    await launched(await importBill(other, { originalAmount: 30, debtorCpf: cpfOf(100_000_000 + bill.n) }));
    const link = /href="(\/pay\/[^"]+)"/.exec(await page(current))?.[1] ?? '';
    const { body: all } = await real.app.get<string>(link);
    expect([amountOf(all), codesOf(all)]).toEqual(['R$ 130,00', 2]);
  });

  it('keeps its code where the amount is the same', async () => {
    const bill = await newBill();
    const earlier = await importBill(bill);
    const charged = await openPage(real.app, earlier);
    await end(earlier);
    const current = await importBill(bill);
    expect((await openPage(real.app, current)).paymentId).toBe(charged.paymentId);
    real.provider.pay(charged.providerId);
    await tell(real, charged);
    for (const row of [earlier, current]) await untilStatus(row, 'APPROVED');
    expect((await readDebt(earlier)).status).toBe('PAID');
  });

  it('replaces its code where the amount is another, and tells of money that is too much', async () => {
    const bill = await newBill();
    const earlier = await importBill(bill);
    const charged = await openPage(real.app, earlier);
    await end(earlier);
    const current = await importBill(bill, { originalAmount: 80 });
    await launched(current);
    expect(amountOf(await page(earlier))).toBe('R$ 80,00');
    // The old code was kept, and is paid before it is cancelled.
    real.provider.pay(charged.providerId);
    await tell(real, charged);
    await untilStatus(current, 'APPROVED');
    await untilReasons(current, 'overpaid');
    expect(await inbox(current)).toMatchObject([{ debt: { id: current.id } }]);
    real.provider.refund(charged.providerId, 20);
    await tell(real, charged);
    await untilReasons(current);
  });

  it('tells of a second payment, by whichever row it comes', async () => {
    const { earlier, current } = await importedAgain();
    await launched(current);
    expect((await settle(current, 100)).status).toBe(200);
    expect((await settle(earlier, 100)).status).toBe(200);
    await untilReasons(current, 'duplicate');
    expect((await paymentEvents(current)).map(({ kind }) => kind)).toEqual(['payment_approved', 'payment_duplicate']);
  });

  it('has one receipt, which the page of either row shows', async () => {
    const bill = await newBill();
    const earlier = await importBill(bill);
    const charged = await openPage(real.app, earlier);
    await end(earlier);
    const current = await importBill(bill);
    await launched(current);
    real.provider.pay(charged.providerId);
    await tell(real, charged);
    const protocol = await until('the receipt', async () => {
      const payment = (await current.client.call('GET', `/api/payments/${current.id}`)).body;
      return payment.receiptProtocol;
    });
    for (const row of [earlier, current]) {
      const text = await page(row);
      expect(text).toContain('Pagamento confirmado');
      expect(text).toContain(`/api/receipts/download/${protocol}`);
    }
  });

  it('is disputed by either page as one, and resumed once', async () => {
    const { earlier, current } = await importedAgain();
    await launched(current);
    expect((await press(earlier, 'dispute')).status).toBe(303);
    await untilReasons(current, 'disputed');
    expect(await inbox(current)).toMatchObject([{ debt: { id: current.id, status: 'DISPUTED' } }]);
    expect((await readDebt(earlier)).status).toBe('EXHAUSTED');
    const note = 'O contrato assinado foi conferido.';
    expect((await earlier.client.call('POST', `/api/debts/${earlier.id}/resume`, { note })).body).toMatchObject({
      code: 'debt_state',
    });
    expect((await current.client.call('POST', `/api/debts/${current.id}/resume`, { note })).status).toBe(200);
    expect(await reasons(current)).toEqual([]);
  });

  it('counts once', async () => {
    const { bill, current } = await importedAgain();
    await launched(current);
    await real.app.query(
      `update campaigns set status = 'COMPLETED', sandbox = false where status = 'DRAFT' and client_id = $1`,
      [bill.client.id],
    );
    const { body } = await bill.client.call('GET', '/api/dashboard');
    expect([body.debts.total, body.amount.total]).toEqual([1, 100]);
  });

  it('asks for the rest after a part came by the earlier row', async () => {
    const bill = await newBill();
    const earlier = await importBill(bill);
    const charged = await openPage(real.app, earlier);
    await end(earlier);
    const current = await importBill(bill);
    await launched(current);
    real.provider.pay(charged.providerId, 40);
    await tell(real, charged);
    await untilReasons(current, 'underpaid');
    expect((await readDebt(current)).status).toBe('ON_HOLD');
    for (const row of [earlier, current]) expect(amountOf(await page(row))).toBe('R$ 60,00');
    expect((await settle(earlier, 60)).status).toBe(200);
    await untilStatus(current, 'APPROVED');
    expect(await reasons(current)).toEqual([]);
  });

  it('has all that went back of its payment in the settlement report, on whichever row that was told', async () => {
    const bill = await newBill();
    const first = await importBill(bill);
    const charged = await openPage(real.app, first);
    await end(first);
    const second = await importBill(bill);
    real.provider.pay(charged.providerId, 40);
    await tell(real, charged);
    await untilReasons(second, 'underpaid');
    const day = statisticsDay(Date.now());
    const refund = async (amount: number, inAll: number, row: Debtor) => {
      real.provider.refund(charged.providerId, amount);
      await tell(real, charged);
      await until('the refund is known', async () =>
        (await paymentEvents(row)).some(({ refundedAmount }) => refundedAmount === inAll),
      );
    };
    const report = async () =>
      (await bill.client.call('GET', `/api/reports/settlements?from=${day}&to=${statisticsDay(Date.now())}`)).body
        .totals;
    await refund(20, 20, second);
    expect(await report()).toMatchObject({ payments: 1, amount: 40, refunds: 1, refunded: 20 });
    await end(second);
    const third = await importBill(bill);
    await refund(10, 30, third);
    // Of the 30 reais that went back in all, 20 were told before.
    expect(await report()).toMatchObject({ payments: 1, amount: 40, refunds: 2, refunded: 30 });
  });

  it('is as before when the draft that continued it is emptied', async () => {
    const { earlier, current } = await importedAgain({ originalAmount: 80 });
    expect(amountOf(await page(earlier))).toBe('R$ 80,00');
    // The code that the page has made keeps the debt of the draft, so this draft is another one.
    const untouched = await importedAgain({ originalAmount: 80 });
    expect((await current.client.call('DELETE', `/api/campaigns/${current.campaignId}/debts`)).status).toBe(204);
    const { client, campaignId } = untouched.current;
    expect((await client.call('DELETE', `/api/campaigns/${campaignId}/debts`)).status).toBe(204);
    expect((await client.call('GET', `/api/debts/${untouched.current.id}`)).status).toBe(404);
    expect(amountOf(await page(untouched.earlier))).toBe('R$ 100,00');
  });

  it('stays one debt through a third import, and its earlier rows cannot be corrected', async () => {
    const { bill, earlier, current } = await importedAgain();
    await end(current);
    const third = await importBill(bill);
    await launched(third);
    for (const row of [earlier, current, third]) expect(await page(row)).toContain(`data-debt="${third.id}"`);
    const { status, body } = await bill.client.call('PATCH', `/api/debts/${current.id}`, { originalAmount: 50 });
    expect([status, body.code]).toEqual([409, 'debt_state']);
    expect((await settle(current, 100)).status).toBe(200);
    for (const row of [earlier, current, third]) expect((await readDebt(row)).status).toBe('PAID');
  });
});

describe('a debt of which a part was paid', () => {
  const partPaid = async (status: string): Promise<Debtor> => {
    const debtor = await importBill(await newBill());
    await launched(debtor);
    expect((await settle(debtor, 40)).status).toBe(200);
    await untilReasons(debtor, 'underpaid');
    await real.app.query('update debts set status = $2 where id = $1', [debtor.id, status]);
    return debtor;
  };

  it.each(['ON_HOLD', 'IN_COLLECTION', 'DISPUTED', 'OPTED_OUT', 'EXHAUSTED'])(
    'asks for the rest on its page while it is %s',
    async (status) => {
      const debtor = await partPaid(status);
      const text = await page(debtor);
      expect([amountOf(text), codesOf(text)]).toEqual(['R$ 60,00', 1]);
      expect(text).not.toContain('R$&nbsp;100,00');
      expect(text).toMatch(/R\$\s40,00/);
      const charged = await openPage(real.app, debtor);
      real.provider.pay(charged.providerId);
      await tell(real, charged);
      await untilStatus(debtor, 'APPROVED');
      await untilReasons(debtor);
    },
  );

  it('asks for nothing after it was withdrawn, and its item can be ended', async () => {
    const debtor = await partPaid('STOPPED');
    const text = await page(debtor);
    expect(text).toContain('Não há nada a pagar');
    expect(text).not.toMatch(/R\$/);
    const withdraw = () =>
      debtor.client.call('POST', `/api/debts/${debtor.id}/withdraw`, { reason: 'Aceitamos a parte paga.' });
    expect((await withdraw()).status).toBe(200);
    expect(await reasons(debtor)).toEqual([]);
    expect((await withdraw()).body.code).toBe('debt_state');
  });
});

describe('money that is too much', () => {
  it('is told where a code is paid after a part was paid elsewhere', async () => {
    const debtor = await importBill(await newBill());
    const charged = await openPage(real.app, debtor);
    await launched(debtor);
    expect((await settle(debtor, 40)).status).toBe(200);
    real.provider.pay(charged.providerId, 100);
    await tell(real, charged);
    await untilReasons(debtor, 'overpaid');
  });

  it('is told where a code from before a correction is paid', async () => {
    const debtor = await importBill(await newBill());
    const charged = await openPage(real.app, debtor);
    expect((await debtor.client.call('PATCH', `/api/debts/${debtor.id}`, { originalAmount: 80 })).status).toBe(200);
    real.provider.pay(charged.providerId, 100);
    await tell(real, charged);
    await untilReasons(debtor, 'overpaid');
  });

  it('is told where more is recorded than is open', async () => {
    const debtor = await importBill(await newBill());
    expect((await settle(debtor, 120)).status).toBe(200);
    await untilReasons(debtor, 'overpaid');
    expect((await debtor.client.call('GET', '/api/inbox')).body.counts.overpaid).toBe(1);
  });
});

describe('a debt that was corrected', () => {
  it('is recognised by what was imported', async () => {
    const bill = await newBill();
    const debtor = await importBill(bill, { invoiceId: undefined });
    const file = [debtInput(bill.n, { originalAmount: 100, invoiceId: undefined })];
    expect(
      (await bill.client.call('PATCH', `/api/debts/${debtor.id}`, { originalAmount: 120, dueDate: '2026-10-20' }))
        .status,
    ).toBe(200);
    const other = await bill.client.createCampaign();
    for (const checkOnly of [true, false]) {
      expect((await bill.client.importJson(other, file, { checkOnly })).body).toMatchObject({
        imported: 0,
        errors: [{ code: 'duplicate' }],
      });
    }
    const corrected = [debtInput(bill.n, { originalAmount: 120, dueDate: '2026-10-20', invoiceId: undefined })];
    expect((await bill.client.importJson(other, corrected)).body.imported).toBe(0);
    // Corrected again, and back.
    await bill.client.call('PATCH', `/api/debts/${debtor.id}`, { originalAmount: 130 });
    expect((await bill.client.importJson(other, file)).body.imported).toBe(0);
  });

  it('keeps the correction when the unchanged file is imported after its end', async () => {
    const bill = await newBill();
    const earlier = await importBill(bill);
    expect((await bill.client.call('PATCH', `/api/debts/${earlier.id}`, { originalAmount: 80 })).status).toBe(200);
    await end(earlier);
    const current = await importBill(bill);
    expect((await readDebt(current)).originalAmount).toBe(80);
    await end(current);
    expect((await readDebt(await importBill(bill, { originalAmount: 90 }))).originalAmount).toBe(90);
  });
});

describe('the sandbox and the real debts', () => {
  it('do not make each other duplicates', async () => {
    const bill = await newBill();
    const file = [debtInput(bill.n)];
    const trial = await importBill(bill);
    const again = await bill.client.createCampaign();
    // A draft may still become real, so that it is compared with real debts and with itself.
    expect((await bill.client.importJson(trial.campaignId, file)).body.imported).toBe(0);
    const launch = await bill.client.call('POST', `/api/campaigns/${trial.campaignId}/launch?sandbox=true`);
    expect(launch.body).toMatchObject({ sandbox: true, queued: 1 });
    await end(trial, 'PAID');
    expect((await bill.client.importJson(again, file, { checkOnly: true })).body.imported).toBe(1);
    expect((await bill.client.importJson(again, file)).body.imported).toBe(1);
    // The running campaign of the sandbox knows its own debts.
    await real.app.query(`update campaigns set status = 'RUNNING' where id = $1`, [trial.campaignId]);
    expect((await bill.client.importJson(trial.campaignId, file)).body.imported).toBe(0);
    const { body: list } = await bill.client.call('GET', `/api/campaigns/${again}/debts`);
    await end(list.items[0], 'PAID');
    expect((await bill.client.importJson(await bill.client.createCampaign(), file)).body.imported).toBe(0);
  });

  it('stay apart when a draft that continued a real debt is launched into the sandbox', async () => {
    const { earlier, current } = await importedAgain({ originalAmount: 80 });
    expect(await page(earlier)).toContain(`data-debt="${current.id}"`);
    expect((await current.client.call('POST', `/api/campaigns/${current.campaignId}/launch?sandbox=true`)).status).toBe(
      200,
    );
    const text = await page(earlier);
    expect(text).toContain(`data-debt="${earlier.id}"`);
    expect(amountOf(text)).toBe('R$ 100,00');
  });
});
