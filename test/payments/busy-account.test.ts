/** An account gets more payments than one reading takes. */
import { expect, it } from '@jest/globals';
import { watchAccounts } from '../../src/modules/payments/use-cases/watch-accounts.ts';
import type { TestClient } from '../../testing/campaigns-app.ts';
import { FakeBank } from '../../testing/fake-bank/fake-bank.ts';
import { opened } from '../../testing/opened.ts';
import { until } from '../../testing/poll.ts';
import { bankMoney, readDue } from './bank-money.ts';
import { startRealApp } from './real-provider.ts';

const real = await opened(startRealApp({ single: false, env: { PAYMENT_PROVIDER: 'mercadopago,pix' } }));
const { app } = real;
const MINUTE = 60_000;

/** A bank whose pages have one payment each, so that 50 of them are more than one reading takes. */
async function busyBank() {
  const bank = await opened(new FakeBank('inter', { wantsScope: false }).start());
  bank.pageSize = 1;
  const client = await bankMoney(real, bank).connected();
  await readDue(real, client);
  return { bank, client };
}

const payAt = (bank: FakeBank, moments: readonly number[]): string[] =>
  moments.map((at) => bank.payByKey(1_000, { horario: new Date(at).toISOString() }).endToEndId);

/** The account was read until then for the last time, and is read at once. */
const readUntil = (client: TestClient, moment: number) =>
  app.query('update client_credentials set listed_until = $2, list_at = quita_now() where client_id = $1', [
    client.id,
    new Date(moment),
  ]);

it.each([
  ['oldest', 1],
  ['newest', -1],
])('each payment of an outage is found, with the %s first', async (_, order) => {
  const { bank, client } = await busyBank();
  const outage = Date.now() - 180 * MINUTE;
  const moments = [
    // So many in the hours that are read again, and one every three minutes of the outage.
    ...Array.from({ length: 60 }, (_minute, at) => outage - (119 - at) * MINUTE),
    ...Array.from({ length: 59 }, (_minute, at) => outage + (at + 1) * 3 * MINUTE),
  ];
  const paid = payAt(
    bank,
    moments.toSorted((one, other) => order * (one - other)),
  );
  await readUntil(client, outage);
  await readDue(real, client);
  const found = await app.query<{ id: string }>(
    'select end_to_end_id as id from received_payments where client_id = $1',
    [client.id],
  );
  expect(found.map(({ id }) => id).sort()).toEqual(paid.sort());
});

it('a moment with more payments than can be read is not passed over', async () => {
  const { bank, client } = await busyBank();
  const outage = Date.now() - 180 * MINUTE;
  payAt(
    bank,
    Array.from({ length: 60 }, () => outage + MINUTE),
  );
  await readUntil(client, outage);
  const account = await until('the bank is said to be unavailable', async () => {
    await watchAccounts(real.worker.deps())();
    const [row] = await app.query<{ problem: string | null; until: Date }>(
      'select problem, listed_until as until from client_credentials where client_id = $1',
      [client.id],
    );
    return row?.problem === 'unavailable' ? row : null;
  });
  // The next reading begins two hours before this.
  expect(account.until.getTime() - 120 * MINUTE).toBeLessThanOrEqual(outage + MINUTE);
});
