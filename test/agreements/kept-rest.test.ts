import { describe, expect, it } from '@jest/globals';
import { loadDebt } from '../../src/modules/debts/use-cases/debt-context.ts';
import { owedNow } from '../../src/modules/debts/use-cases/owed.ts';
import { endAgreement, lockAgreement } from '../../src/modules/payments/use-cases/agreement-money.ts';
import { findOrMakeCharge } from '../../src/modules/payments/use-cases/find-or-make-charge.ts';
import { issueReceipt } from '../../src/modules/receipts/use-cases/issue-receipt.ts';
import { startAgreementMoney } from '../../testing/agreement-money.ts';
import type { DebtInput } from '../../testing/debts.ts';
import { opened } from '../../testing/opened.ts';

const money = await opened(startAgreementMoney());
const { app, agreements, clients, collection } = money;
const client = clients.plain;
const renderer = { render: async () => ({ bytes: new Uint8Array(8), sha256: 'a'.repeat(64) }) };
const inClient = collection.db.tenant(client.id);

const owed = (debtId: string): Promise<number> =>
  inClient.transactional(async (tx) => owedNow(collection, (await loadDebt(tx, debtId))!).total);
const quoted = async (debtId: string): Promise<number> =>
  (await client.call('GET', `/api/debts/${debtId}/quote`)).body.total * 100;
const statusOf = async (debtId: string): Promise<string> =>
  (await client.call('GET', `/api/debts/${debtId}`)).body.status;

/** Debts of which the agreed rest stays owed: of R$ 1.000,00 each R$ 700,00, less what is paid. */
async function kept(debts: readonly Partial<DebtInput>[] = [{}]) {
  const one = await money.agree({ debts, withTerms: false, instalments: 1, afterBreach: 'keep' });
  await one.carryOut({ kind: 'end', event: 'broken' });
  return { ...one, ids: one.person.ids, debtId: one.person.ids[0]! };
}

/** Accepts the first offer about the open debts of a person. */
async function agreeAgain(debtId: string): Promise<string> {
  const { items } = (await client.call('GET', `/api/debts/${debtId}/offers`)).body;
  return agreements.accept(client.id, debtId, items[0].number);
}

const protocolOf = async (agreementId: string): Promise<string> =>
  (await client.call('GET', `/api/agreements/${agreementId}`)).body.protocol;

async function cancel(agreementId: string): Promise<void> {
  const cancelled = await client.call('POST', `/api/agreements/${agreementId}/cancel`, { reason: 'outra data' });
  expect(cancelled.status).toBe(200);
}

async function record(debtId: string, amount: number): Promise<string> {
  const paidAt = new Date().toISOString();
  const settled = await client.call('POST', `/api/debts/${debtId}/settle`, { amount, paidAt, method: 'cash' });
  expect(settled.status).toBe(200);
  const [last] = (await client.call('GET', `/api/debts/${debtId}/payments`)).body.items;
  return last.paymentId;
}

async function payOwnCode(debtId: string): Promise<void> {
  const code = (await findOrMakeCharge(collection.payments)({ clientId: client.id, debtId }))!;
  expect(code.amountCentavos).toBe(70_000);
  await money.payCode(client.id, code);
}

async function withdraw(debtId: string): Promise<void> {
  expect((await client.call('POST', `/api/debts/${debtId}/withdraw`, { reason: 'outro' })).status).toBe(200);
  expect(await statusOf(debtId)).toBe('STOPPED');
}

const endAsBroken = (agreementId: string): Promise<void> =>
  inClient.transactional(async (tx) => {
    const locked = (await lockAgreement(tx, agreementId))!;
    await endAgreement({ tx, deps: collection.payments, momentOf: () => Date.now() }, locked, 'broken');
  });

/** A row as the client imported it. */
async function importedRow(debtId: string): Promise<DebtInput> {
  const [row] = await app.query<Omit<DebtInput, 'originalAmount'> & { readonly centavos: string }>(
    `select debtor_name as "debtorName", debtor_phone as "debtorPhone", debtor_tax_id as "debtorCpf",
       due_date::text as "dueDate", invoice_id as "invoiceId", original_amount_centavos as centavos
     from debts where id = $1`,
    [debtId],
  );
  const { centavos, ...given } = row!;
  return { ...given, originalAmount: Number(centavos) / 100 };
}

async function importAlone(row: DebtInput): Promise<string> {
  const campaignId = await client.createCampaign();
  expect((await client.importJson(campaignId, [row])).body).toMatchObject({ imported: 1 });
  expect((await client.call('POST', `/api/campaigns/${campaignId}/launch?sandbox=true`)).status).toBe(200);
  const [debt] = await app.query<{ id: string }>('select id from debts where campaign_id = $1', [campaignId]);
  return debt!.id;
}

/** Imports a debt again after its collection has ended. */
async function importAgain(debtId: string): Promise<string> {
  await app.query("update debts set status = 'EXHAUSTED' where id = $1", [debtId]);
  const fresh = await importAlone(await importedRow(debtId));
  const [before] = await app.query('select continued_by from debts where id = $1', [debtId]);
  expect(before).toEqual({ continued_by: fresh });
  return fresh;
}

describe('the agreed rest that stays owed after a breach', () => {
  it('is owed again when a later agreement about it is cancelled', async () => {
    const { debtId } = await kept();
    expect(await owed(debtId)).toBe(70_000);
    const second = await agreeAgain(debtId);
    expect(await owed(debtId)).toBe(49_000);
    // The quote says what would be owed without the agreement.
    expect(await quoted(debtId)).toBe(70_000);
    await cancel(second);
    expect(await owed(debtId)).toBe(70_000);
    expect(await quoted(debtId)).toBe(70_000);
  });

  it('is less by every centavo that was paid before, in and after the later agreement', async () => {
    const { debtId } = await kept();
    await record(debtId, 100.01);
    expect(await owed(debtId)).toBe(59_999);
    const second = await agreeAgain(debtId);
    const inSecond = await record(debtId, 50.02);
    await cancel(second);
    expect(await owed(debtId)).toBe(54_997);
    expect(await statusOf(debtId)).toBe('IN_COLLECTION');
    await record(debtId, 30);
    expect(await owed(debtId)).toBe(51_997);
    // What is taken back is owed again.
    expect((await client.call('POST', `/api/settlements/${inSecond}/undo`)).status).toBe(200);
    expect(await owed(debtId)).toBe(56_999);
    await record(debtId, 569.99);
    expect(await owed(debtId)).toBe(0);
    expect(await statusOf(debtId)).toBe('PAID');
  });

  it('ends the offers from before, which ask for more', async () => {
    const { debtId } = await kept();
    const { items } = (await client.call('GET', `/api/debts/${debtId}/offers`)).body;
    expect(items.map(({ number }: { number: number }) => number)).toEqual([4, 5, 6]);
    expect(items[0]).toMatchObject({ total: 490, discount: 210 });
  });

  it('is owed again when a later agreement that was completed is reopened and cancelled', async () => {
    const { debtId } = await kept();
    const second = await agreeAgain(debtId);
    const payment = await record(debtId, 490);
    expect(await statusOf(debtId)).toBe('PAID');
    expect(await owed(debtId)).toBe(0);
    expect((await client.call('POST', `/api/settlements/${payment}/undo`)).status).toBe(200);
    expect(await owed(debtId)).toBe(49_000);
    await cancel(second);
    expect(await owed(debtId)).toBe(70_000);
  });

  it('is the one of the newest of several agreements that were broken so', async () => {
    const { debtId } = await kept();
    const second = await agreeAgain(debtId);
    await record(debtId, 90);
    await app.query("update agreements set after_breach = 'keep' where id = $1", [second]);
    await endAsBroken(second);
    expect(await owed(debtId)).toBe(40_000);
    await cancel(await agreeAgain(debtId));
    expect(await owed(debtId)).toBe(40_000);
  });

  it('is all that money of a later agreement pays of each debt when that is broken and the debts are restored', async () => {
    const { debtId, agreementId } = await kept();
    const other = { invoiceId: 'NF-KEPT-OTHER', originalAmount: 500 };
    const later = await importAlone({ ...(await importedRow(debtId)), ...other });
    const second = await agreeAgain(debtId);
    expect((await client.call('GET', `/api/agreements/${second}`)).body).toMatchObject({ total: 840 });
    await record(debtId, 800);
    await endAsBroken(second);
    // The first debt is paid by what was agreed of it, and the rest of the money pays the other one.
    expect(await statusOf(debtId)).toBe('PAID');
    expect(await owed(debtId)).toBe(0);
    expect(await statusOf(later)).toBe('IN_COLLECTION');
    expect(await owed(later)).toBe(40_000);
    const receipt = await issueReceipt({ ...collection.payments, renderer })({ clientId: client.id, debtId });
    expect(receipt?.facts.payment).toMatchObject({
      amountCentavos: 70_000,
      waivedCentavos: 30_000,
      agreement: { protocol: await protocolOf(agreementId), discountCentavos: 30_000 },
    });
  });

  it('is not paid by other money while a later agreement is about it', async () => {
    const { ids } = await kept([{}, {}]);
    const [first, disputed] = ids;
    await app.query("update debts set status = 'DISPUTED' where id = $1", [disputed]);
    const second = await agreeAgain(first!);
    expect((await client.call('GET', `/api/agreements/${second}`)).body).toMatchObject({ debtIds: [first] });
    await record(disputed!, 300);
    expect(await owed(disputed!)).toBe(40_000);
    expect(await owed(first!)).toBe(49_000);
    expect(await statusOf(first!)).toBe('AGREEMENT');
    await cancel(second);
    expect(await owed(first!)).toBe(70_000);
  });

  it('is paid of the debt whose own code was paid, and not of the one before it', async () => {
    const [first, second] = (await kept([{}, {}])).ids;
    await payOwnCode(second!);
    expect([await statusOf(second!), await owed(second!)]).toEqual(['PAID', 0]);
    expect([await statusOf(first!), await owed(first!)]).toEqual(['IN_COLLECTION', 70_000]);
  });

  it('is paid by the own code of a debt that was imported again', async () => {
    const [first, second] = (await kept([{}, {}])).ids;
    const fresh = await importAgain(second!);
    await payOwnCode(fresh);
    expect([await statusOf(first!), await statusOf(fresh)]).toEqual(['IN_COLLECTION', 'PAID']);
  });

  it('is not paid of a withdrawn debt by the code of another one', async () => {
    const [first, second] = (await kept([{}, {}])).ids;
    await withdraw(first!);
    await payOwnCode(second!);
    expect([await statusOf(first!), await statusOf(second!)]).toEqual(['STOPPED', 'PAID']);
  });

  it('is paid first of the debt about which money is recorded, then in order, and last where one is withdrawn', async () => {
    const { ids } = await kept([{}, {}, {}]);
    const [first, second, third] = ids;
    const statuses = () => Promise.all(ids.map(statusOf));
    await withdraw(first!);
    await record(third!, 900);
    expect(await statuses()).toEqual(['STOPPED', 'IN_COLLECTION', 'PAID']);
    expect([await owed(first!), await owed(second!)]).toEqual([70_000, 50_000]);
    await record(third!, 1_300);
    expect(await statuses()).toEqual(['PAID', 'PAID', 'PAID']);
    // What is more than all have open is too much at the debt about which it was recorded.
    const asked = await app.query(
      "select debt_id from inbox_items where debt_id = any($1) and closed_at is null and reason in ('duplicate', 'overpaid')",
      [ids],
    );
    expect(asked).toEqual([{ debt_id: third }]);
  });

  it('is paid in order by money that came before the breach and is learned after it', async () => {
    const one = await money.agree({ debts: [{}, {}], withTerms: false, instalments: 1, afterBreach: 'keep' });
    const own = one.payUnheard({ code: 1, part: 0.7, daysAgo: 1 })!;
    await one.carryOut({ kind: 'end', event: 'broken' });
    await one.hearNewest(own);
    expect(await one.totals()).toMatchObject({ statuses: ['PAID', 'IN_COLLECTION'], open: [0, 70_000] });
  });

  it('is owed of a debt that was imported again, less what was paid before', async () => {
    const { debtId, agreementId } = await kept();
    await record(debtId, 100);
    const fresh = await importAgain(debtId);
    expect(await owed(fresh)).toBe(60_000);
    await record(fresh, 50);
    expect(await owed(fresh)).toBe(55_000);
    await cancel(await agreeAgain(fresh));
    expect(await owed(fresh)).toBe(55_000);
    await record(fresh, 550);
    expect(await statusOf(fresh)).toBe('PAID');
    const receipt = await issueReceipt({ ...collection.payments, renderer })({ clientId: client.id, debtId: fresh });
    expect(receipt?.facts.payment).toMatchObject({
      amountCentavos: 70_000,
      waivedCentavos: 30_000,
      agreement: { protocol: await protocolOf(agreementId), discountCentavos: 30_000 },
    });
  });

  it('is nothing to a row that the launch into the sandbox makes a debt of its own', async () => {
    const { debtId } = await kept();
    await app.query("update debts set status = 'EXHAUSTED', sandbox = false where id = $1", [debtId]);
    const simulated = await importAlone(await importedRow(debtId));
    expect(await app.query('select agreement_id from debts where id = $1', [simulated])).toEqual([
      { agreement_id: null },
    ]);
    expect(await owed(simulated)).toBe(100_000);
    expect(await owed(debtId)).toBe(70_000);
  });

  it('is not withdrawn by a row that an import has continued while the debt is in a later agreement', async () => {
    const { debtId } = await kept();
    const fresh = await importAgain(debtId);
    const second = await agreeAgain(fresh);
    const withdraw = () => client.call('POST', `/api/debts/${debtId}/withdraw`, {});
    expect(await withdraw()).toMatchObject({ status: 409, body: { code: 'debt_state' } });
    await cancel(second);
    expect((await withdraw()).status).toBe(200);
    expect(await statusOf(fresh)).toBe('STOPPED');
  });

  it('gives back by itself what a code brings beyond it', async () => {
    const setting = (autoRefundExcess: boolean) => client.call('PATCH', '/api/onboarding/me', { autoRefundExcess });
    await setting(true);
    const refundsOf = (chargeId: string) =>
      app.query('select kind, amount_centavos::int as centavos from refunds where charge_id = $1', [chargeId]);
    const { debtId } = await kept();
    const [code] = await money.codesOf(client.id, [debtId]);
    await record(debtId, 700);
    expect(await statusOf(debtId)).toBe('PAID');
    await money.payCode(client.id, code!);
    expect(await refundsOf(code!.id)).toEqual([{ kind: 'excess', centavos: 70_000 }]);

    const { debtId: open } = await kept();
    const [part] = await money.codesOf(client.id, [open]);
    await record(open, 100);
    await money.payCode(client.id, part!);
    expect(await refundsOf(part!.id)).toEqual([{ kind: 'excess', centavos: 10_000 }]);
    await setting(false);
  });

  it('keeps its code when the debt is imported again', async () => {
    const { debtId } = await kept();
    const [code] = await money.codesOf(client.id, [debtId]);
    expect(code?.amountCentavos).toBe(70_000);
    const fresh = await importAgain(debtId);
    const superseded = await app.query('select superseded_at from charges where id = $1', [code!.id]);
    expect(superseded).toEqual([{ superseded_at: null }]);
    const [again] = await money.codesOf(client.id, [fresh]);
    expect(again?.amountCentavos).toBe(70_000);
  });
});
