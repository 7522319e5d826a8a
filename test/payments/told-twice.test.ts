import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { addDays, localDate } from '../../src/kernel/calendar.ts';
import { newAgreement } from '../../testing/agreements-harness.ts';
import type { TestClient } from '../../testing/campaigns-app.ts';
import { FakeBank } from '../../testing/fake-bank/fake-bank.ts';
import { opened } from '../../testing/opened.ts';
import { ofx, ofxCredit, sendPayments } from '../../testing/payment-files.ts';
import { until } from '../../testing/poll.ts';
import { waitingSessions } from '../../testing/waiting-sessions.ts';
import { bankMoney, readDue } from './bank-money.ts';
import { type ChargedDebtor, openPage, startRealApp } from './real-provider.ts';
import { type Debtor, newDebt, paymentEvents, readDebt, untilStatus } from './support.ts';

const bank = await new FakeBank('inter', { wantsScope: false }).start();
afterAll(() => bank.stop());
const real = await opened(
  startRealApp({ single: false, env: { PAYMENT_PROVIDER: 'mercadopago,pix', PIX_MTLS_PROXIES: '127.0.0.1' } }),
);
const { app } = real;
const { connected, tell, paymentsOf } = bankMoney(real, bank);

const today = localDate(Date.now(), -3);
let next = 1;

/** A client that gives what was too much back by itself, so that a payment that counts twice is sent back. */
async function newClient(): Promise<TestClient> {
  const client = await connected();
  await readDue(real, client);
  await client.call('PATCH', '/api/onboarding/me', { autoRefundExcess: true });
  return client;
}

const newEndToEndId = (): string => `E18236120202611201731s${String(next++).padStart(10, '0')}`;

/** A code that is paid, and of which the bank has not told yet. */
async function paidUntold(debtor: Debtor): Promise<ChargedDebtor & { readonly endToEndId: string }> {
  const charged = await openPage(app, debtor);
  const pix = bank.pay(charged.providerId);
  pix.endToEndId = newEndToEndId();
  return { ...charged, endToEndId: pix.endToEndId };
}
const newBill = (client: TestClient, invoiceId?: string) => newDebt(app, { originalAmount: 100, invoiceId }, client);

/** Sends a statement that tells of one Pix of today, and returns what became of its row. */
async function sendStatement(client: TestClient, memo: string, amount = '100.00') {
  const credit = ofxCredit(amount, memo, `F${next++}`).replace('20261125', today.replaceAll('-', ''));
  return (await sendPayments(app, client, ofx(credit))).body.items[0];
}
/** The account of the bank has the money of every client here, so that only the Pix of this debtor is looked at. */
const orphansOf = async ({
  client,
  endToEndId,
}: Pick<Awaited<ReturnType<typeof paidUntold>>, 'client' | 'endToEndId'>) =>
  (await client.call('GET', '/api/payments/orphans')).body.items.filter(
    (one: { endToEndId: string }) => one.endToEndId === endToEndId,
  );
const assign = (client: TestClient, id: string, debtId: string) =>
  client.call('POST', `/api/payments/orphans/${id}/assign`, { debtId });

/** The bank tells of the charge, and the answer is applied. */
async function tellAndWait(debtor: ChargedDebtor): Promise<void> {
  await tell(debtor);
  await until('the bank was asked', async () => {
    const [charge] = await app.query(
      `select from payment_notifications where charge_id = $1 and handled_at is not null`,
      [debtor.paymentId],
    );
    return charge ?? null;
  });
}
const paidOf = async (debtor: Pick<Debtor, 'client' | 'id'>): Promise<unknown[]> =>
  (await paymentsOf(debtor)).map((one: { provider: string; paid: number; endToEndId: string }) => [
    one.provider,
    one.paid,
    one.endToEndId,
  ]);
/** What was asked of the bank to send back of a charge. */
const sentBack = async ({ providerId, paymentId }: ChargedDebtor): Promise<number> => {
  const asked = await app.query('select from refunds where charge_id = $1', [paymentId]);
  return asked.length + bank.charge(providerId).pix[0]!.devolucoes.length;
};

/** What the valid receipts of a debt say is open, with the amounts of their payments; null until there are two of them. */
async function openByReceipts(debtId: string, fact: string): Promise<number[][] | null> {
  const rows = await app.query<{ paid: number; open: number }>(
    `select (facts #>> '{payment,amountCentavos}')::int as paid, (facts #>> $2::text[])::int as open from receipts
     where debt_id = $1 and pdf is not null and revoked_at is null order by 1`,
    [debtId, `{payment,${fact}}`],
  );
  return rows.length === 2 ? rows.map(({ paid, open }) => [paid, open]) : null;
}

describe('a Pix of which a statement tells before the bank', () => {
  it('counts once when the statement has settled the debt', async () => {
    const client = await newClient();
    const debtor = await paidUntold(await newBill(client, 'FAT-7788'));
    const memo = `PIX RECEBIDO ${debtor.endToEndId} REF FAT-7788`;
    const settled = await sendStatement(client, memo);
    expect(settled.state).toBe('settled');
    await tellAndWait(debtor);
    expect(await paidOf(debtor)).toEqual([['pix', 100, debtor.endToEndId]]);
    expect((await readDebt(debtor)).status).toBe('PAID');
    expect(await sentBack(debtor)).toBe(0);
    expect((await paymentEvents(debtor)).map(({ kind, change }) => change ?? kind)).toEqual([
      'payment_approved',
      'undone',
      'payment_approved',
    ]);
    // The receipt is that of the payment which the bank has confirmed.
    const validReceipts = async () =>
      (
        await app.query<{ id: string }>(
          'select charge_id as id from receipts where debt_id = $1 and revoked_at is null',
          [debtor.id],
        )
      ).map(({ id }) => id);
    await until('the receipt is there', async () => ((await validReceipts()).includes(debtor.paymentId) ? true : null));
    expect(await validReceipts()).toEqual([debtor.paymentId]);
    // It is known whoever tells of it again, and the bank's word is not taken back as a mistake of the client.
    expect(await sendStatement(client, memo)).toMatchObject({ state: 'known', code: 'repeated' });
    expect(await orphansOf(debtor)).toEqual([]);
    expect((await client.call('POST', `/api/settlements/${settled.settlementId}/undo`)).status).toBe(409);
    await tellAndWait(debtor);
    expect(await paidOf(debtor)).toEqual([['pix', 100, debtor.endToEndId]]);
  });

  it('is taken back from the debt that the statement had named, when it has paid the code of another', async () => {
    const client = await newClient();
    const named = await newBill(client, 'FAT-4411');
    const debtor = await paidUntold(await newBill(client));
    expect((await sendStatement(client, `PIX RECEBIDO ${debtor.endToEndId} REF FAT-4411`)).state).toBe('settled');
    expect((await readDebt(named)).status).toBe('PAID');
    await tell(debtor);
    await untilStatus(debtor, 'APPROVED');
    expect(await paidOf(debtor)).toEqual([['pix', 100, debtor.endToEndId]]);
    expect(await paidOf(named)).toEqual([]);
    expect((await readDebt(named)).status).toBe('IMPORTED');
  });

  it('counts once for an agreement, which it completes', async () => {
    const client = await newClient();
    const { debtIds } = await newAgreement(app.query, client.id, {
      debts: [{ owed: 30_000, discount: 0 }],
      instalments: [{ dueDate: addDays(today, 20), amount: 30_000 }],
      agreedOn: today,
    });
    const id = debtIds[0]!;
    const debtor = await paidUntold({ client, campaignId: '', id });
    const agreement = async () => (await client.call('GET', `/api/agreements?debtId=${id}`)).body.items[0];
    expect((await sendStatement(client, `PIX RECEBIDO ${debtor.endToEndId}`, '300.00')).code).toBe('amount_alone');
    const [orphan] = await orphansOf(debtor);
    expect((await assign(client, orphan.id, id)).status).toBe(200);
    expect(await agreement()).toMatchObject({ status: 'COMPLETED', paid: 300 });
    expect(await paidOf(debtor)).toContainEqual(['outside', 300, debtor.endToEndId]);
    await tellAndWait(debtor);
    expect(await agreement()).toMatchObject({ status: 'COMPLETED', paid: 300 });
    expect(await paidOf(debtor)).toEqual([['pix', 300, debtor.endToEndId]]);
    expect((await readDebt(debtor)).status).toBe('PAID');
    expect(await sentBack(debtor)).toBe(0);
  });

  it('leaves what the receipt of another part says is open', async () => {
    const client = await newClient();
    const debtor = await openPage(app, await newBill(client, 'FAT-3377'));
    const endToEndId = newEndToEndId();
    const told = await sendStatement(client, `PIX RECEBIDO ${endToEndId} REF FAT-3377`, '30.00');
    expect(told.code).toBe('amount_differs');
    const [orphan] = await orphansOf({ client, endToEndId });
    expect((await assign(client, orphan.id, debtor.id)).status).toBe(200);
    const cash = { amount: 20, paidAt: today, method: 'cash' };
    expect((await client.call('POST', `/api/debts/${debtor.id}/settle`, cash)).status).toBe(200);
    const open = () => openByReceipts(debtor.id, 'open,principal');
    const both = [
      [2_000, 5_000],
      [3_000, 7_000],
    ];
    expect(await until('both receipts are there', open)).toEqual(both);
    // Only now the bank knows of it.
    bank.pay(debtor.providerId, 3_000).endToEndId = endToEndId;
    await tellAndWait(debtor);
    expect(await paidOf(debtor)).toContainEqual(['pix', 30, endToEndId]);
    expect(await until('the receipt of the code is there', open)).toEqual(both);
  });

  it('leaves what the receipt of another payment of the agreement says of the instalments', async () => {
    const client = await newClient();
    const { debtIds } = await newAgreement(app.query, client.id, {
      debts: [{ owed: 90_000, discount: 0 }],
      instalments: [20, 50, 80].map((days) => ({ dueDate: addDays(today, days), amount: 30_000 })),
      agreedOn: today,
    });
    const id = debtIds[0]!;
    const debtor = await openPage(app, { client, campaignId: '', id });
    const endToEndId = newEndToEndId();
    await app.query("update debts set invoice_key = 'fat-9931' where id = $1", [id]);
    const told = await sendStatement(client, `PIX RECEBIDO ${endToEndId} REF FAT-9931`, '300.00');
    expect(told.state).toBe('settled');
    const cash = { amount: 200, paidAt: today, method: 'cash' };
    expect((await client.call('POST', `/api/debts/${id}/settle`, cash)).status).toBe(200);
    const open = () => openByReceipts(id, 'instalments,openCentavos');
    const both = [
      [20_000, 40_000],
      [30_000, 60_000],
    ];
    expect(await until('both receipts are there', open)).toEqual(both);
    // Only now the bank knows of it.
    bank.pay(debtor.providerId).endToEndId = endToEndId;
    await tellAndWait(debtor);
    expect(await paidOf(debtor)).toContainEqual(['pix', 300, endToEndId]);
    expect(await until('the receipt of the code is there', open)).toEqual(both);
  });

  it('stays as it was recorded where that cannot be taken back any more, and is not sent back', async () => {
    const client = await newClient();
    const debtor = await paidUntold(await newBill(client, 'FAT-5522'));
    expect((await sendStatement(client, `PIX RECEBIDO ${debtor.endToEndId} REF FAT-5522`)).state).toBe('settled');
    await app.query(`update debts set erased_at = now(), debtor_tax_id = '' where id = $1`, [debtor.id]);
    await tellAndWait(debtor);
    expect(await paidOf(debtor)).toEqual(
      expect.arrayContaining([
        ['outside', 100, debtor.endToEndId],
        ['pix', 0, debtor.endToEndId],
      ]),
    );
    expect((await readDebt(debtor)).status).toBe('PAID');
    expect(await sentBack(debtor)).toBe(0);
  });

  it('is not sent back where it stays recorded about the ended agreement of the debt', async () => {
    const client = await newClient();
    const { id: agreementId, debtIds } = await newAgreement(app.query, client.id, {
      debts: [
        { owed: 30_000, discount: 0 },
        { owed: 10_000, discount: 0 },
      ],
      instalments: [
        { dueDate: addDays(today, 20), amount: 30_000 },
        { dueDate: addDays(today, 50), amount: 10_000 },
      ],
      agreedOn: today,
    });
    const [id, otherId] = debtIds as [string, string];
    const debtor = await paidUntold({ client, campaignId: '', id });
    // The code is one that the debt had before the agreement.
    await app.query('update charges set agreement_id = null, instalment = null where id = $1', [debtor.paymentId]);
    await sendStatement(client, `PIX RECEBIDO ${debtor.endToEndId}`, '300.00');
    const [orphan] = await orphansOf(debtor);
    expect((await assign(client, orphan.id, otherId)).status).toBe(200);
    const cancelled = await client.call('POST', `/api/agreements/${agreementId}/cancel`, { reason: 'Pedido' });
    expect(cancelled.status).toBe(200);
    // The debt at which it is recorded was erased, so that it cannot be taken back.
    await app.query(`update debts set erased_at = now(), debtor_tax_id = '' where id = $1`, [otherId]);
    await tellAndWait(debtor);
    const [code] = await app.query('select paid_centavos, status from charges where id = $1', [debtor.paymentId]);
    expect(code).toEqual({ paid_centavos: '0', status: 'CANCELLED' });
    expect(await sentBack(debtor)).toBe(0);
  });

  it('waits for nobody any more once it has paid a code', async () => {
    const client = await newClient();
    const [debtor, other] = [await paidUntold(await newBill(client)), await newBill(client)];
    const row = await sendStatement(client, `PIX RECEBIDO ${debtor.endToEndId} ANA SOUZA`);
    expect(row).toMatchObject({ state: 'unmatched', code: 'amount_alone' });
    const [orphan] = await orphansOf(debtor);
    await tell(debtor);
    await untilStatus(debtor, 'APPROVED');
    expect(await orphansOf(debtor)).toEqual([]);
    expect((await assign(client, orphan.id, other.id)).status).toBe(409);
    await assign(client, orphan.id, debtor.id);
    expect(await paidOf(debtor)).toEqual([['pix', 100, debtor.endToEndId]]);
    expect(await paidOf(other)).toEqual([]);
  });

  it('is for no other debt although its row was stored in the same moment', async () => {
    const client = await newClient();
    const [debtor, other] = [await paidUntold(await newBill(client)), await newBill(client)];
    await tell(debtor);
    await untilStatus(debtor, 'APPROVED');
    const id = randomUUID();
    await app.query(
      `insert into received_payments (id, client_id, source, key, amount_centavos, paid_at, end_to_end_id, method, state)
       values ($1, $2, 'file', $3, 10000, now(), $4, 'pix', 'unmatched')`,
      [id, client.id, `e2e:${debtor.endToEndId.toUpperCase()}`, debtor.endToEndId],
    );
    expect(await orphansOf(debtor)).toEqual([]);
    expect((await assign(client, id, other.id)).status).toBe(409);
    expect(await paidOf(other)).toEqual([]);
  });
});

it('leaves nothing to decide of a row whose payment staff record while the file is read', async () => {
  const client = await app.newClient();
  const { id } = await newBill(client, 'FAT-1');
  const holder = new pg.Client({ connectionString: app.database.url });
  await holder.connect();
  await holder.query('begin');
  await holder.query('select from debts where id = $1 for update', [id]);
  const waiting = (count: number) =>
    until(`${count} wait for the debt`, async () => (await waitingSessions(app)) === count);
  const settled = client.call('POST', `/api/debts/${id}/settle`, { amount: 100, paidAt: '2026-11-20', method: 'cash' });
  await waiting(1);
  const sent = sendPayments(app, client, 'fatura;data do pagamento;valor pago\nFAT-1;20/11/2026;100,00');
  await waiting(2);
  await holder.query('commit');
  await holder.end();
  expect((await settled).status).toBe(200);
  expect((await sent).body.items).toMatchObject([{ state: 'known', code: 'recorded' }]);
  expect((await client.call('GET', '/api/payments/orphans')).body.items).toEqual([]);
});
