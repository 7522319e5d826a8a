import { afterAll, expect, it } from '@jest/globals';
import { findOrMakeCharge } from '../../src/modules/payments/use-cases/find-or-make-charge.ts';
import { startAgreements } from '../../testing/agreements.ts';
import type { TestClient } from '../../testing/campaigns-app.ts';
import { FakeBank } from '../../testing/fake-bank/fake-bank.ts';
import { opened } from '../../testing/opened.ts';
import { until } from '../../testing/poll.ts';
import { verifyPath } from '../../testing/receipts-harness.ts';
import { bankMoney, readDue } from './bank-money.ts';
import { type ChargedDebtor, startRealApp } from './real-provider.ts';
import { readDebt, timelineOf } from './support.ts';

const DAY_MS = 24 * 3_600_000;
const bank = await new FakeBank('inter', { wantsScope: false }).start();
afterAll(() => bank.stop());
const real = await opened(startRealApp({ single: false, env: { PAYMENT_PROVIDER: 'mercadopago,pix' } }));
const { app } = real;
const agreements = await startAgreements(app);
const { connected, tell, paid, paymentsOf, give, untilRefunds, untilAtBank } = bankMoney(real, bank);
const client = await connected();

/** A bank takes so much back and tells of it. */
async function takeBack(debtor: ChargedDebtor, centavos: number, natureza = 'MED_FRAUDE'): Promise<void> {
  bank.giveBack(debtor.providerId, centavos, { natureza });
  await tell(debtor);
}

const receiptOf = (debtor: ChargedDebtor) =>
  until('the receipt', async () => {
    const { body } = await debtor.client.call('GET', `/api/receipts?debtId=${debtor.id}`);
    return body.items[0] ?? null;
  });

const inboxOf = async (of: TestClient, debtId: string) =>
  (await of.call('GET', '/api/inbox?reason=refunded')).body.items.filter(
    ({ debt }: { readonly debt: { readonly id: string } }) => debt.id === debtId,
  );

const returnsOf = async (debtor: Pick<ChargedDebtor, 'client' | 'id'>) =>
  (await timelineOf({ ...debtor, campaignId: '' })).filter((one) => one['returnKind'] !== undefined);

it('revokes the receipt of a payment that a bank took back, and tells staff until when to contest it', async () => {
  const debtor = await paid(client);
  expect((await receiptOf(debtor)).revokedAt).toBeNull();
  await takeBack(debtor, 10_000);
  const [refund] = await untilRefunds(debtor, ['done']);
  expect(refund).toMatchObject({ kind: 'med_fraude', amount: 100, reason: null });
  expect((Date.parse(refund.contestUntil) - Date.now()) / DAY_MS).toBeCloseTo(80, 1);
  const receipt = await receiptOf(debtor);
  expect(receipt.revokedAt).not.toBeNull();
  const page = await app.get<string>(verifyPath(receipt.protocol));
  expect(page.body).toContain('por devolução');
  expect(await inboxOf(client, debtor.id)).toMatchObject([{ reason: 'refunded', dueAt: refund.contestUntil }]);
  expect(await returnsOf(debtor)).toMatchObject([
    { change: 'refunded', returnKind: 'med_fraude', contestUntil: refund.contestUntil },
  ]);
  // Nobody collects the debt again by itself.
  expect((await readDebt(debtor)).status).toBe('PAID');

  // The bank tells of it once more.
  await tell(debtor);
  await until('the repetition is handled', async () => {
    const open = await app.query('select from payment_notifications where charge_id = $1 and handled_at is null', [
      debtor.paymentId,
    ]);
    return open.length === 0;
  });
  expect([(await returnsOf(debtor)).length, (await inboxOf(client, debtor.id)).length]).toEqual([1, 1]);
  expect((await give(debtor, 0.01)).body.code).toBe('refund_impossible');
});

it('lowers what the creditor has by a part that a bank took back', async () => {
  const debtor = await paid(client);
  const { protocol } = await receiptOf(debtor);
  await takeBack(debtor, 3_000, 'MED_OPERACIONAL');
  await untilRefunds(debtor, ['done']);
  expect((await paymentsOf(debtor))[0]).toMatchObject({ paid: 100, refunded: 30, status: 'APPROVED' });
  expect(await receiptOf(debtor)).toMatchObject({ protocol, revokedAt: null });
  expect(await inboxOf(client, debtor.id)).toMatchObject([{ dueAt: expect.any(String) }]);
  expect((await give(debtor, 70.01)).body.code).toBe('refund_impossible');
  // What the company asks for since is its own, and the term to contest stays shown.
  expect((await give(debtor, 20)).status).toBe(202);
  await untilAtBank(debtor, 2);
  bank.endReturns(debtor.providerId);
  await tell(debtor);
  expect(await untilRefunds(debtor, ['done', 'done'])).toMatchObject([
    { kind: 'med_operacional' },
    { kind: 'asked', contestUntil: null },
  ]);
  expect([(await returnsOf(debtor)).length, (await readDebt(debtor)).status]).toEqual([1, 'PAID']);
  expect(await inboxOf(client, debtor.id)).toMatchObject([{ dueAt: expect.any(String) }]);
});

it('lowers the credit of a part of a debt that a bank took back', async () => {
  const debtor = await paid(client, 6_000);
  const open = async () => (await client.call('GET', `/api/debts/${debtor.id}/quote`)).body.total;
  expect(await open()).toBe(40);
  await takeBack(debtor, 2_500);
  await untilRefunds(debtor, ['done']);
  expect(await open()).toBe(65);
  expect(await inboxOf(client, debtor.id)).toMatchObject([{ dueAt: expect.any(String) }]);
  expect((await readDebt(debtor)).status).toBe('ON_HOLD');
});

it('tells staff of each return of a debt, with the term of the last one where an earlier term is over', async () => {
  const debtor = await paid(client);
  const daysLeft = async () => {
    const [item] = await inboxOf(client, debtor.id);
    return Math.round((Date.parse(item.dueAt) - Date.now()) / DAY_MS);
  };
  const untold = async () => {
    const [item] = await app.query<{ untold: boolean }>(
      'select told_at is null and digest_id is null as untold from inbox_items where debt_id = $1',
      [debtor.id],
    );
    return item?.untold;
  };
  /** A digest tells of the item, and so many days pass. */
  const passDays = (days: number) =>
    app.query(
      `update inbox_items set told_at = quita_now() - make_interval(days => $2), digest_id = gen_random_uuid(),
         due_at = due_at - make_interval(days => $2) where debt_id = $1`,
      [debtor.id, days],
    );
  await takeBack(debtor, 3_000);
  await untilRefunds(debtor, ['done']);
  await passDays(70);
  // Of two terms in which something can be done the first one is shown.
  await takeBack(debtor, 2_000);
  await untilRefunds(debtor, ['done', 'done']);
  expect([await untold(), await daysLeft()]).toEqual([true, 10]);
  await passDays(15);
  await takeBack(debtor, 1_000);
  await untilRefunds(debtor, ['done', 'done', 'done']);
  expect([await untold(), await daysLeft()]).toEqual([true, 80]);
});

it('finds a return of an old payment of which no notification told, once a day', async () => {
  const debtor = await paid(client);
  await receiptOf(debtor);
  const [pix] = bank.charge(debtor.providerId).pix;
  pix!.horario = new Date(Date.now() - 40 * DAY_MS).toISOString();
  bank.giveBack(debtor.providerId, 10_000, { natureza: 'MED_FRAUDE' });
  await app.query(
    `update client_credentials set list_at = quita_now(), listed_until = quita_now() - interval '1 day' where client_id = $1`,
    [client.id],
  );
  await readDue(real, client);
  expect(await untilRefunds(debtor, ['done'])).toMatchObject([{ kind: 'med_fraude', amount: 100 }]);
  expect((await receiptOf(debtor)).revokedAt).not.toBeNull();
  expect(await inboxOf(client, debtor.id)).toMatchObject([{ reason: 'refunded', dueAt: expect.any(String) }]);
});

it('opens the instalment of an agreement again, which nobody calls broken for it', async () => {
  const owner = await app.newClient();
  const person = await agreements.newPerson(owner);
  const debtor = { client: owner, id: person.ids[0]! };
  const agreementId = await agreements.agree(owner, person, 2);
  const deps = real.worker.deps();
  const code = (await findOrMakeCharge(deps)({ clientId: owner.id, debtId: debtor.id, ofAgreement: 'next' }))!;
  const instalment = async () => (await owner.call('GET', `/api/agreements/${agreementId}`)).body.instalments[0];
  await deps.bank.pay(code.providerPaymentId);
  await until('the instalment is paid', async () => (await instalment()).status === 'APPROVED');
  await deps.bank.takeBack(code.providerPaymentId, 'med_fraude');
  await until('the instalment is open again', async () => (await instalment()).status !== 'APPROVED');
  const { body } = await owner.call('GET', `/api/agreements/${agreementId}`);
  expect(body.status).toBe('ACTIVE');
  const { state, kind, contestUntil } = (await paymentsOf(debtor))[0].refunds[0];
  expect([state, kind]).toEqual(['done', 'med_fraude']);
  expect(await inboxOf(owner, debtor.id)).toMatchObject([{ reason: 'refunded', dueAt: contestUntil }]);
  expect((await readDebt({ ...debtor, campaignId: '' })).status).toBe('AGREEMENT');
});
