import { describe, expect, it } from '@jest/globals';
import { startAgreements } from '../../testing/agreements.ts';
import { startCampaignsApp, type TestClient } from '../../testing/campaigns-app.ts';
import { opened } from '../../testing/opened.ts';
import { sendPayments } from '../../testing/payment-files.ts';

const app = await opened(startCampaignsApp());
const agreements = await startAgreements(app);

const DAY = '28/11/2026';
const row = (invoice: string, amount: number) => `${invoice};${DAY};${String(amount).replace('.', ',')}`;
/** Sends a table of payments, and returns its items. */
const send = async (client: TestClient, ...rows: readonly string[]) => {
  const { status, body } = await sendPayments(app, client, ['fatura;data do pagamento;valor pago', ...rows].join('\n'));
  expect(status).toBe(200);
  return body.items;
};
const agreementOf = async (client: TestClient, id: string) => (await client.call('GET', `/api/agreements/${id}`)).body;
const statusOf = async (client: TestClient, id: string) => (await client.call('GET', `/api/debts/${id}`)).body.status;
const settle = async (client: TestClient, debtId: string, amount: number) => {
  const payment = { amount, paidAt: '2026-11-28', method: 'cash' };
  expect((await client.call('POST', `/api/debts/${debtId}/settle`, payment)).status).toBe(200);
};
const cancel = async (client: TestClient, agreementId: string) => {
  const cancelled = await client.call('POST', `/api/agreements/${agreementId}/cancel`, { reason: 'Pedido do cliente' });
  expect(cancelled.status).toBe(200);
};
/** Accepts the first of the offers that are made after an agreement has ended: all at once. */
const agreeAgain = async (client: TestClient, debtId: string) => {
  const [offer] = (await client.call('GET', `/api/debts/${debtId}/offers`)).body.items;
  return agreements.accept(client.id, debtId, offer.number);
};

describe('undoing a payment of an agreement that was cancelled', () => {
  it('is refused while a later agreement about any of its debts counts on it, or has counted on it', async () => {
    const client = await app.newClient();
    const person = await agreements.newPerson(client, [[{ invoiceId: 'UN-1' }, { invoiceId: 'UN-2' }]]);
    const first = await agreements.agree(client, person, 2);
    const [instalment] = (await agreementOf(client, first)).instalments;
    // It is recorded at the second debt, and the agreement gives it to the first.
    const [{ state, settlementId }] = await send(client, row('UN-2', instalment.amount));
    expect(state).toBe('settled');
    await cancel(client, first);
    const second = await agreeAgain(client, person.ids[0]!);
    const undo = () => client.call('POST', `/api/settlements/${settlementId}/undo`);
    const refused = { status: 409, body: { code: 'debt_state' } };
    const before = await agreementOf(client, second);
    expect(await undo()).toMatchObject(refused);
    expect(await agreementOf(client, second)).toEqual(before);

    await settle(client, person.ids[0]!, before.instalments[0].amount);
    expect((await agreementOf(client, second)).status).toBe('COMPLETED');
    expect(await undo()).toMatchObject(refused);
    for (const id of person.ids) expect(await statusOf(client, id)).toBe('PAID');
  });

  it('is allowed once the later agreement has been cancelled too', async () => {
    const client = await app.newClient();
    const person = await agreements.newPerson(client, [[{ invoiceId: 'UN-3' }]]);
    const quoted = async () => (await client.call('GET', `/api/debts/${person.ids[0]}/quote`)).body.total;
    const owed = await quoted();
    const first = await agreements.agree(client, person, 2);
    const [instalment] = (await agreementOf(client, first)).instalments;
    const [{ settlementId }] = await send(client, row('UN-3', instalment.amount));
    await cancel(client, first);
    expect(await quoted()).toBeLessThan(owed);
    await cancel(client, await agreeAgain(client, person.ids[0]!));
    expect((await client.call('POST', `/api/settlements/${settlementId}/undo`)).status).toBe(200);
    expect(await quoted()).toBe(owed);
  });
});
