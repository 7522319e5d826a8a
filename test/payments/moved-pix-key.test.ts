/** A client moves its Pix key from one bank to another, which calls its account by the same key. */
import { expect, it } from '@jest/globals';
import { watchAccounts } from '../../src/modules/payments/use-cases/watch-accounts.ts';
import type { TestClient } from '../../testing/campaigns-app.ts';
import { FakeBank } from '../../testing/fake-bank/fake-bank.ts';
import { opened } from '../../testing/opened.ts';
import { until } from '../../testing/poll.ts';
import { bankMoney } from './bank-money.ts';
import { openPage, startRealApp } from './real-provider.ts';
import { newDebt, readDebt, untilStatus } from './support.ts';

const [first, second] = [
  await opened(new FakeBank('inter', { wantsScope: false }).start()),
  await opened(new FakeBank('inter', { wantsScope: false }).start()),
];
const real = await opened(startRealApp({ single: false, env: { PAYMENT_PROVIDER: 'mercadopago,pix' } }));
const { app } = real;
const [atFirst, atSecond] = [bankMoney(real, first), bankMoney(real, second)];

const accountsOf = async (client: TestClient) => (await client.call('GET', '/api/payment-accounts')).body.items;

/** The schedule of the app may read an account at any moment too: this waits until all of them have been read. */
async function read({ id }: TestClient): Promise<void> {
  await app.query('update client_credentials set list_at = quita_now() where client_id = $1', [id]);
  await until('the payments are read', async () => {
    await watchAccounts(real.worker.deps())();
    const unread = await app.query(
      `select from client_credentials where client_id = $1 and list_at <= quita_now() + interval '10 minutes'`,
      [id],
    );
    return unread.length === 0;
  });
}

it('keeps the account at the earlier bank, and both are shown by the key', async () => {
  const client = await app.newClient();
  const [before, after] = [await atFirst.connect(client), await atSecond.connect(client)];
  expect(await accountsOf(client)).toMatchObject([
    { id: after, account: second.key, state: 'ready' },
    { id: before, account: first.key, state: 'replaced' },
  ]);
  expect(first.webhookUrl).toContain(`/${before}/`);
  expect(second.webhookUrl).toContain(`/${after}/`);
});

it('gives back by the bank that took the payment', async () => {
  const client = await atFirst.connected();
  const debtor = await atFirst.paid(client);
  await atSecond.connect(client);
  expect((await atFirst.give(debtor, 10)).status).toBe(202);
  await atFirst.untilAtBank(debtor, 1);
});

it('asks each bank about the charges that it made', async () => {
  const client = await atFirst.connected();
  const [returned, open] = [await atFirst.paid(client), await openPage(app, await newDebt(app, {}, client))];
  await atSecond.connect(client);
  await atSecond.paid(client);

  first.giveBack(returned.providerId, 10_000, { natureza: 'MED_FRAUDE' });
  await atFirst.tell(returned);
  expect(await atFirst.untilRefunds(returned, ['done'])).toMatchObject([{ kind: 'med_fraude', amount: 100 }]);

  // The debtor has the code of the earlier bank, and no notification tells of the payment.
  first.pay(open.providerId);
  const orphan = first.payByKey(4_321);
  await read(client);
  await untilStatus(open, 'APPROVED');
  expect((await readDebt(open)).status).toBe('PAID');
  const { items } = (await client.call('GET', '/api/payments/orphans')).body;
  expect(items).toContainEqual(expect.objectContaining({ endToEndId: orphan.endToEndId }));
});

it('knows each account again when the key comes back, or gets new credentials at its bank', async () => {
  const client = await app.newClient();
  const [before, after] = [await atFirst.connect(client), await atSecond.connect(client)];
  expect(await atSecond.connect(client)).toBe(after);
  expect(await atFirst.connect(client)).toBe(before);
  expect(await accountsOf(client)).toMatchObject([
    { id: before, state: 'ready' },
    { id: after, state: 'replaced' },
  ]);
  // The account at the earlier bank is not kept for ever.
  await atSecond.connect(client);
  await app.query('delete from client_credentials where id = $1', [before]);
  expect(await atSecond.connect(client)).toBe(after);
});

it('makes an account whole again whose credentials cannot be decrypted', async () => {
  const client = await app.newClient();
  const before = await atFirst.connect(client);
  await app.query(`update client_credentials set sealed = 'damaged' where id = $1`, [before]);
  expect(await atFirst.connect(client)).toBe(before);
  expect(await accountsOf(client)).toMatchObject([{ id: before, state: 'ready' }]);
});
