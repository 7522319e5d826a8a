import { describe, expect, it } from '@jest/globals';
import { startAgreements } from '../../testing/agreements.ts';
import { startCampaignsApp, type TestClient } from '../../testing/campaigns-app.ts';
import { opened } from '../../testing/opened.ts';
import { cnab240, sendPayments } from '../../testing/payment-files.ts';

const app = await opened(startCampaignsApp());
const agreements = await startAgreements(app);

const DAY = '28/11/2026';
const row = (invoice: string, amount: number, day = DAY) => `${invoice};${day};${String(amount).replace('.', ',')}`;
/** Sends a table of payments, and returns its items. */
const send = async (client: TestClient, ...rows: readonly string[]) => {
  const { status, body } = await sendPayments(app, client, ['fatura;data do pagamento;valor pago', ...rows].join('\n'));
  expect(status).toBe(200);
  return body.items;
};
const statesOf = (items: readonly { state: string; code: string | null }[]) =>
  items.map(({ state, code }) => (code === null ? state : `${state} ${code}`));
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

describe('a file that tells of money of an agreement', () => {
  it('does not count it again after the agreement was cancelled or completed', async () => {
    const client = await app.newClient();
    const cancelled = await agreements.newPerson(client, [[{ invoiceId: 'AX-1' }]]);
    const first = await agreements.agree(client, cancelled, 2);
    const [instalment] = (await agreementOf(client, first)).instalments;
    await settle(client, cancelled.ids[0]!, instalment.amount);
    const told = row('AX-1', instalment.amount);
    expect(statesOf(await send(client, told))).toEqual(['known recorded']);
    await cancel(client, first);
    expect(statesOf(await send(client, told))).toEqual(['known recorded']);

    const completed = await agreements.newPerson(client, [[{ invoiceId: 'AX-2' }, { invoiceId: 'AX-3' }]]);
    const second = await agreements.agree(client, completed);
    await settle(client, completed.ids[0]!, 1_700);
    expect((await agreementOf(client, second)).status).toBe('COMPLETED');
    expect(statesOf(await send(client, row('AX-2', 1_700), row('AX-3', 1_700)))).toEqual([
      'known recorded',
      'known recorded',
    ]);
  });

  it.each(['one file', 'two files'])('counts equal amounts of one day for two of its bills: %s', async (how) => {
    const client = await app.newClient();
    const person = await agreements.newPerson(client, [[{ invoiceId: 'TW-1' }, { invoiceId: 'TW-2' }]]);
    const agreementId = await agreements.agree(client, person, 2);
    const rows = [row('TW-1', 850), row('TW-2', 850)];
    const items =
      how === 'one file'
        ? await send(client, ...rows)
        : [...(await send(client, rows[0]!)), ...(await send(client, rows[1]!))];
    expect(statesOf(items)).toEqual(['settled', 'settled']);
    expect(await agreementOf(client, agreementId)).toMatchObject({ status: 'COMPLETED', paid: 1_700 });
    expect(statesOf(await send(client, ...rows))).toEqual(['known repeated', 'known repeated']);
  });

  it('does not count what a person has said to be for another of its bills', async () => {
    const client = await app.newClient();
    const person = await agreements.newPerson(client, [[{ invoiceId: 'TW-3' }, { invoiceId: 'TW-4' }]]);
    await agreements.agree(client, person, 2);
    const [{ settlementId }] = await send(client, row('TW-4', 850, '25/11/2026'));
    expect((await client.call('POST', `/api/settlements/${settlementId}/undo`)).status).toBe(200);
    const assigned = await client.call('POST', `/api/payments/orphans/${settlementId}/assign`, {
      debtId: person.ids[0],
    });
    expect(assigned.status).toBe(200);
    // The same money in a file of the bank, whose number of the boleto makes it another key.
    const returned = cnab240([{ movement: '06', title: 'TW-4', centavos: 85_000 }]).join('\r\n');
    expect(statesOf((await sendPayments(app, client, returned)).body.items)).toEqual(['known recorded']);
  });
});

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
