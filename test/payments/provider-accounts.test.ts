import { describe, expect, it } from '@jest/globals';
import { createMercadoPagoProvider } from '../../src/modules/payments/adapters/mercadopago/mercadopago-provider.ts';
import { createClientCredentials } from '../../src/modules/payments/use-cases/client-credentials.ts';
import { connectAccount } from '../../src/modules/payments/use-cases/connect-account.ts';
import { reconcileCharges } from '../../src/modules/payments/use-cases/reconcile-charges.ts';
import { purgeExpired } from '../../src/modules/privacy/use-cases/purge-expired.ts';
import { createAesGcmCipher } from '../../src/platform/adapters/credential-cipher/aes-gcm/aes-gcm-cipher.ts';
import type { TestClient } from '../../testing/campaigns-app.ts';
import type { FakeAccount } from '../../testing/fake-mercadopago.ts';
import { opened } from '../../testing/opened.ts';
import { until } from '../../testing/poll.ts';
import { type ChargedDebtor, openPage, startRealApp, tell } from './real-provider.ts';
import { newDebt, paymentEvents, readDebt, readPayment, untilStatus } from './support.ts';

const MINUTE = 60_000;
const KEY = 'encryption_key-of-the-tests';

let nextAccount = 1;

const real = await opened(startRealApp({ single: false }));

const newAccount = (): FakeAccount => real.provider.addAccount({ id: 1_000 + nextAccount++ });

async function connect(client: TestClient, { accessToken, webhookSecret }: FakeAccount) {
  const { db } = real.worker;
  const credentials = createClientCredentials(db, createAesGcmCipher([KEY]));
  const provider = createMercadoPagoProvider({ baseUrl: real.provider.baseUrl });
  const deps = real.worker.deps();
  const providers = { ...deps.providers, mercadopago: provider };
  return connectAccount({ ...deps, db, credentials, providers })({
    clientId: client.id,
    account: { provider: 'mercadopago', accessToken, webhookSecret },
    source: null,
  });
}

/** A client whose account A has an open charge, and whose account B was connected after it. */
async function withTwoAccounts() {
  const client = await real.app.newClient();
  const [a, b] = [newAccount(), newAccount()];
  await connect(client, a);
  const debtor = await openPage(real.app, await newDebt(real.app, {}, client));
  await connect(client, b);
  return { client, a, b, debtor };
}

const collectorOf = ({ providerId }: ChargedDebtor) => real.provider.payment(providerId).collector_id;
const keptAccounts = async (client: TestClient): Promise<string[]> =>
  (
    await real.app.query<{ account_id: string }>(
      'select account_id from client_credentials where client_id = $1 order by account_id',
      [client.id],
    )
  ).map((row) => row.account_id);
const purge = () => purgeExpired({ db: real.worker.db })();
const agoReplaced = (client: TestClient, days: number) =>
  real.app.query(
    `update client_credentials set replaced_at = now() - make_interval(days => $2)
     where client_id = $1 and replaced_at is not null`,
    [client.id, days],
  );

describe('connecting another account', () => {
  it('settles a payment of the earlier account, whose own secret signs the notification', async () => {
    const { debtor, a } = await withTwoAccounts();
    expect(collectorOf(debtor)).toBe(a.id);
    real.provider.pay(debtor.providerId);
    expect(await tell(real, debtor)).toBe(200);
    await untilStatus(debtor, 'APPROVED');
    expect((await readDebt(debtor)).status).toBe('PAID');
  });

  it('gives debtors codes of the new account, and cancels those of both when one is paid', async () => {
    const { debtor, b } = await withTwoAccounts();
    const again = await openPage(real.app, debtor);
    expect(again.paymentId).not.toBe(debtor.paymentId);
    expect(collectorOf(again)).toBe(b.id);
    expect(real.provider.payment(debtor.providerId).status).toBe('pending');

    real.provider.pay(again.providerId);
    expect(await tell(real, again)).toBe(200);
    await untilStatus(again, 'APPROVED');
    await until('the earlier code is cancelled', () => real.provider.payment(debtor.providerId).status === 'cancelled');
  });

  it('finds a payment of the earlier account by the reconciliation', async () => {
    const { debtor } = await withTwoAccounts();
    real.provider.pay(debtor.providerId);
    await reconcileCharges(real.worker.deps(3 * MINUTE))();
    expect((await readPayment(debtor)).status).toBe('APPROVED');
  });

  it('cancels a withdrawn debt’s code at the account that made it', async () => {
    const { client, debtor } = await withTwoAccounts();
    expect((await client.call('POST', `/api/debts/${debtor.id}/withdraw`)).status).toBe(200);
    await reconcileCharges(real.worker.deps(3 * MINUTE))();
    expect(real.provider.payment(debtor.providerId).status).toBe('cancelled');
  });

  it('makes a charge at the new account at once when the earlier one could not make it', async () => {
    const client = await real.app.newClient();
    const [a, b] = [newAccount(), newAccount()];
    await connect(client, a);
    a.accessToken = 'revoked';
    const debtor = await newDebt(real.app, {}, client);
    expect((await real.app.get<string>(`/checkout/${debtor.id}`)).body).toContain('Não foi possível gerar o código');
    await connect(client, b);
    expect(collectorOf(await openPage(real.app, debtor))).toBe(b.id);
  });

  it('tells the operator how many charges of the earlier account are open', async () => {
    const { client, a, b } = await withTwoAccounts();
    const c = newAccount();
    expect(await connect(client, c)).toMatchObject({
      accountId: String(c.id),
      replaced: { accountId: String(b.id), openCharges: 0 },
    });
    expect(await connect(client, a)).toMatchObject({
      accountId: String(a.id),
      replaced: { accountId: String(c.id), openCharges: 0 },
    });
    expect((await connect(client, b)).replaced).toEqual({ accountId: String(a.id), openCharges: 1 });
    expect(await keptAccounts(client)).toEqual([a, b, c].map(({ id }) => String(id)));
  });

  it('connects one of several accounts that are connected at the same moment', async () => {
    const client = await real.app.newClient();
    const accounts = Array.from({ length: 5 }, newAccount);
    await Promise.all(accounts.map((account) => connect(client, account)));
    const rows = await real.app.query<{ replaced: boolean }>(
      'select replaced_at is not null as replaced from client_credentials where client_id = $1 order by 1',
      [client.id],
    );
    expect(rows.map(({ replaced }) => replaced)).toEqual([false, true, true, true, true]);
  });
});

describe('connecting the same account again', () => {
  it('replaces its token, also for the charges that it made', async () => {
    const client = await real.app.newClient();
    const a = newAccount();
    await connect(client, a);
    const debtor = await openPage(real.app, await newDebt(real.app, {}, client));
    a.accessToken = 'TEST-rotated';
    expect(await connect(client, a)).toMatchObject({ accountId: String(a.id), replaced: null });
    real.provider.pay(debtor.providerId);
    expect(await tell(real, debtor)).toBe(200);
    await untilStatus(debtor, 'APPROVED');
    expect(await keptAccounts(client)).toEqual([String(a.id)]);
  });
});

describe('an account that was replaced', () => {
  it('is deleted by the purge when its charges have ended', async () => {
    const { client, a, b, debtor } = await withTwoAccounts();
    await agoReplaced(client, 2);
    await purge();
    expect(await keptAccounts(client)).toEqual([a, b].map(({ id }) => String(id)));

    real.provider.change(debtor.providerId, { status: 'cancelled', status_detail: 'expired' });
    await reconcileCharges(real.worker.deps(3 * MINUTE))();
    await purge();
    expect(await keptAccounts(client)).toEqual([String(b.id)]);
  });

  it('is kept while a payment that it received may be refunded', async () => {
    const { client, a, b, debtor } = await withTwoAccounts();
    real.provider.pay(debtor.providerId);
    await reconcileCharges(real.worker.deps(3 * MINUTE))();
    await agoReplaced(client, 200);
    await purge();
    expect(await keptAccounts(client)).toEqual([a, b].map(({ id }) => String(id)));

    real.provider.refund(debtor.providerId);
    expect(await tell(real, debtor)).toBe(200);
    await until('the refund is on the timeline', async () =>
      (await paymentEvents(debtor)).some((event) => event['change'] === 'refunded'),
    );
    await real.app.query(`update charges set paid_at = now() - interval '181 days' where id = $1`, [debtor.paymentId]);
    await purge();
    expect(await keptAccounts(client)).toEqual([String(b.id)]);
  });

  it('is kept while a request to it may still make a charge', async () => {
    const { client, a, b, debtor } = await withTwoAccounts();
    await agoReplaced(client, 2);
    await real.app.query(
      `update charges set provider_payment_id = null, provider_payment_key = null, ask_at = null where id = $1`,
      [debtor.paymentId],
    );
    await purge();
    expect(await keptAccounts(client)).toEqual([a, b].map(({ id }) => String(id)));
  });

  it('is not deleted on the day of its replacement', async () => {
    const client = await real.app.newClient();
    const [a, b] = [newAccount(), newAccount()];
    await connect(client, a);
    await connect(client, b);
    await purge();
    expect(await keptAccounts(client)).toEqual([a, b].map(({ id }) => String(id)));
  });

  it('does not keep the notifications of the connected account from being read when it is damaged', async () => {
    const { client, debtor, b } = await withTwoAccounts();
    const again = await openPage(real.app, debtor);
    expect(collectorOf(again)).toBe(b.id);
    await real.app.query(
      `update client_credentials set sealed = 'damaged' where client_id = $1 and replaced_at is not null`,
      [client.id],
    );
    expect(await tell(real, again)).toBe(200);
    expect(await tell(real, debtor)).toBe(401);
  });
});

describe('a credential under an older key', () => {
  it('is read by the API, which may not write it', async () => {
    const client = await real.app.newClient();
    const a = newAccount();
    await connect(client, a);
    const debtor = await openPage(real.app, await newDebt(real.app, {}, client));
    const rotated = await startRealApp({
      roles: ['api'],
      single: false,
      database: real.app.database,
      env: { ENCRYPTION_KEY: `a-new-encryption-key,${KEY}` },
    });
    try {
      const { url, ...sent } = real.provider.notification(debtor.providerId, { baseUrl: rotated.app.url });
      expect((await fetch(url, { method: 'POST', ...sent })).status).toBe(200);
    } finally {
      await rotated.close();
    }
  });
});
