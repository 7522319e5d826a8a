import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { composeCollection } from '../../src/app/compose/collection.ts';
import { composeEvents } from '../../src/app/compose/events.ts';
import type { AccountMailRequest } from '../../src/kernel/account-mail.ts';
import { EVENT_TYPES } from '../../src/kernel/event-types.ts';
import type { Mailer } from '../../src/kernel/ports/mailer.ts';
import { WEBHOOK_BODIES } from '../../src/modules/events/routes/schemas.ts';
import { deliverDue } from '../../src/modules/events/use-cases/deliver-due.ts';
import { sendAccountMail } from '../../src/modules/staff-mail/use-cases/send-account-mail.ts';
import { loadConfig } from '../../src/platform/config/index.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import { createLogger } from '../../src/platform/runtime/logger.ts';
import { SECRETS } from '../../testing/app.ts';
import { startCampaignsApp, type TestClient } from '../../testing/campaigns-app.ts';
import { debtInputs } from '../../testing/debts.ts';
import { opened } from '../../testing/opened.ts';
import { webhookWorkflowId } from '../../workflows/ids.ts';
import { type Receiver, startReceiver, verify } from './receiver.ts';
import { settled } from './settled.ts';

let receiver: Receiver;
let client: TestClient;
let deliver: (webhookId: string) => Promise<{ readonly waitMs: number | null }>;

const app = await opened(startCampaignsApp());
const worker = await opened(openDatabase({ url: app.database.url, role: 'quita_worker' }));
const config = loadConfig({ NODE_ENV: 'test', ...SECRETS }, { roles: ['worker'] });
const collection = composeCollection(config, worker, createLogger({ level: 'silent' }), () => null, {} as never);
const run = deliverDue(composeEvents(config, collection));
deliver = (webhookId) => run({ clientId: client.id, webhookId });
beforeEach(async () => {
  receiver = await startReceiver();
  client = await app.newClient();
});
afterEach(() => receiver.stop());

const create = async (body: object = {}) =>
  (await client.call('POST', '/api/webhooks', { url: `${receiver.url}/hook`, ...body })).body;
const read = async (id: string) => (await client.call('GET', `/api/webhooks/${id}`)).body;
const deliveries = async (id: string, query = '') =>
  (await client.call('GET', `/api/webhooks/${id}/deliveries${query}`)).body.items;
const importDebts = async (count: number, from = 1): Promise<string> => {
  const campaignId = await client.createCampaign();
  await client.importJson(campaignId, debtInputs(count, from));
  return campaignId;
};
const makeDue = (id: string) =>
  app.query(`update webhook_deliveries set next_attempt_at = now() where webhook_id = $1 and state = 'pending'`, [id]);

describe('a webhook', () => {
  it('shows its secret once, and is listed without it', async () => {
    const { secret, ...created } = await create({ types: ['debt.imported', 'payment.approved'] });
    expect(Buffer.from(secret.replace('whsec_', ''), 'base64')).toHaveLength(32);
    expect(created).toEqual({
      id: expect.any(String),
      url: `${receiver.url}/hook`,
      types: ['debt.imported', 'payment.approved'],
      state: 'active',
      disabledReason: null,
      disabledAt: null,
      failingSince: null,
      previousSecretUntil: null,
      createdAt: expect.any(String),
    });
    expect(await read(created.id)).toEqual(created);
    expect((await client.call('GET', '/api/webhooks')).body).toEqual({ items: [created], nextCursor: null });
    const [row] = await app.query<{ secret: string }>('select secret from webhooks where id = $1', [created.id]);
    expect(row!.secret).toMatch(/^v1\./);
    expect((await create()).types).toEqual(EVENT_TYPES);
    expect((await create({ types: [] })).types).toEqual(EVENT_TYPES);
    const page = (await client.call('GET', '/api/webhooks?limit=2')).body;
    const next = (await client.call('GET', `/api/webhooks?limit=2&cursor=${page.nextCursor}`)).body;
    expect([page.items.length, next.items.length, next.nextCursor]).toEqual([2, 1, null]);
  });

  it('is made, changed, tested and deleted with an API key too', async () => {
    const { id } = await create();
    const { apiKey } = (await client.call('POST', '/api/onboarding/me/api-key')).body;
    const byKey = async (method: string, path: string, body?: object) => {
      const answer = await app.call<{ code: string }>(method, path, { bearer: apiKey, body });
      return `${answer.status} ${answer.body.code ?? ''}`;
    };
    expect(await byKey('POST', '/api/webhooks', { url: receiver.url })).toBe('201 ');
    expect(await byKey('PATCH', `/api/webhooks/${id}`, { types: ['payment.approved'] })).toBe('200 ');
    expect(await byKey('GET', '/api/webhooks')).toBe('200 ');
    expect(await byKey('POST', `/api/webhooks/${id}/test`)).toBe('202 ');
    expect(await byKey('DELETE', `/api/webhooks/${id}`)).toBe('204 ');
  });

  it.each([
    ['http://example.com/hook', 'https'],
    ['ftp://example.com', 'https'],
    ['https://user:pass@example.com', 'credentials'],
    ['https://10.0.0.1/', 'private'],
    ['https://[::ffff:169.254.169.254]/', 'private'],
    ['https://2130706434.example@192.168.0.1/', 'credentials'],
    ['https://0xa000001/', 'private'],
    ['https://example.com:25/', 'port'],
    ['not an address', 'URL'],
  ])('is refused at %s', async (url, words) => {
    const { status, body } = await client.call('POST', '/api/webhooks', { url });
    expect([status, body.code]).toEqual([400, 'validation_failed']);
    expect(body.errors).toEqual([{ pointer: '/url', code: 'url_invalid', message: expect.stringContaining(words) }]);
    const { id } = await create();
    expect((await client.call('PATCH', `/api/webhooks/${id}`, { url })).body.errors[0].code).toBe('url_invalid');
  });

  it('is refused with an unknown type, and when there are ten', async () => {
    const unknown = await client.call('POST', '/api/webhooks', { url: receiver.url, types: ['debt.sold'] });
    expect([unknown.status, unknown.body.errors[0].pointer]).toEqual([400, '/types/0']);
    expect((await client.call('POST', '/api/webhooks', {})).body.errors[0]).toMatchObject({ pointer: '/url' });
    for (let n = 0; n < 10; n++) await create();
    const eleventh = await client.call('POST', '/api/webhooks', { url: receiver.url });
    expect([eleventh.status, eleventh.body.errors[0].code]).toEqual([400, 'too_many_webhooks']);
  });

  it('is made once for each Idempotency-Key, with the same secret, which is not stored in the open', async () => {
    const call = () =>
      app.call<{ id: string; secret: string }>('POST', '/api/webhooks', {
        bearer: client.token,
        body: { url: receiver.url },
        headers: { 'Idempotency-Key': 'once' },
      });
    const [first, second] = [await call(), await call()];
    expect(second.body).toEqual(first.body);
    expect((await client.call('GET', '/api/webhooks')).body.items).toHaveLength(1);
    const [kept] = await app.query<{ answer: Buffer }>('select answer from idempotency_keys where client_id = $1', [
      client.id,
    ]);
    expect(kept!.answer.toString()).toMatch(/^v1\.[0-9a-f]{12}\.[\w-]+$/);
  });

  it('of another client is not found', async () => {
    const { id } = await create();
    const { id: deliveryId } = (await client.call('POST', `/api/webhooks/${id}/test`)).body;
    const other = await app.newClient();
    for (const [method, path, body] of [
      ['GET', `/api/webhooks/${id}`],
      ['PATCH', `/api/webhooks/${id}`, { state: 'disabled' }],
      ['DELETE', `/api/webhooks/${id}`],
      ['POST', `/api/webhooks/${id}/test`],
      ['GET', `/api/webhooks/${id}/deliveries`],
      ['POST', `/api/webhooks/${id}/deliveries/${deliveryId}/redeliver`],
      ['GET', `/api/webhooks/${randomUUID()}`],
    ] as const) {
      const answer = await other.call(method, path, body);
      expect([method, path, answer.status, answer.body.code]).toEqual([method, path, 404, 'not_found']);
    }
    expect((await other.call('GET', '/api/webhooks')).body.items).toEqual([]);
  });

  it('leaves an audit entry for each change', async () => {
    const { id } = await create();
    await client.call('PATCH', `/api/webhooks/${id}`, { state: 'disabled', rotateSecret: true });
    await client.call('POST', `/api/webhooks/${id}/test`);
    await client.call('DELETE', `/api/webhooks/${id}`);
    const { items } = (await client.call('GET', '/api/audit')).body;
    expect(items.slice(0, 5).map(({ action, target }: { action: string; target: string }) => [action, target])).toEqual(
      [
        ['webhook_deleted', id],
        ['webhook_tested', id],
        ['webhook_secret_rotated', id],
        ['webhook_changed', id],
        ['webhook_created', id],
      ],
    );
  });
});

describe('an event', () => {
  it('is signed as the official library expects, and has the documented form', async () => {
    const { id, secret } = await create();
    const campaignId = await importDebts(2);
    await client.call('POST', `/api/campaigns/${campaignId}/launch?sandbox=true`);
    expect(await deliver(id)).toEqual({ waitMs: null });
    await settled(app);
    const feed = (await client.call('GET', '/api/events')).body.items;
    expect(receiver.received).toHaveLength(feed.length);
    for (const post of receiver.received) {
      expect(verify(secret, post)).toEqual(post.body);
      const known = feed.find((item: { id: string }) => item.id === post.headers['webhook-id']);
      expect(post.body).toEqual({ type: known.type, timestamp: known.at, data: known.data });
      const schema = WEBHOOK_BODIES.find(({ type }) => type === post.body.type)!.body;
      expect(schema.safeParse(post.body).error).toBeUndefined();
    }
    expect(
      (await deliveries(id)).map(({ state, attempts, lastStatus }: never) => [state, attempts, lastStatus]),
    ).toEqual(feed.map(() => ['delivered', 1, 204]));
  });

  it('wakes the workflow of each webhook that wants it, and of no other', async () => {
    const wanted = await create({ types: ['debt.imported'] });
    const other = await create({ types: ['payment.approved'] });
    const campaignId = await importDebts(1);
    await importDebts(3, 2);
    const rows = await app.query<{ workflow_id: string; signal: string; payload: object; kind: string }>(
      `select workflow_id, signal, payload, kind from outbox where workflow = 'deliver-webhooks'
       and payload->>'clientId' = $1`,
      [client.id],
    );
    expect(rows).toHaveLength(2);
    for (const row of rows)
      expect(row).toEqual({
        workflow_id: webhookWorkflowId(wanted.id),
        signal: 'deliveriesDue',
        payload: { clientId: client.id, webhookId: wanted.id },
        kind: 'signal_with_start',
      });
    expect(await deliveries(other.id)).toEqual([]);
    await client.call('POST', `/api/campaigns/${campaignId}/archive`);
    expect(await deliveries(wanted.id)).toHaveLength(4);
  });

  it('asks for one signal while one waits, and never waits for another transaction', async () => {
    const { id } = await create({ types: ['debt.imported'] });
    for (let n = 1; n <= 3; n++) await importDebts(1, n);
    const waiting = () =>
      app.query<{ requests: number }>(
        `select requests from outbox where payload->>'webhookId' = $1 and delivered_at is null order by requests`,
        [id],
      );
    expect(await waiting()).toEqual([{ requests: 3 }]);
    await app.query('begin');
    await app.query(`select from outbox where payload->>'webhookId' = $1 for update`, [id]);
    const [held] = await Promise.all([importDebts(1, 4).then(() => 'not held'), app.query('select')]);
    expect(held).toBe('not held');
    await app.query('commit');
    expect(await waiting()).toEqual([{ requests: 1 }, { requests: 3 }]);
  });

  it('is posted again after each bad answer, by the schedule', async () => {
    const { id } = await create({ types: ['debt.imported'] });
    await importDebts(1);
    receiver.answerWith((response) => void response.writeHead(500).end('no database'));
    const first = await deliver(id);
    expect(first.waitMs).toBeGreaterThan(4_000);
    expect(first.waitMs).toBeLessThan(6_000);
    expect(await read(id)).toMatchObject({ state: 'active', failingSince: expect.any(String) });
    expect(await deliveries(id)).toMatchObject([
      { state: 'pending', attempts: 1, lastStatus: 500, lastError: 'status', lastResponse: 'no database' },
    ]);
    await makeDue(id);
    const second = await deliver(id);
    expect(second.waitMs).toBeGreaterThan(299_000);
    receiver.answerWith((response) => void response.writeHead(200).end('ok'));
    await makeDue(id);
    expect(await deliver(id)).toEqual({ waitMs: null });
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(await deliveries(id)).toMatchObject([
      { state: 'delivered', attempts: 3, lastError: null, lastResponse: 'ok' },
    ]);
    expect(await read(id)).toMatchObject({ failingSince: null });
  });

  it('fails for good after ten attempts', async () => {
    const { id } = await create({ types: ['debt.imported'] });
    await importDebts(1);
    await app.query('update webhook_deliveries set attempts = 9 where webhook_id = $1', [id]);
    receiver.answerWith((response) => void response.writeHead(302, { location: '/elsewhere' }).end());
    expect(await deliver(id)).toEqual({ waitMs: null });
    expect(receiver.received.map(({ path }) => path)).toEqual(['/hook']);
    expect(await deliveries(id, '?state=failed')).toMatchObject([{ attempts: 10, lastError: 'redirected' }]);
    expect(await deliveries(id, '?state=pending')).toEqual([]);
  });

  it('waits as long as a busy receiver asks, and so do the others', async () => {
    const { id } = await create({ types: ['debt.imported'] });
    await importDebts(30);
    receiver.answerWith((response) => void response.writeHead(429, { 'retry-after': '120' }).end());
    const { waitMs } = await deliver(id);
    expect(waitMs).toBeGreaterThan(110_000);
    expect(receiver.received.length).toBeLessThanOrEqual(10);
    await makeDue(id);
    await deliver(id);
    expect(receiver.received.length).toBeLessThanOrEqual(10);
  });

  it('is held by one attempt at a time, and due again when that dies', async () => {
    const { id } = await create({ types: ['debt.imported'] });
    await importDebts(1);
    const release = Promise.withResolvers<void>();
    const posted = Promise.withResolvers<void>();
    receiver.answerWith((response) => {
      posted.resolve();
      void release.promise.then(() => response.writeHead(204).end());
    });
    const first = deliver(id);
    await posted.promise;
    const { waitMs } = await deliver(id);
    expect(waitMs).toBeGreaterThan(60_000);
    // The hold ends as if the process had died. What it records afterwards counts no more, and the event comes again.
    await makeDue(id);
    release.resolve();
    await first;
    expect(receiver.received).toHaveLength(2);
    expect(await deliveries(id)).toMatchObject([{ state: 'delivered', attempts: 1 }]);
  });

  it('is not posted after the webhook is deleted', async () => {
    const { id } = await create();
    await importDebts(2);
    expect((await client.call('DELETE', `/api/webhooks/${id}`)).status).toBe(204);
    expect(await deliver(id)).toEqual({ waitMs: null });
    expect(receiver.received).toEqual([]);
    expect(await app.query('select from webhook_deliveries where webhook_id = $1', [id])).toEqual([]);
    expect((await client.call('DELETE', `/api/webhooks/${id}`)).status).toBe(404);
    await settled(app);
    expect((await client.call('GET', '/api/events')).body.items).toHaveLength(2);
  });
});

describe('slow receivers', () => {
  it('of one client hold up none of another, and are left alone after a batch', async () => {
    const config = loadConfig({ NODE_ENV: 'test', ...SECRETS }, { roles: ['worker'] });
    const collection = composeCollection(config, worker, createLogger({ level: 'silent' }), () => null, {} as never);
    let real = Date.now();
    const { promise: slow, resolve: answer } = Promise.withResolvers<void>();
    const { promise: allAsked, resolve: lastAsked } = Promise.withResolvers<void>();
    let asked = 0;
    const deps = composeEvents(config, collection);
    const run = deliverDue({
      ...deps,
      realNow: () => real,
      sender: {
        ...deps.sender,
        post: async ({ url }) => {
          if (url.includes('slow')) {
            asked += 1;
            if (asked === 4 * 10) lastAsked();
            await slow;
          }
          return { failure: null, status: 204, retryAfterSeconds: null, response: null };
        },
      },
    });
    const hooks = [];
    for (let n = 0; n < 5; n += 1) hooks.push(await create({ url: `${receiver.url}/slow/${n}` }));
    await importDebts(10);
    const other = await app.newClient();
    const quick = (await other.call('POST', '/api/webhooks', { url: `${receiver.url}/quick` })).body;
    await other.call('POST', `/api/webhooks/${quick.id}/test`);

    const running = hooks.slice(0, 4).map(({ id }) => run({ clientId: client.id, webhookId: id }));
    expect(await run({ clientId: client.id, webhookId: hooks[4].id })).toEqual({ waitMs: 2_000 });
    expect(await run({ clientId: other.id, webhookId: quick.id })).toEqual({ waitMs: null });
    expect((await other.call('GET', `/api/webhooks/${quick.id}/deliveries`)).body.items[0].state).toBe('delivered');

    // A post that begins after the jump of the clock would count as a quick one.
    await allAsked;
    real += 14_000;
    answer();
    await Promise.all(running);
    const paused = await app.query<{ id: string }>(
      'select id from webhooks where client_id = $1 and paused_until > now()',
      [client.id],
    );
    expect(paused.map(({ id }) => id).sort()).toEqual(
      hooks
        .slice(0, 4)
        .map(({ id }) => id)
        .sort(),
    );
  });
});

describe('a webhook is disabled', () => {
  const mails = async () =>
    app.query<{ payload: AccountMailRequest }>(
      `select payload from outbox where payload->>'kind' = 'webhook_disabled' and payload->>'clientId' = $1`,
      [client.id],
    );

  it('at once by 410 Gone, with what waits, and one mail', async () => {
    const { id } = await create({ types: ['debt.imported'] });
    await importDebts(3);
    receiver.answerWith((response) => void response.writeHead(410).end());
    expect(await deliver(id)).toEqual({ waitMs: null });
    expect(await read(id)).toMatchObject({ state: 'disabled', disabledReason: 'gone', disabledAt: expect.any(String) });
    expect((await deliveries(id)).map(({ state }: { state: string }) => state)).toEqual(['failed', 'failed', 'failed']);
    const [mail, ...others] = await mails();
    expect(others).toEqual([]);
    expect(mail!.payload).toMatchObject({ about: id, clientId: client.id });
    const written: string[] = [];
    const mailer: Mailer = { send: async ({ subject }) => void written.push(subject) };
    const send = sendAccountMail({ db: worker, mailer, publicUrl: 'https://quita.example', now: () => new Date() });
    await send(mail!.payload);
    expect(written).toEqual(['Quita: um webhook foi desativado']);
    await client.call('PATCH', `/api/webhooks/${id}`, { state: 'active' });
    await send(mail!.payload);
    expect(written).toHaveLength(1);
    await client.call('PATCH', `/api/webhooks/${id}`, { state: 'disabled' });
    await importDebts(1, 9);
    expect(await deliveries(id)).toHaveLength(3);
  });

  it('after five days in which its receiver took nothing, and not before', async () => {
    const { id } = await create({ types: ['debt.imported'] });
    await importDebts(1);
    receiver.answerWith((response) => void response.writeHead(503).end());
    const since = (interval: string) =>
      app.query(`update webhooks set failing_since = now() - $2::interval where id = $1`, [id, interval]);
    await since('4 days 23 hours');
    await deliver(id);
    expect(await read(id)).toMatchObject({ state: 'active' });
    await since('5 days');
    await makeDue(id);
    expect(await deliver(id)).toEqual({ waitMs: null });
    expect(await read(id)).toMatchObject({ state: 'disabled', disabledReason: 'failing' });
    expect(await mails()).toHaveLength(1);
  });

  it('by the client, and enabled again without its failures', async () => {
    const { id } = await create({ types: ['debt.imported'] });
    await importDebts(1);
    receiver.answerWith((response) => void response.writeHead(500).end());
    await deliver(id);
    const disabled = (await client.call('PATCH', `/api/webhooks/${id}`, { state: 'disabled' })).body;
    expect(disabled).toMatchObject({ state: 'disabled', disabledReason: 'client' });
    expect(await deliveries(id)).toMatchObject([{ state: 'failed', lastError: 'webhook_disabled' }]);
    await importDebts(1, 2);
    const enabled = (await client.call('PATCH', `/api/webhooks/${id}`, { state: 'active' })).body;
    expect(enabled).toMatchObject({ state: 'active', disabledReason: null, disabledAt: null, failingSince: null });
    expect(await deliveries(id)).toHaveLength(1);
  });
});

describe('a client', () => {
  it('has an event posted again, with the same id', async () => {
    const { id } = await create({ types: ['debt.imported'] });
    await importDebts(1);
    await deliver(id);
    const [delivery] = await deliveries(id);
    const path = `/api/webhooks/${id}/deliveries/${delivery.id}/redeliver`;
    const again = await client.call('POST', path);
    expect([again.status, again.body.state, again.body.attempts]).toEqual([202, 'pending', 0]);
    await deliver(id);
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(ids).toEqual([delivery.eventId, delivery.eventId]);
    expect(await deliveries(id)).toMatchObject([{ state: 'delivered', attempts: 1 }]);
    const unknown = await client.call('POST', `/api/webhooks/${id}/deliveries/${randomUUID()}/redeliver`);
    expect(unknown.status).toBe(404);
  });

  it('tries a webhook by a test event, also a disabled one, and the feed does not show it', async () => {
    const { id, secret } = await create({ types: ['payment.approved'] });
    await client.call('PATCH', `/api/webhooks/${id}`, { state: 'disabled' });
    const asked = await client.call('POST', `/api/webhooks/${id}/test`);
    expect([asked.status, asked.body.type, asked.body.state]).toEqual([202, 'webhook.test', 'pending']);
    expect(await deliver(id)).toEqual({ waitMs: null });
    const [post] = receiver.received;
    verify(secret, post!);
    expect(post!.body).toMatchObject({ type: 'webhook.test', data: { webhookId: id, sandbox: true } });
    expect(WEBHOOK_BODIES.find(({ type }) => type === 'webhook.test')!.body.safeParse(post!.body).success).toBe(true);
    receiver.answerWith((response) => void response.writeHead(500).end());
    await client.call('POST', `/api/webhooks/${id}/test`);
    expect(await deliver(id)).toEqual({ waitMs: null });
    expect(await deliveries(id)).toMatchObject([{ state: 'failed' }, { state: 'delivered' }]);
    await settled(app);
    expect((await client.call('GET', '/api/events')).body.items).toEqual([]);
  });

  it('rotates the secret: for a day both sign, then the new one alone', async () => {
    const { id, secret: old } = await create({ types: ['debt.imported'] });
    const { secret, previousSecretUntil } = (await client.call('PATCH', `/api/webhooks/${id}`, { rotateSecret: true }))
      .body;
    expect(secret).toMatch(/^whsec_/);
    expect(secret).not.toBe(old);
    expect(Date.parse(previousSecretUntil) - Date.now()).toBeGreaterThan(23 * 3_600_000);
    await importDebts(1);
    await deliver(id);
    const [both] = receiver.received;
    expect(String(both!.headers['webhook-signature']).split(' ')).toHaveLength(2);
    for (const each of [secret, old]) expect(verify(each, both!)).toEqual(both!.body);
    await app.query(`update webhooks set previous_secret_until = now() - interval '1 second' where id = $1`, [id]);
    await importDebts(1, 2);
    await deliver(id);
    const alone = receiver.received[1]!;
    expect(verify(secret, alone)).toEqual(alone.body);
    expect(() => verify(old, alone)).toThrow();
  });
});
