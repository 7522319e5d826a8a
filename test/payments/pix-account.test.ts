import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from '@jest/globals';
import { addDays, localDate } from '../../src/kernel/calendar.ts';
import { purgeExpired } from '../../src/modules/privacy/use-cases/purge-expired.ts';
import { newAgreement } from '../../testing/agreements-harness.ts';
import type { TestClient } from '../../testing/campaigns-app.ts';
import { FakeBank } from '../../testing/fake-bank/fake-bank.ts';
import type { FakePix } from '../../testing/fake-bank/ledger.ts';
import { opened } from '../../testing/opened.ts';
import { until } from '../../testing/poll.ts';
import { readDue } from './bank-money.ts';
import { openPage, startRealApp } from './real-provider.ts';
import { newDebt, readPayment, untilStatus } from './support.ts';

const bank = await new FakeBank('inter', { wantsScope: false }).start();
afterAll(() => bank.stop());
const real = await opened(
  startRealApp({ single: false, env: { PAYMENT_PROVIDER: 'mercadopago,pix', PIX_MTLS_PROXIES: '127.0.0.1' } }),
);
const { app } = real;

const account = () => {
  const { clientId, clientSecret, key, certificate } = bank.credentials();
  const { baseUrl, tokenUrl, caPem } = bank.addresses;
  return {
    provider: 'pix',
    profile: 'custom',
    clientId,
    clientSecret,
    key,
    certificate: certificate!.certificatePem,
    privateKey: certificate!.privateKeyPem,
    baseUrl,
    tokenUrl,
    ca: caPem,
  };
};

async function read(client: TestClient): Promise<void> {
  await app.query('update client_credentials set list_at = quita_now() where client_id = $1', [client.id]);
  await readDue(real, client);
}

async function connected(): Promise<TestClient> {
  const client = await app.newClient();
  expect((await client.call('POST', '/api/payment-accounts', account())).status).toBe(201);
  await readDue(real, client);
  return client;
}

it('is connected at a bank, which is told where notifications go', async () => {
  const client = await app.newClient();
  const { status, body } = await client.call('POST', '/api/payment-accounts', account());
  expect([status, body]).toMatchObject([
    201,
    { provider: 'pix', profile: 'custom', account: bank.key, state: 'ready' },
  ]);
  expect(Date.parse(body.certificateExpiresAt)).toBeGreaterThan(Date.now());
  expect(bank.webhookUrl).toMatch(new RegExp(`/api/payments/pix/${body.id}/[\\w-]{43}$`));
  expect(JSON.stringify(body)).not.toContain(account().clientSecret);
});

it('is refused at the field that is wrong', async () => {
  const client = await app.newClient();
  const refusal = async (change: object) => {
    const { status, body } = await client.call('POST', '/api/payment-accounts', { ...account(), ...change });
    return [status, body.errors?.[0]?.pointer, body.errors?.[0]?.code];
  };
  expect(await refusal({ clientSecret: 'errado' })).toEqual([400, '/clientSecret', 'credentials_refused']);
  expect(await refusal({ key: 'outra@credora.com.br' })).toEqual([400, '/key', 'key_unknown']);
  expect(await refusal({ certificate: 'nada' })).toEqual([400, '/certificate', 'certificate_invalid']);
  expect((await client.call('GET', '/api/payment-accounts')).body.items).toEqual([]);
});

it('receives the money of a debt: code, notification and settlement', async () => {
  const client = await connected();
  const debtor = await openPage(app, await newDebt(app, {}, client));
  expect((await readPayment(debtor)).brCode).toMatch(/^000201/);
  const pix = bank.pay(debtor.providerId);
  const url = app.url + new URL(bank.webhookUrl!).pathname;
  // The proxy in front has to have seen the certificate of a bank.
  expect(await bank.notify([pix], { url, certificate: 'NONE' })).toBe(401);
  expect(await bank.notify([pix], { url })).toBe(200);
  await untilStatus(debtor, 'APPROVED');
});

it('finds a payment of which nobody told', async () => {
  const client = await connected();
  const debtor = await openPage(app, await newDebt(app, {}, client));
  bank.pay(debtor.providerId);
  await read(client);
  await untilStatus(debtor, 'APPROVED');
});

describe('a code of an earlier account whose credentials are not kept', () => {
  const orphansOf = async (client: TestClient): Promise<string[]> =>
    (await client.call('GET', '/api/payments/orphans')).body.items.map(
      ({ endToEndId }: { readonly endToEndId: string }) => endToEndId,
    );
  const listedUntil = async ({ id }: TestClient): Promise<number> => {
    const [row] = await app.query<{ at: Date }>(
      'select listed_until as at from client_credentials where client_id = $1',
      [id],
    );
    return row!.at.getTime();
  };
  const reason = async (client: TestClient) => (await client.call('GET', '/api/payment-accounts')).body.items[0].reason;
  const madeEarlier = (debtor: { readonly paymentId: string }) =>
    app.query(`update charges set account_id = 'antiga@credora.com.br' where id = $1`, [debtor.paymentId]);

  it.each([
    ['which is open', "quita_now() + interval '1 hour'"],
    ['which nobody asks about any more', 'null'],
  ])('is left out when it is paid, %s, and what came after it is found', async (_, askAt) => {
    const client = await connected();
    const debtor = await openPage(app, await newDebt(app, {}, client));
    await madeEarlier(debtor);
    await app.query(`update charges set ask_at = ${askAt} where id = $1`, [debtor.paymentId]);
    bank.pay(debtor.providerId);
    const after = await openPage(app, await newDebt(app, {}, client));
    bank.pay(after.providerId);
    const orphan = bank.payByKey(4_321);
    const before = await listedUntil(client);
    await read(client);
    expect(await orphansOf(client)).toContain(orphan.endToEndId);
    expect(await reason(client)).toBeNull();
    expect(await listedUntil(client)).toBeGreaterThan(before);
    await untilStatus(after, 'APPROVED');
  });

  it('is left out when its payment is returned', async () => {
    const client = await connected();
    const debtor = await openPage(app, await newDebt(app, {}, client));
    bank.pay(debtor.providerId);
    await read(client);
    await untilStatus(debtor, 'APPROVED');
    await madeEarlier(debtor);
    const [pix] = bank.charge(debtor.providerId).pix;
    pix!.horario = new Date(Date.now() - 3 * 86_400_000).toISOString();
    bank.giveBack(debtor.providerId, 100);
    // The returns of the last months are read once a day.
    await app.query(
      `update client_credentials set listed_until = listed_until - interval '1 day' where client_id = $1`,
      [client.id],
    );
    const before = await listedUntil(client);
    await read(client);
    expect(await reason(client)).toBeNull();
    expect(await listedUntil(client)).toBeGreaterThan(before);
  });
});

describe('the code of an instalment', () => {
  const dueDate = addDays(localDate(Date.now(), -3), 20);
  const instalmentOf = async (client: TestClient) => {
    const { debtIds } = await newAgreement(app.query, client.id, {
      debts: [{ owed: 30_000, discount: 0 }],
      instalments: [{ dueDate, amount: 30_000 }],
      agreedOn: localDate(Date.now(), -3),
    });
    const { providerId } = await openPage(app, { client, campaignId: '', id: debtIds[0]! });
    return { id: debtIds[0]!, charge: bank.charge(providerId) };
  };

  it('has the due date of the instalment, and pays it before that day', async () => {
    const client = await connected();
    const { id, charge } = await instalmentOf(client);
    expect([charge.kind, charge.valor.original]).toEqual(['cobv', '300.00']);
    expect(charge.calendario).toMatchObject({ dataDeVencimento: dueDate, validadeAposVencimento: 30 });
    // Another view shows the same code, days later too.
    await openPage(app, { client, campaignId: '', id });
    expect([...bank.ledger.charges.values()].filter(({ txid }) => txid === charge.txid)).toHaveLength(1);
    const { pathname } = new URL(bank.webhookUrl!);
    expect(await bank.notify([bank.pay(charge.txid)], { url: app.url + pathname })).toBe(200);
    await until('the agreement is completed', async () => {
      const { items } = (await client.call('GET', `/api/agreements?debtId=${id}`)).body;
      return items[0].status === 'COMPLETED' ? true : null;
    });
  });

  it('is an ordinary code where the account may make none with a due date', async () => {
    const client = await connected();
    bank.failWhere(({ path }) => path.includes('/cobv/'), { kind: 'answer', status: 403 });
    const { charge } = await instalmentOf(client);
    bank.clearFaults();
    expect(charge.kind).toBe('cob');
    const end = Date.parse(charge.calendario.criacao) + Number(charge.calendario['expiracao']) * 1_000;
    expect(localDate(end, -3)).toBe(addDays(dueDate, 30));
  });
});

describe('a payment without a charge', () => {
  const orphansOf = async (client: TestClient) => (await client.call('GET', '/api/payments/orphans')).body.items;
  it('is shown once however often the bank tells of it, and settles the debt that a person names', async () => {
    const client = await connected();
    const debtor = await newDebt(app, {}, client);
    const { amount } = await readPayment(debtor);
    const pix = bank.payByKey(Math.round(amount * 100));
    const { pathname } = new URL(bank.webhookUrl!);
    for (let times = 0; times < 2; times += 1) {
      expect(await bank.notify([pix], { url: app.url + pathname })).toBe(200);
      await readDue(real, client);
    }
    const orphans = (await orphansOf(client)).filter(
      (one: { endToEndId: string }) => one.endToEndId === pix.endToEndId,
    );
    expect(orphans).toEqual([
      { id: expect.any(String), amount, paidAt: expect.any(String), endToEndId: pix.endToEndId },
    ]);
    const assign = (by: TestClient, debtId: string) =>
      by.call('POST', `/api/payments/orphans/${orphans[0].id}/assign`, { debtId });
    const stranger = await app.newClient();
    expect((await assign(stranger, debtor.id)).status).toBe(404);
    expect((await assign(client, (await newDebt(app, {}, stranger)).id)).status).toBe(404);
    expect((await assign(client, debtor.id)).status).toBe(200);
    await untilStatus(debtor, 'APPROVED');
    // A repetition records nothing again, and another debt gets nothing.
    expect((await assign(client, debtor.id)).status).toBe(200);
    expect((await assign(client, (await newDebt(app, {}, client)).id)).body.code).toBe('debt_state');
    await read(client);
    expect((await orphansOf(client)).map(({ endToEndId }: { endToEndId: string }) => endToEndId)).not.toContain(
      pix.endToEndId,
    );
  });

  describe('of which something has gone back', () => {
    const orphanOf = async (client: TestClient, { endToEndId }: FakePix) =>
      (await orphansOf(client)).find((one: { endToEndId: string }) => one.endToEndId === endToEndId);
    /** The returns of the last months are read once a day. */
    async function readReturns(client: TestClient): Promise<void> {
      await app.query(
        `update client_credentials set listed_until = listed_until - interval '1 day' where client_id = $1`,
        [client.id],
      );
      await read(client);
    }
    const receiptOf = (client: TestClient, debtId: string) =>
      until(
        'the receipt',
        async () => (await client.call('GET', `/api/receipts?debtId=${debtId}`)).body.items[0] ?? null,
      );
    /** A debt that a Pix of R$ 100.00 without a charge has paid, by the word of a person. */
    async function assigned(client: TestClient, pix: FakePix): Promise<string> {
      const { id: debtId } = await newDebt(app, { originalAmount: 100 }, client);
      await read(client);
      const { id } = await orphanOf(client, pix);
      expect((await client.call('POST', `/api/payments/orphans/${id}/assign`, { debtId })).status).toBe(200);
      return debtId;
    }
    const paymentOf = async (client: TestClient, debtId: string) =>
      (await client.call('GET', `/api/debts/${debtId}/payments`)).body.items[0];
    const returnsInInbox = async (client: TestClient, debtId: string) =>
      (await client.call('GET', '/api/inbox?reason=refunded')).body.items.filter(
        ({ debt }: { readonly debt: { readonly id: string } }) => debt.id === debtId,
      );

    it('is shown with what is left, and not at all when nothing is', async () => {
      const client = await connected();
      const [whole, part] = [bank.payByKey(4_321), bank.payByKey(5_000)];
      bank.ledger.giveBack(whole, 4_321);
      bank.ledger.giveBack(part, 2_000);
      await read(client);
      expect(await orphanOf(client, whole)).toBeUndefined();
      expect(await orphanOf(client, part)).toMatchObject({ amount: 30 });
      bank.ledger.giveBack(part, 1_000);
      await readReturns(client);
      expect(await orphanOf(client, part)).toMatchObject({ amount: 20 });
      bank.ledger.giveBack(part, 2_000);
      await readReturns(client);
      expect(await orphanOf(client, part)).toBeUndefined();
    });

    it('lowers what its debt has, and revokes the receipt when nothing is left', async () => {
      const client = await connected();
      const pix = bank.payByKey(10_000);
      const debtId = await assigned(client, pix);
      expect((await receiptOf(client, debtId)).revokedAt).toBeNull();
      bank.ledger.giveBack(pix, 4_000, { natureza: 'MED_FRAUDE' });
      for (let times = 0; times < 2; times += 1) await readReturns(client);
      expect(await paymentOf(client, debtId)).toMatchObject({
        paid: 100,
        refunded: 40,
        refunds: [{ kind: 'med_fraude', state: 'done', amount: 40 }],
      });
      expect(await returnsInInbox(client, debtId)).toMatchObject([{ dueAt: expect.any(String) }]);
      expect((await receiptOf(client, debtId)).revokedAt).toBeNull();
      bank.ledger.giveBack(pix, 6_000, { natureza: 'MED_FRAUDE' });
      await readReturns(client);
      expect(await paymentOf(client, debtId)).toMatchObject({ paid: 100, refunded: 100 });
      expect((await receiptOf(client, debtId)).revokedAt).not.toBeNull();
      // Nobody collects the debt again by itself.
      expect((await client.call('GET', `/api/debts/${debtId}`)).body.status).toBe('PAID');
    });

    it('counts only what goes back after a part was recorded', async () => {
      const client = await connected();
      const pix = bank.payByKey(13_000);
      bank.ledger.giveBack(pix, 3_000);
      const debtId = await assigned(client, pix);
      bank.ledger.giveBack(pix, 10_000, { natureza: 'MED_OPERACIONAL' });
      await readReturns(client);
      const { refunded, refunds } = await paymentOf(client, debtId);
      expect([refunded, refunds]).toMatchObject([100, [{ kind: 'med_operacional', amount: 100 }]]);
    });

    it('is followed as long as payments may go back after the account was replaced', async () => {
      const client = await connected();
      const pix = bank.payByKey(10_000);
      const debtId = await assigned(client, pix);
      const replacedFor = async (days: number) => {
        await app.query(
          'update client_credentials set replaced_at = now() - make_interval(days => $2) where client_id = $1',
          [client.id, days],
        );
        await purgeExpired({ db: real.worker.db })();
      };
      await replacedFor(179);
      bank.ledger.giveBack(pix, 10_000, { natureza: 'MED_FRAUDE' });
      await readReturns(client);
      expect(await paymentOf(client, debtId)).toMatchObject({ paid: 100, refunded: 100 });
      await replacedFor(181);
      expect(await app.query('select from client_credentials where client_id = $1', [client.id])).toEqual([]);
    });
  });

  it('that pays no debt is dismissed', async () => {
    const client = await connected();
    const pix = bank.payByKey(777);
    await read(client);
    const found = (await orphansOf(client)).find((one: { endToEndId: string }) => one.endToEndId === pix.endToEndId);
    expect((await client.call('POST', `/api/payments/orphans/${found.id}/dismiss`)).status).toBe(204);
    await read(client);
    expect(await orphansOf(client)).not.toContainEqual(expect.objectContaining({ id: found.id }));
  });
});

it('says when the bank tells another address of payments, and takes its own back when its secret changed', async () => {
  const client = await connected();
  const stateOf = async () => (await client.call('GET', '/api/payment-accounts')).body.items[0];
  bank.webhookUrl = 'https://outro.sistema.example/pix';
  await read(client);
  expect(await stateOf()).toMatchObject({ state: 'failing', reason: 'notifications_elsewhere' });
  bank.webhookUrl = null;
  await read(client);
  expect(await stateOf()).toMatchObject({ state: 'ready', reason: null });
  expect(bank.webhookUrl).toContain((await stateOf()).id);
});

it('tells a bank that is down apart from one that refuses, and warns of an ending certificate', async () => {
  const client = await connected();
  const reason = async () => (await client.call('GET', '/api/payment-accounts')).body.items[0].reason;
  bank.failWhere(() => true, { kind: 'answer', status: 503 });
  await read(client);
  expect(await reason()).toBe('unavailable');
  bank.clearFaults();
  await app.query(
    `update client_credentials set certificate_expires_at = now() + interval '6 days' where client_id = $1`,
    [client.id],
  );
  for (let times = 0; times < 2; times += 1) {
    await read(client);
  }
  expect(await reason()).toBeNull();
  expect(
    await app.query(`select from outbox where payload::text like '%certificate_ending%' and payload::text like $1`, [
      `%${client.id}%`,
    ]),
  ).toHaveLength(1);
});

it('takes a thousand payments in one notification within a second', async () => {
  await connected();
  const pix = Array.from({ length: 1_000 }, (_, index) => ({
    endToEndId: `E${String(index).padStart(31, '0')}`,
    txid: randomUUID().replaceAll('-', ''),
    valor: '1.00',
  }));
  const { pathname } = new URL(bank.webhookUrl!);
  const began = performance.now();
  const headers = { 'x-ssl-client-verify': 'SUCCESS' };
  expect((await app.call('POST', pathname, { body: { pix }, headers })).status).toBe(200);
  expect(performance.now() - began).toBeLessThan(process.env['CI'] === undefined ? 1_000 : 5_000);
});
