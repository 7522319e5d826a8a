import { expect } from '@jest/globals';
import { watchAccounts } from '../../src/modules/payments/use-cases/watch-accounts.ts';
import type { Answer, TestClient } from '../../testing/campaigns-app.ts';
import type { FakeBank } from '../../testing/fake-bank/fake-bank.ts';
import { until } from '../../testing/poll.ts';
import { type ChargedDebtor, openPage, type RealApp } from './real-provider.ts';
import { newDebt, untilStatus } from './support.ts';

/** The schedule of the app may read an account at any moment too: this waits until whoever has it is done. */
export const readDue = ({ app, worker }: RealApp, { id }: TestClient) =>
  until('the payments are read', async () => {
    await watchAccounts(worker.deps())();
    const [account] = await app.query(
      `select from client_credentials where client_id = $1 and list_at > quita_now() + interval '10 minutes'`,
      [id],
    );
    return account ?? null;
  });

/** Money of debts that comes to an account at a bank with the API Pix, and goes back. */
export function bankMoney({ app }: RealApp, bank: FakeBank) {
  /** Connects the account at the bank, and returns its id. */
  async function connect(client: TestClient): Promise<string> {
    const { clientId, clientSecret, key, certificate } = bank.credentials();
    const { baseUrl, tokenUrl, caPem } = bank.addresses;
    const account = { provider: 'pix', profile: 'custom', clientId, clientSecret, key, baseUrl, tokenUrl, ca: caPem };
    const pair = { certificate: certificate!.certificatePem, privateKey: certificate!.privateKeyPem };
    const { status, body } = await client.call('POST', '/api/payment-accounts', { ...account, ...pair });
    expect(status).toBe(201);
    return body.id;
  }

  async function connected(): Promise<TestClient> {
    const client = await app.newClient();
    // The bank has one address at a time; the newest client's tells of all of its payments.
    await connect(client);
    return client;
  }

  const tell = async ({ providerId }: ChargedDebtor): Promise<void> => {
    const pix = bank.charge(providerId).pix;
    expect(await bank.notify(pix, { url: app.url + new URL(bank.webhookUrl!).pathname })).toBe(200);
  };

  /** A debt that was paid by its code. */
  async function paid(client: TestClient, centavos?: number, given: object = {}): Promise<ChargedDebtor> {
    const debtor = await openPage(app, await newDebt(app, { originalAmount: 100, ...given }, client));
    bank.pay(debtor.providerId, centavos);
    await tell(debtor);
    await until('the money is there', async () => (await paymentsOf(debtor))[0]?.paid > 0);
    return debtor;
  }

  const paymentsOf = async ({ client, id }: Pick<ChargedDebtor, 'client' | 'id'>) =>
    (await client.call('GET', `/api/debts/${id}/payments`)).body.items;

  const give = (
    { client, id }: Pick<ChargedDebtor, 'client' | 'id'>,
    amount: number,
    { key, ...body }: { readonly key?: string; readonly paymentId?: string } = {},
  ): Promise<Answer> =>
    app.call('POST', `/api/payments/${id}/refund`, {
      body: { amount, reason: 'Pagou a mais', ...body },
      bearer: client.token,
      headers: key === undefined ? {} : { 'idempotency-key': key },
    });

  /** The refunds of the latest payment, once all of them are in one of the states. */
  const untilRefunds = (debtor: Pick<ChargedDebtor, 'client' | 'id'>, states: readonly string[]) =>
    until(
      `refunds ${states}`,
      async () => {
        const { refunds } = (await paymentsOf(debtor))[0];
        const found = refunds.map(({ state }: { readonly state: string }) => state);
        return JSON.stringify(found) === JSON.stringify(states) ? refunds : null;
      },
      { explain: () => paymentsOf(debtor) },
    );

  /** Waits until so many returns stand at the bank. */
  const untilAtBank = ({ providerId }: ChargedDebtor, count: number) =>
    until('the bank has the returns', () => {
      const { devolucoes } = bank.charge(providerId).pix.at(-1)!;
      return devolucoes.length === count ? devolucoes : null;
    });

  return { connect, connected, tell, paid, paymentsOf, give, untilRefunds, untilAtBank, untilStatus };
}
