import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { composeCollection } from '../../src/app/compose/collection.ts';
import { composeEvents } from '../../src/app/compose/events.ts';
import { deliverDue } from '../../src/modules/events/use-cases/deliver-due.ts';
import { loadConfig } from '../../src/platform/config/index.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import { createLogger } from '../../src/platform/runtime/logger.ts';
import { SECRETS } from '../../testing/app.ts';
import { startCampaignsApp, type TestClient } from '../../testing/campaigns-app.ts';
import { debtInputs } from '../../testing/debts.ts';
import { opened } from '../../testing/opened.ts';
import { type Receiver, startReceiver } from './receiver.ts';

let receiver: Receiver;
let client: TestClient;

const app = await opened(startCampaignsApp());
const worker = await opened(openDatabase({ url: app.database.url, role: 'quita_worker' }));
const config = loadConfig({ NODE_ENV: 'test', ...SECRETS }, { roles: ['worker'] });
const collection = composeCollection(config, worker, createLogger({ level: 'silent' }), () => null, {} as never);
const events = composeEvents(config, collection);
const deliver = (webhookId: string, deps: Partial<typeof events> = {}) =>
  deliverDue({ ...events, ...deps })({ clientId: client.id, webhookId });
beforeEach(async () => {
  receiver = await startReceiver();
  client = await app.newClient();
});
afterEach(() => receiver.stop());

const create = async (body: object = {}) =>
  (await client.call('POST', '/api/webhooks', { url: `${receiver.url}/old`, types: ['debt.imported'], ...body })).body;
const read = async (id: string) => (await client.call('GET', `/api/webhooks/${id}`)).body;
const change = async (id: string, changes: object) => (await client.call('PATCH', `/api/webhooks/${id}`, changes)).body;
const move = (id: string) => change(id, { url: `${receiver.url}/new` });
const deliveries = async (id: string) => (await client.call('GET', `/api/webhooks/${id}/deliveries`)).body.items;
const statesOf = async (id: string): Promise<string[]> => [
  ...new Set<string>((await deliveries(id)).map(({ state }: { state: string }) => state)),
];
const importDebts = async (count: number, from = 1): Promise<string> => {
  const campaignId = await client.createCampaign();
  await client.importJson(campaignId, debtInputs(count, from));
  return campaignId;
};
const posts = (path: string) => receiver.received.filter((post) => post.path === path);

describe('a webhook that has moved to a new address', () => {
  /** The client moves while the old address has posts, and the old address answers them afterwards. */
  const moveDuringPosts = (id: string, status: number, headers: Record<string, string> = {}): void => {
    let moved: Promise<unknown> | undefined;
    receiver.answerWith((response, path) => {
      if (path !== '/old') return void response.writeHead(204).end();
      moved ??= move(id);
      moved.then(
        () => void response.writeHead(status, headers).end(),
        () => void response.destroy(),
      );
    });
  };

  it.each<[number, Record<string, string>]>([
    [410, {}],
    [503, { 'Retry-After': '3600' }],
    [500, {}],
  ])(
    'is not judged by what the old one answers afterwards (%i), and gets what that refused',
    async (status, headers) => {
      const { id } = await create();
      await importDebts(30);
      moveDuringPosts(id, status, headers);
      expect(await deliver(id)).toEqual({ waitMs: null });
      expect(await read(id)).toMatchObject({ url: `${receiver.url}/new`, state: 'active', failingSince: null });
      expect(await statesOf(id)).toEqual(['delivered']);
      expect(posts('/old')).toHaveLength(10);
      expect(posts('/new')).toHaveLength(30);
    },
  );

  it('gets the rest of a batch whose first posts the old one has taken', async () => {
    const { id } = await create();
    await importDebts(30);
    moveDuringPosts(id, 204);
    expect(await deliver(id)).toEqual({ waitMs: null });
    expect(posts('/old')).toHaveLength(10);
    expect(posts('/new')).toHaveLength(20);
  });

  it('is not left alone because the old one was slow', async () => {
    const { id } = await create();
    await importDebts(10);
    moveDuringPosts(id, 500);
    // Each look at the clock is six seconds later, so that every post seems to be slow.
    let looks = 0;
    await deliver(id, { realNow: () => Date.now() + 6_000 * looks++ });
    const [row] = await app.query<{ paused_until: Date | null }>('select paused_until from webhooks where id = $1', [
      id,
    ]);
    expect(row!.paused_until).toBeNull();
  });

  it('has five days of its own', async () => {
    const { id } = await create();
    await importDebts(1);
    receiver.answerWith((response) => void response.writeHead(500).end());
    await deliver(id);
    await app.query(`update webhooks set failing_since = now() - interval '6 days' where id = $1`, [id]);
    const same = await change(id, { url: `${receiver.url}/old` });
    expect(same.failingSince).not.toBeNull();
    expect((await move(id)).failingSince).toBeNull();
    await importDebts(1, 2);
    await deliver(id);
    expect(await read(id)).toMatchObject({ state: 'active' });
  });
});

it.each([
  ['the address changes', () => ({ url: `${receiver.url}/new` })],
  ['it is enabled', () => ({ state: 'active' })],
])('the workflow of a webhook does not sleep on in its pause when %s', async (_, changes) => {
  const { id } = await create();
  await importDebts(1);
  receiver.answerWith((response) => void response.writeHead(503, { 'Retry-After': '3600' }).end());
  expect((await deliver(id)).waitMs).toBeGreaterThan(3_000_000);
  await app.query(`update outbox set delivered_at = now() where payload->>'webhookId' = $1`, [id]);
  const signals = () =>
    app.query('select signal from outbox where delivered_at is null and workflow_id = $1', [`webhooks-${id}`]);
  await change(id, { types: ['debt.imported'] });
  expect(await signals()).toEqual([]);
  await change(id, changes());
  await change(id, changes());
  expect(await signals()).toEqual([{ signal: 'deliveriesDue' }]);
});

describe('an event whose transaction ends after its webhook', () => {
  const during = async (meanwhile: () => Promise<unknown>): Promise<void> => {
    const campaignId = await importDebts(3);
    await app.query('begin');
    await app.query(`update debts set status = 'STOPPED' where campaign_id = $1`, [campaignId]);
    await meanwhile();
    await app.query('commit');
  };
  const left = (id: string) =>
    app.query<{ state: string }>('select distinct state from webhook_deliveries where webhook_id = $1', [id]);

  it('fails when the webhook was disabled, and is not posted when it is enabled later', async () => {
    const { id } = await create({ types: ['debt.status_changed'] });
    await during(() => change(id, { state: 'disabled' }));
    expect(await left(id)).toEqual([{ state: 'pending' }]);
    expect(await deliver(id)).toEqual({ waitMs: null });
    expect(await left(id)).toEqual([{ state: 'failed' }]);
    await change(id, { state: 'active' });
    await deliver(id);
    expect(receiver.received).toEqual([]);
  });

  it('is posted when the webhook was enabled again', async () => {
    const { id } = await create({ types: ['debt.status_changed'] });
    await during(async () => {
      await change(id, { state: 'disabled' });
      await change(id, { state: 'active' });
    });
    await deliver(id);
    expect(await left(id)).toEqual([{ state: 'delivered' }]);
  });

  it('leaves nothing behind when the webhook was deleted', async () => {
    const { id } = await create({ types: ['debt.status_changed'] });
    await during(() => client.call('DELETE', `/api/webhooks/${id}`));
    expect(await left(id)).toEqual([{ state: 'pending' }]);
    expect(await deliver(id)).toEqual({ waitMs: null });
    expect(await left(id)).toEqual([]);
  });
});
