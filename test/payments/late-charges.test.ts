import { describe, expect, it } from '@jest/globals';
import { addDays, localDate } from '../../src/kernel/calendar.ts';
import type { TestClient } from '../../testing/campaigns-app.ts';
import { TERMS } from '../../testing/late-payment-terms.ts';
import { opened } from '../../testing/opened.ts';
import { until } from '../../testing/poll.ts';
import { verifyPath } from '../../testing/receipts-harness.ts';
import { newCharge, openPage, startRealApp, tell } from './real-provider.ts';
import { type Debtor, newDebt, paymentEvents, readDebt, readPayment, untilStatus } from './support.ts';

const real = await opened(startRealApp());
/** Where the debtors of these tests live. */
const today = localDate(Date.now(), -3);
const daysAgo = (days: number): string => addDays(today, -days);

const THOUSAND = { originalAmount: 1_000, dueDate: daysAgo(60) };

async function newLateDebt(given: object = THOUSAND, owner?: TestClient): Promise<Debtor> {
  const client = owner ?? (await real.app.newClient());
  if (owner === undefined) expect((await client.call('PUT', '/api/terms', TERMS)).status).toBe(201);
  const debtor = await newDebt(real.app, given, client);
  await real.app.query(
    `update debts set status = 'IN_COLLECTION', terms_id = (select id from late_payment_terms where client_id = $2)
     where id = $1`,
    [debtor.id, client.id],
  );
  await real.app.query(`update campaigns set status = 'RUNNING', sandbox = false, launched_at = now() where id = $1`, [
    debtor.campaignId,
  ]);
  return debtor;
}

const settle = ({ client, id }: Debtor, payment: object) =>
  client.call('POST', `/api/debts/${id}/settle`, { method: 'cash', ...payment });
const pageOf = async ({ id }: Debtor): Promise<string> => (await fetch(`${real.app.url}/checkout/${id}`)).text();
const quote = async ({ client, id }: Debtor, on = today) =>
  (await client.call('GET', `/api/debts/${id}/quote?on=${on}`)).body;

describe('a code of a late debt', () => {
  it('asks for the total of its day, of which the page names the parts, and settles the debt', async () => {
    const debtor = await openPage(real.app, await newLateDebt());
    // 2 % once, and 1 % a month for 60 days.
    expect(await readPayment(debtor)).toMatchObject({ amount: 1_040 });
    expect(real.provider.payment(debtor.providerId).transaction_amount).toBe(1_040);
    const page = await pageOf(debtor);
    expect(page).toMatch(/Multa [^<]*<\/dt><dd>R\$ 20,00/);
    expect(page).toMatch(/Juros [^<]*<\/dt><dd>R\$ 20,00/);
    expect(page).toContain(TERMS.clause);
    expect(page).not.toContain('sem juros');
    real.provider.pay(debtor.providerId);
    await tell(real, debtor);
    await untilStatus(debtor, 'APPROVED');
    expect(await paymentEvents(debtor)).toMatchObject([
      { kind: 'payment_approved', amount: 1_040, fine: 20, interest: 20 },
    ]);
    expect(await quote(debtor)).toMatchObject({ principal: 0, fine: 0, interest: 0, paid: 1_040, total: 0 });
  });

  it('settles what it asked for when it is paid later, whatever has been added since', async () => {
    const debtor = await openPage(real.app, await newLateDebt());
    // The code was made five days ago, when it asked for R$ 1.038,33.
    await real.app.query(
      `update charges set asked_on = asked_on - 5, amount_centavos = 103833, asked_interest_centavos = 1833 where id = $1`,
      [debtor.paymentId],
    );
    real.provider.payment(debtor.providerId).transaction_amount = 1_038.33;
    real.provider.pay(debtor.providerId);
    await tell(real, debtor);
    await untilStatus(debtor, 'APPROVED');
    expect((await readDebt(debtor)).status).toBe('PAID');
    expect(await quote(debtor)).toMatchObject({ total: 0, paid: 1_038.33 });
  });

  it('is replaced by one for the new total once the day has changed', async () => {
    const debtor = await openPage(real.app, await newLateDebt());
    await real.app.query(
      `update charges set asked_on = asked_on - 1, amount_centavos = amount_centavos - 33 where id = $1`,
      [debtor.paymentId],
    );
    const renewed = await openPage(real.app, debtor);
    expect(renewed.paymentId).not.toBe(debtor.paymentId);
    expect(await readPayment(debtor)).toMatchObject({ amount: 1_040 });
    // The code of the day before can still be paid.
    expect(real.provider.payment(debtor.providerId).status).toBe('pending');
  });
});

describe('a part payment', () => {
  it('is credited to interest, fine and principal as of its day, and the rest goes on earning interest', async () => {
    const debtor = await newLateDebt();
    const paidAt = daysAgo(30);
    expect((await settle(debtor, { amount: 300, paidAt })).body.status).toBe('ON_HOLD');
    expect(await paymentEvents(debtor)).toMatchObject([
      { kind: 'payment_changed', problem: 'underpaid', amount: 300, expectedAmount: 1_030, fine: 20, interest: 10 },
    ]);
    expect(await quote(debtor, paidAt)).toMatchObject({ principal: 730, fine: 0, interest: 0, total: 730 });
    expect(await quote(debtor)).toMatchObject({ principal: 730, fine: 0, interest: 7.3, paid: 300, total: 737.3 });
    expect(await quote(debtor, addDays(paidAt, -1))).toMatchObject({ paid: 0, fine: 20 });
    // The page offers the rest, with what has been added to it.
    const charged = await openPage(real.app, debtor);
    expect(await readPayment(charged)).toMatchObject({ amount: 737.3 });
    real.provider.pay(charged.providerId);
    await tell(real, charged);
    await untilStatus(debtor, 'APPROVED');
    const [row] = await real.app.query(
      `select sum(recovered_centavos)::int as all, sum(recovered_fine_centavos)::int as fine,
         sum(recovered_interest_centavos)::int as interest, sum(charged_fine_centavos)::int as charged_fine,
         sum(charged_interest_centavos)::int as charged_interest from campaign_days where campaign_id = $1`,
      [debtor.campaignId],
    );
    expect(row).toEqual({ all: 103_730, fine: 2_000, interest: 1_730, charged_fine: 2_000, charged_interest: 1_730 });
  });

  it('goes on with the collection of the rest where the campaign says so', async () => {
    const debtor = await newLateDebt();
    const { client, campaignId } = debtor;
    const changed = await client.call('PATCH', `/api/campaigns/${campaignId}`, { onPartial: 'continue' });
    expect([changed.status, changed.body.onPartial]).toEqual([200, 'continue']);
    expect((await settle(debtor, { amount: 300, paidAt: today, rest: 'keep' })).body.status).toBe('IN_COLLECTION');
    expect((await client.call('PATCH', `/api/campaigns/${campaignId}`, { onPartial: 'stop' })).status).toBe(400);
  });

  it('settles the debt when it covers the principal, and says what was given up', async () => {
    const debtor = await newLateDebt();
    expect((await settle(debtor, { amount: 1_000, paidAt: today })).body.status).toBe('PAID');
    expect(await paymentEvents(debtor)).toMatchObject([{ kind: 'payment_approved', amount: 1_000, waived: 40 }]);
    expect(await quote(debtor)).toMatchObject({ total: 0 });
  });

  it('gives up nothing where payments of several days pay all, and has charges of its own day alone', async () => {
    const debtor = await newLateDebt();
    await settle(debtor, { amount: 300, paidAt: daysAgo(2) });
    const rest = { amount: 739.33, paidAt: daysAgo(9), rest: 'waive' };
    expect((await settle(debtor, rest)).body.status).toBe('PAID');
    const last = (await paymentEvents(debtor)).at(-1);
    expect(last).toMatchObject({ kind: 'payment_approved', amount: 739.33, fine: 20, interest: 17 });
    expect(last).not.toHaveProperty('waived');
  });

  it('leaves the charges open when the client keeps them, and settles less when it gives up more', async () => {
    const kept = await newLateDebt();
    expect((await settle(kept, { amount: 1_000, paidAt: today, rest: 'keep' })).body.status).toBe('ON_HOLD');
    expect(await quote(kept)).toMatchObject({ principal: 40, total: 40 });
    const waived = await newLateDebt();
    expect((await settle(waived, { amount: 500, paidAt: today, rest: 'waive' })).body.status).toBe('PAID');
    expect((await settle(waived, { amount: 500, paidAt: today, rest: 'half' })).status).toBe(400);
  });

  it('is taken back by a refund, after which the debt is computed again', async () => {
    const debtor = await openPage(real.app, await newLateDebt());
    await real.app.query('update charges set amount_centavos = 30000 where id = $1', [debtor.paymentId]);
    real.provider.payment(debtor.providerId).transaction_amount = 300;
    real.provider.pay(debtor.providerId);
    await tell(real, debtor);
    await until('the part is credited', async () => (await quote(debtor)).paid === 300 || null);
    expect(await quote(debtor)).toMatchObject({ paid: 300 });
    real.provider.refund(debtor.providerId, 300);
    await tell(real, debtor);
    await until('the credit is taken back', async () => (await quote(debtor)).paid === 0 || null);
    expect(await quote(debtor)).toMatchObject({ principal: 1_000, fine: 20, interest: 20, total: 1_040 });
  });
});

it('does not charge a paid debt for an index that becomes known later, and revokes its receipt when it is returned', async () => {
  const client = await real.app.newClient();
  await client.call('PUT', '/api/terms', { ...TERMS, interest: { kind: 'legal', percent: null } });
  const debtor = await openPage(real.app, await newLateDebt(THOUSAND, client));
  expect(await readPayment(debtor)).toMatchObject({ amount: 1_020 });
  real.provider.pay(debtor.providerId);
  await tell(real, debtor);
  const protocol = await until('the receipt is issued', async () => {
    const { receiptProtocol } = (await readPayment(debtor)) as { receiptProtocol?: string | null };
    return receiptProtocol ?? null;
  });
  const months = [0, 1, 2, 3].map((ago) => addDays(`${today.slice(0, 7)}-01`, -28 * ago).slice(0, 7));
  await real.app.query(
    `insert into index_values (series, month, millionths) select '29543', unnest($1::text[]), 1000000
     on conflict do nothing`,
    [[...new Set(months)]],
  );
  expect(await quote(debtor)).toMatchObject({ total: 0, missing: [] });
  real.provider.refund(debtor.providerId);
  await tell(real, debtor);
  await until('the receipt is revoked', async () => {
    const page = await fetch(real.app.url + verifyPath(protocol));
    return /REVOGADO|revogado/.test(await page.text()) || null;
  });
});

it('charges nothing of a client without terms', async () => {
  const debtor = await newCharge(real, THOUSAND);
  expect(await readPayment(debtor)).toMatchObject({ amount: 1_000 });
  expect(await pageOf(debtor)).toContain('sem juros');
});
