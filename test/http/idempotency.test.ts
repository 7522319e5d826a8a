import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { AppError } from '../../src/kernel/errors.ts';
import { purgeExpired } from '../../src/modules/privacy/use-cases/purge-expired.ts';
import { createAesGcmCipher } from '../../src/platform/adapters/credential-cipher/aes-gcm/aes-gcm-cipher.ts';
import { type Database, openDatabase } from '../../src/platform/database/database.ts';
import { answerOnce, type GivenAnswer, type Work } from '../../src/platform/shared/answer-once.ts';
import { type Answer, startCampaignsApp, type TestClient } from '../../testing/campaigns-app.ts';
import { debtInput, debtInputs } from '../../testing/debts.ts';
import { opened } from '../../testing/opened.ts';
import { until } from '../../testing/poll.ts';
import { paidDebt } from '../../testing/receipts-harness.ts';

const app = await opened(startCampaignsApp());
const db = await opened(openDatabase({ url: app.database.url, role: 'quita_app' }));

/** Calls with a key. */
const keyed = (client: TestClient, key: string, path: string, body?: unknown): Promise<Answer> =>
  app.call('POST', path, { body, bearer: client.token, headers: { 'idempotency-key': key } });

const campaignsOf = async (client: TestClient): Promise<{ id: string }[]> =>
  (await client.call('GET', '/api/campaigns?limit=100')).body.items;

/** Leaves the key as a process does that has died after its work and before it kept the answer. */
const loseAnswer = (client: TestClient) =>
  app.query(
    `update idempotency_keys set answer = null, running_until = now() - interval '1 second' where client_id = $1`,
    [client.id],
  );

describe('a call with an Idempotency-Key', () => {
  it('does its work once and gets the first answer again, with the key in quotation marks or without', async () => {
    const client = await app.newClient();
    const key = randomUUID();
    const first = await keyed(client, key, '/api/campaigns', { name: 'Uma' });
    expect(first.status).toBe(201);
    const again = await keyed(client, `"${key}"`, '/api/campaigns', { name: 'Uma' });
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(await campaignsOf(client)).toHaveLength(1);
    await keyed(client, randomUUID(), '/api/campaigns', { name: 'Uma' });
    expect(await campaignsOf(client)).toHaveLength(2);
  });

  it('is refused with another body, and the key of another client or operation is another key', async () => {
    const [client, other] = [await app.newClient(), await app.newClient()];
    const key = 'fatura 42';
    const { body } = await keyed(client, key, '/api/campaigns', { name: 'Uma' });
    const reused = await keyed(client, key, '/api/campaigns', { name: 'Outra' });
    expect([reused.status, reused.body.code]).toEqual([422, 'idempotency_key_reused']);
    // What was sent counts, and not what the service made of it, because that may depend on the moment of the call.
    expect((await keyed(client, key, '/api/campaigns', { name: 'Uma', more: 1 })).status).toBe(422);
    expect((await keyed(other, key, '/api/campaigns', { name: 'Outra' })).status).toBe(201);
    const launched = await keyed(client, key, `/api/campaigns/${body.id}/launch?sandbox=true`);
    expect([launched.status, launched.body.code]).toEqual([409, 'campaign_empty']);
    const elsewhere = await keyed(client, key, `/api/campaigns/${randomUUID()}/launch?sandbox=true`);
    expect(elsewhere.body.code).toBe('idempotency_key_reused');
    expect(await campaignsOf(client)).toHaveLength(1);
  });

  it('does its work once when it is sent many times at once', async () => {
    const client = await app.newClient();
    const key = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => keyed(client, key, '/api/campaigns', { name: 'Uma' })),
    );
    const made = answers.filter(({ status }) => status === 201);
    expect(made.length).toBeGreaterThan(0);
    expect(new Set(made.map(({ body }) => body.id)).size).toBe(1);
    for (const { status, body } of answers)
      expect([201, 'idempotency_running']).toContain(status === 201 ? 201 : body.code);
    expect(await campaignsOf(client)).toHaveLength(1);
  });

  it('gets a refusal again, also when it would not be refused now', async () => {
    const client = await app.newClient();
    const campaignId = await client.createCampaign();
    const path = `/api/campaigns/${campaignId}/launch?sandbox=true`;
    const key = randomUUID();
    expect((await keyed(client, key, path)).body.code).toBe('campaign_empty');
    await client.importJson(campaignId, [debtInput(1)]);
    expect((await keyed(client, key, path)).body).toMatchObject({ status: 409, code: 'campaign_empty' });
    expect((await keyed(client, randomUUID(), path)).status).toBe(200);
  });

  it('is not counted when the request is not valid, and a bad key is reported with the other problems', async () => {
    const client = await app.newClient();
    const key = randomUUID();
    expect((await keyed(client, key, '/api/campaigns', { name: '' })).status).toBe(400);
    expect((await keyed(client, key, '/api/campaigns', { name: 'Uma' })).status).toBe(201);
    for (const [bad, code] of [
      ['', 'too_short'],
      ['""', 'too_short'],
      ['x'.repeat(256), 'too_long'],
      ['a\tb', 'invalid_value'],
    ] as const) {
      const { status, body } = await keyed(client, bad, '/api/campaigns', {});
      expect([status, body.errors.map((one: { code: string }) => one.code)]).toEqual([400, [code, 'required']]);
      expect(body.errors[0].parameter).toBe('Idempotency-Key');
    }
  });

  it('records a payment once, whenever on its day it is repeated', async () => {
    const client = await app.newClient();
    const campaignId = await client.createCampaign();
    await client.importJson(campaignId, [debtInput(1, { originalAmount: 100 })]);
    const [debt] = (await client.call('GET', `/api/campaigns/${campaignId}/debts`)).body.items;
    const today = new Date(Date.now() - 3 * 3_600_000).toISOString().slice(0, 10);
    const payment = { amount: 100, paidAt: today, method: 'cash' };
    const path = `/api/debts/${debt.id}/settle`;
    const key = randomUUID();
    const first = await keyed(client, key, path, payment);
    expect((await keyed(client, key, path, payment)).body).toEqual(first.body);
    // What was sent is compared byte by byte, so that a repetition sends the same bytes.
    expect((await keyed(client, key, path, { method: 'cash', paidAt: today, amount: 100 })).status).toBe(422);
    await loseAnswer(client);
    expect((await keyed(client, key, path, payment)).status).toBe(200);
    const payments = async () =>
      (await client.call('GET', `/api/debts/${debt.id}`)).body.timeline.filter(({ kind }: { kind: string }) =>
        kind.startsWith('payment_'),
      );
    expect(await payments()).toHaveLength(1);
    expect((await client.call('POST', path, payment)).status).toBe(200);
    expect(await payments()).toHaveLength(2);
  });

  it('imports once, by JSON and by spreadsheet', async () => {
    const client = await app.newClient();
    const campaignId = await client.createCampaign();
    const body = { clientId: client.id, debts: [...debtInputs(3), { ...debtInput(9), debtorCpf: '1' }] };
    const key = randomUUID();
    const first = await keyed(client, key, `/api/import/json/${campaignId}`, body);
    expect(first.body).toMatchObject({ imported: 3, skipped: 1 });
    expect((await keyed(client, key, `/api/import/json/${campaignId}`, body)).body).toEqual(first.body);
    const upload = async (csv: string) => {
      const form = new FormData();
      form.set('file', new Blob([csv], { type: 'text/csv' }), 'debts.csv');
      const response = await fetch(`${app.url}/api/import/csv/${campaignId}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${client.token}`, 'idempotency-key': key },
        body: form,
      });
      return { status: response.status, body: await response.json() };
    };
    const csv = 'nome;telefone;cpf;valor;vencimento\nAna Souza;11987654321;52998224725;10,00;05/10/2026\n';
    const uploaded = await upload(csv);
    expect(uploaded).toMatchObject({ status: 200, body: { imported: 1, skipped: 0 } });
    // The boundary of the form is another one each time.
    expect(await upload(csv)).toEqual(uploaded);
    expect((await upload(`${csv}x`)).status).toBe(422);
  });

  it('sends a receipt once', async () => {
    const client = await app.newClient();
    const { debtId } = await paidDebt(app.query, client.id);
    const key = randomUUID();
    const path = `/api/receipts/${debtId}?send=true`;
    const first = await keyed(client, key, path);
    expect([first.status, first.body.sent]).toEqual([201, true]);
    expect(await keyed(client, key, path)).toMatchObject({ status: 201, body: first.body });
    await loseAnswer(client);
    expect(await keyed(client, key, path)).toMatchObject({ status: 200, body: { sent: true } });
    expect(await app.query('select from receipt_deliveries where debt_id = $1', [debtId])).toHaveLength(1);
  });

  it('is known for 24 hours, and then purged', async () => {
    const client = await app.newClient();
    const key = randomUUID();
    const first = await keyed(client, key, '/api/campaigns', { name: 'Uma' });
    const age = (hours: number) =>
      app.query(`update idempotency_keys set created_at = now() - make_interval(hours => $2) where client_id = $1`, [
        client.id,
        hours,
      ]);
    await age(23);
    expect((await keyed(client, key, '/api/campaigns', { name: 'Uma' })).body.id).toBe(first.body.id);
    await age(25);
    const later = await keyed(client, key, '/api/campaigns', { name: 'Outra' });
    expect([later.status, later.body.name]).toEqual([201, 'Outra']);
    expect(await campaignsOf(client)).toHaveLength(2);

    const worker = await openDatabase({ url: app.database.url, role: 'quita_worker' });
    const rows = () => app.query('select from idempotency_keys where client_id = $1', [client.id]);
    try {
      await purgeExpired({ db: worker })();
      expect(await rows()).toHaveLength(1);
      await age(25);
      await purgeExpired({ db: worker })();
      expect(await rows()).toEqual([]);
    } finally {
      await worker.close();
    }
  });

  it('is documented on every operation that creates or sends, except the one that makes an API key', async () => {
    const { body } = await app.get<{
      paths: Record<string, Record<string, { operationId: string; parameters?: { $ref?: string }[] }>>;
    }>('/openapi.json');
    const keyedOperations = Object.values(body.paths)
      .flatMap((path) => Object.values(path))
      .filter(({ parameters = [] }) => parameters.some(({ $ref }) => $ref?.endsWith('/IdempotencyKey')))
      .map(({ operationId }) => operationId);
    expect(keyedOperations.sort()).toEqual([
      'addNote',
      'answerRightsRequest',
      'askForConfirmation',
      'askForEmailChange',
      'askForVerification',
      'assignOrphanPayment',
      'changeDebts',
      'connectChannel',
      'connectPaymentAccount',
      'createCampaign',
      'createExample',
      'createSavedAnswer',
      'createWebhook',
      'dismissOrphanPayment',
      'importCsv',
      'importFile',
      'importJson',
      'inviteMember',
      'issueAnnualQuittance',
      'launchCampaign',
      'makeOffer',
      'moveSandboxClock',
      'payInSandbox',
      'pushChannelTemplates',
      'recordAcceptance',
      'recordNegativation',
      'recordNegativationRemoved',
      'redeliverEvent',
      'refundPayment',
      'regenerateReceipts',
      'requestReceipt',
      'sendInvitationAgain',
      'sendSandboxMessage',
      'sendSettlementFile',
      'settleDebt',
      'testChannel',
      'testWebhook',
      'undoSettlement',
      'writeToDebtor',
    ]);
  });
});

describe('a key whose process has died', () => {
  it('is running until the attempt no longer holds it; then the work is done again and creates nothing twice', async () => {
    const client = await app.newClient();
    const key = randomUUID();
    const first = await keyed(client, key, '/api/campaigns', { name: 'Uma' });
    await app.query(
      `update idempotency_keys set answer = null, running_until = now() + interval '1 minute' where client_id = $1`,
      [client.id],
    );
    const meanwhile = await keyed(client, key, '/api/campaigns', { name: 'Uma' });
    expect([meanwhile.status, meanwhile.body.code]).toEqual([409, 'idempotency_running']);
    await loseAnswer(client);
    expect((await keyed(client, key, '/api/campaigns', { name: 'Outra' })).body.code).toBe('idempotency_key_reused');
    expect(await keyed(client, key, '/api/campaigns', { name: 'Uma' })).toMatchObject({
      status: 201,
      body: first.body,
    });
    expect(await campaignsOf(client)).toHaveLength(1);
  });
});

describe('answerOnce', () => {
  const cipher = createAesGcmCipher(['a secret of the tests']);
  const answer = (text: string): GivenAnswer => ({ status: 200, headers: {}, body: JSON.stringify(text) });
  const notKept: unknown[] = [];
  const caller = (heldSeconds = 60) => {
    const call = { clientId: randomUUID(), route: 'test', key: 'k', requestHash: 'h' };
    const run = answerOnce({ db, cipher, heldSeconds });
    return { call, run: (work: Work) => run(call, work, (error) => notKept.push(error)) };
  };

  it.each([
    ['an error of the service', () => new Error('bug')],
    ['503', () => new AppError('unavailable')],
    ['429', () => new AppError('rate_limited')],
  ])('keeps no answer after %s, and the next attempt has the same id', async (_, error) => {
    const { run } = caller();
    const ids: string[] = [];
    const failing: Work = async (workId) => {
      ids.push(workId);
      throw error();
    };
    await expect(run(failing)).rejects.toThrow();
    await expect(run(failing)).rejects.toThrow();
    const given = await run(async (workId) => {
      ids.push(workId);
      return answer('now');
    });
    expect(given.body).toBe('"now"');
    expect(new Set(ids).size).toBe(1);
    expect((await run(failing)).body).toBe('"now"');
  });

  it.each([
    [
      'contact_blocked',
      {
        verdict: {
          allowed: false,
          rules: ['window'],
          ruleIds: ['br.window'],
          pack: { id: 'br', version: '1' },
          notBefore: '2026-11-30T12:00:00.000Z',
        },
      },
    ],
    ['channel_not_ready', { missing: [{ channel: 'whatsapp', template: 'cobranca', reason: 'pending' }] }],
    ['offer_outside_policy', { detail: 'Why', errors: [{ pointer: '/instalments', code: 'x', message: 'y' }] }],
  ] as const)('gives a refusal %s again with everything that it says', async (code, options) => {
    const { run } = caller();
    const refuse: Work = async () => {
      throw new AppError(code, options);
    };
    for (let call = 0; call < 2; call += 1) await expect(run(refuse)).rejects.toMatchObject({ code, ...options });
    await expect(run(async () => answer('now'))).rejects.toMatchObject({ code, ...options });
  });

  it('holds the key as long as the work lasts', async () => {
    // The lease is renewed several times while the work lasts. A shorter one would end on a busy machine.
    const { run } = caller(3);
    const done = Promise.withResolvers<GivenAnswer>();
    const first = run(() => done.promise);
    const until2 = Date.now() + 4_500;
    let refused = 0;
    while (Date.now() < until2) {
      await sleep(20);
      await expect(run(async () => answer('second'))).rejects.toMatchObject({ code: 'idempotency_running' });
      refused += 1;
    }
    expect(refused).toBeGreaterThan(0);
    done.resolve(answer('first'));
    expect((await first).body).toBe('"first"');
    expect((await run(async () => answer('second'))).body).toBe('"first"');
  });

  it('keeps the answer of the attempt that took the key, not of one that had lost it', async () => {
    const { call, run } = caller();
    const slow = Promise.withResolvers<GivenAnswer>();
    const started = Promise.withResolvers<void>();
    const lost = run(() => {
      started.resolve();
      return slow.promise;
    });
    await started.promise;
    await app.query(`update idempotency_keys set running_until = now() - interval '1 second' where client_id = $1`, [
      call.clientId,
    ]);
    expect((await run(async () => answer('taken over'))).body).toBe('"taken over"');
    slow.resolve(answer('late'));
    expect((await lost).body).toBe('"late"');
    expect((await run(async () => answer('third'))).body).toBe('"taken over"');
    expect(notKept).toEqual([]);
  });

  it('gives the answer although it cannot be kept, and says so', async () => {
    const failures: unknown[] = [];
    const broken = {
      readPrepared: db.readPrepared,
      writePrepared: ((scope, query, params) =>
        query.name === 'idempotency_key_answer'
          ? Promise.reject(new Error('the database is gone'))
          : db.writePrepared(scope, query, params)) as Database['writePrepared'],
    };
    const call = { clientId: randomUUID(), route: 'test', key: 'k', requestHash: 'h' };
    const given = await answerOnce({ db: broken, cipher })(
      call,
      async () => answer('done'),
      (error) => failures.push(error),
    );
    expect(given.body).toBe('"done"');
    await until('the failure was reported', () => failures.length === 1);
  });
});
