import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createTextHashes } from '../../src/modules/genuine/use-cases/text-hashes.ts';
import { phoneOfCard } from '../../src/modules/messaging/adapters/whatsapp/contact-card.ts';
import { createWhatsAppChannel } from '../../src/modules/messaging/adapters/whatsapp/whatsapp-channel.ts';
import { takeSenderSlot } from '../../src/modules/messaging/queries/sender-pace.ts';
import { CARD_TEXT } from '../../src/modules/messaging/texts/timeline-texts.ts';
import { askForPhone } from '../../src/modules/messaging/use-cases/ask-for-phone.ts';
import { turnsOf } from '../../src/modules/messaging/use-cases/debt-facts.ts';
import type { Sender } from '../../src/modules/messaging/use-cases/deps.ts';
import { PURGES } from '../../src/modules/privacy/queries/purges.ts';
import { createCollectionWorkflows } from '../../src/platform/temporal/collection-workflows.ts';
import { SECRETS } from '../../testing/app.ts';
import type { TestClient } from '../../testing/campaigns-app.ts';
import { startFakeWhatsApp } from '../../testing/channels/fake-whatsapp.ts';
import { graphError } from '../../testing/channels/whatsapp/answers.ts';
import { messagesChange, statusChange, userIdOf } from '../../testing/channels/whatsapp/payloads.ts';
import { cardOf } from '../../testing/channels/whatsapp/phone-requests.ts';
import { opened } from '../../testing/opened.ts';
import { cipher, startInboundApp, urlOf } from './inbound-app.ts';

const URL = urlOf('whatsapp');
const HOUR = 3_600_000;
const meta = await opened(startFakeWhatsApp());
const app = await opened(startInboundApp({ env: { MESSAGING_CHANNEL: 'whatsapp', WHATSAPP_BASE_URL: meta.baseUrl } }));
const channel = createWhatsAppChannel({ baseUrl: meta.baseUrl, templates: [] });
const { senderId } = meta.credentials;
const sender: Sender = { channel, credentials: meta.credentials, id: senderId, number: senderId };

let connected: readonly Sender[];
let clockMs: number;
let client: TestClient;
const ask = askForPhone({
  db: app.worker,
  now: () => new Date(Date.now() + clockMs),
  note: () => undefined,
  sendersOf: async () => connected,
  workflows: createCollectionWorkflows({ sandboxMaxWaitMs: 300 }),
  cipher,
  textHashes: createTextHashes([SECRETS['ENCRYPTION_KEY']!]),
});

beforeEach(async () => {
  connected = [sender];
  clockMs = 0;
  await app.query('delete from channel_senders');
  await app.query('delete from client_credentials');
  await app.query('delete from sender_pace');
  client = await app.newClient();
  await app.connect(client.id, 'whatsapp', meta.credentials);
  await app.newDebtor(client);
});

const newPerson = () => userIdOf(`stranger ${randomUUID()}`);
const hello = (userId: string) => ({
  id: `wamid.${randomUUID()}`,
  from: null,
  userId,
  content: { type: 'text', text: { body: 'oi' } },
});
const write = async (...people: readonly string[]) => {
  const change = messagesChange(meta.sender, ...people.map(hello));
  expect(await app.deliver(meta.request(URL, change))).toBe(200);
};
interface Row {
  readonly id: string;
  readonly delivery: string;
  readonly failure: string | null;
  readonly turn_at: Date | null;
  readonly attempted_at: Date | null;
}
const requests = () =>
  app.query<Row>('select * from phone_requests where client_id = $1 order by created_at, id', [client.id]);

/** A stranger has written, and the fake lets the window of that person be open. */
async function asking(): Promise<{ readonly id: string; readonly userId: string; row(): Promise<Row> }> {
  const userId = newPerson();
  meta.messageRequest(URL, { id: randomUUID(), from: userId, text: 'oi' });
  await write(userId);
  const [{ id } = { id: '' }] = await requests();
  return { id, userId, row: async () => (await requests()).find((one) => one.id === id)! };
}
const run = (requestId: string) => ask({ clientId: client.id, requestId });
const sentTo = (userId: string) => meta.taken.filter((one) => one.to === userId);
const senderState = async () =>
  (await app.query<{ state: string }>('select state from channel_senders where client_id = $1', [client.id]))[0]?.state;
const serviceMessages = async () => {
  const { body } = await client.call('GET', '/api/channels');
  const { usage } = body.items.find((item: { channel: string }) => item.channel === 'whatsapp');
  const { free, paid } = usage.messages.find(({ kind }: { kind: string }) => kind === 'service');
  return free + paid;
};
const DONE = { waitMs: null };

describe('a request for a phone', () => {
  it('goes out once, costs as a message does, and is told by the workflow of its own', async () => {
    const { id, userId, row } = await asking();
    expect(
      await app.query('select workflow, payload from outbox where workflow_id = $1', [`phone-request-${id}`]),
    ).toEqual([{ workflow: 'ask-for-phone', payload: { clientId: client.id, requestId: id } }]);
    expect(await run(id)).toEqual(DONE);
    expect(await run(id)).toEqual(DONE);
    expect(sentTo(userId)).toHaveLength(1);
    expect((await row()).delivery).toBe('sent');
    expect(await serviceMessages()).toBe(0);
    const [taken] = sentTo(userId);
    // Whoever got it learns from "É verdade?" that it is genuine.
    const asked = await client.call('POST', '/api/genuine', { content: taken!.text });
    expect(asked.body).toMatchObject({ genuine: true, kind: 'message', sandbox: false });
    const states = (['sent', 'delivered', 'read'] as const).map((state) => meta.statusOf(taken!, state));
    for (const state of [...states, ...states]) {
      expect(await app.deliver(meta.request(URL, statusChange(meta.sender, state)))).toBe(200);
    }
    expect((await row()).delivery).toBe('read');
    expect(await serviceMessages()).toBe(1);
    expect(meta.bill.has(taken!.channelMessageId)).toBe(true);
  });

  it.each([
    ['refuses it', graphError(131009), 'rejected 131009', 'ready'],
    ['does not reach the person', graphError(131026), 'undeliverable 131026', 'ready'],
    ['takes it no more', graphError(131047), 'window_closed 131047', 'ready'],
    ['knows the wish for silence', graphError(131050), 'opted_out 131050', 'ready'],
    ['refuses the token', graphError(190, { status: 401 }), 'unauthorized 190', 'failing'],
    ['stops the number', graphError(131031, { status: 403 }), 'suspended 131031', 'paused'],
  ])('is not repeated when Meta %s', async (_, answer, failure, state) => {
    const { id, userId, row } = await asking();
    meta.answerNext(answer);
    expect(await run(id)).toEqual(DONE);
    expect(await run(id)).toEqual(DONE);
    expect(await row()).toMatchObject({ delivery: 'failed', failure });
    expect(sentTo(userId)).toEqual([]);
    expect(await senderState()).toBe(state);
  });

  it.each(['throttled', 'throttled_with_retry_after', 'recipient_throttled', 'server_error'] as const)(
    'is tried later after %s, until the time is over',
    async (day) => {
      const { id, userId, row } = await asking();
      meta.next(day);
      const { waitMs } = await run(id);
      expect(waitMs).toBeGreaterThanOrEqual(15_000);
      expect((await row()).delivery).toBe('booked');
      clockMs = waitMs!;
      expect(await run(id)).toEqual(DONE);
      expect(sentTo(userId)).toHaveLength(1);
    },
  );

  it.each(['no_answer', 'server_error_after_taking', 'malformed_answer'] as const)(
    'is sent once when the answer is lost (%s), and its delivery is counted',
    async (day) => {
      const { id, userId, row } = await asking();
      meta.next(day);
      expect(await run(id)).toEqual(DONE);
      expect(await run(id)).toEqual(DONE);
      expect((await row()).delivery).toBe('unknown');
      const [taken, ...more] = sentTo(userId);
      expect(more).toEqual([]);
      await app.deliver(meta.request(URL, statusChange(meta.sender, meta.statusOf(taken!, 'delivered'))));
      expect((await row()).delivery).toBe('delivered');
      expect(await serviceMessages()).toBe(1);
    },
  );

  it('is not sent again after its worker was killed in between', async () => {
    const { id, userId, row } = await asking();
    await app.query('update phone_requests set attempted_at = now() where id = $1', [id]);
    expect(await run(id)).toEqual(DONE);
    expect((await row()).delivery).toBe('unknown');
    expect(sentTo(userId)).toEqual([]);
  });

  it.each<[string, (userId: string) => unknown, string]>([
    ['the time is over', () => (clockMs = 23 * HOUR), 'late'],
    ['the number is paused', () => app.query(`update channel_senders set state = 'paused'`), 'no_sender'],
    ['the number was replaced', () => app.query('update channel_senders set replaced_at = now()'), 'no_sender'],
    ['there is no number any more', () => (connected = []), 'no_sender'],
    [
      'the company is paused',
      () => app.query(`update clients set status = 'PAUSED' where id = $1`, [client.id]),
      'no_sender',
    ],
    [
      'the id is known by now',
      (userId) =>
        app.query(
          `insert into recipients (client_id, channel, person_key, phone_key, debt_id, channel_user_id)
           select client_id, 'whatsapp', 'p', 'q', id, $2 from debts where client_id = $1`,
          [client.id, userId],
        ),
      'known',
    ],
  ])('is not sent when %s by then', async (_, happens, failure) => {
    const { id, userId, row } = await asking();
    await happens(userId);
    expect(await run(id)).toEqual(DONE);
    expect(await row()).toMatchObject({ delivery: 'failed', failure, attempted_at: null });
    expect(sentTo(userId)).toEqual([]);
    // The card of somebody who was not asked leads nowhere.
    const [debt] = await app.query<{ phone: string }>('select debtor_phone as phone from debts where client_id = $1', [
      client.id,
    ]);
    if (failure === 'known') return;
    const card = { ...hello(userId), content: cardOf(debt!.phone) };
    await app.deliver(meta.request(URL, messagesChange(meta.sender, card)));
    expect(await app.query(`select from messages where client_id = $1`, [client.id])).toEqual([]);
  });

  it('of another company is nobody’s', async () => {
    const { id, userId } = await asking();
    const other = await app.newClient();
    expect(await ask({ clientId: other.id, requestId: id })).toEqual(DONE);
    expect(sentTo(userId)).toEqual([]);
  });

  it('is forgotten with what the stranger wrote, then may be made again, and stays counted', async () => {
    const { id, userId } = await asking();
    await run(id);
    await app.deliver(meta.request(URL, statusChange(meta.sender, meta.statusOf(sentTo(userId)[0]!, 'delivered'))));
    const age = async (days: number) => {
      const ago = 'set created_at = now() - make_interval(days => $2) where client_id = $1';
      await app.query(`update phone_requests ${ago}`, [client.id, days]);
      for (const purge of PURGES) await app.worker.system().transactional(purge);
    };
    await age(29);
    await write(userId);
    expect(await requests()).toHaveLength(1);
    await age(31);
    expect(await requests()).toEqual([]);
    expect(await serviceMessages()).toBe(1);
    await write(userId);
    expect(await requests()).toHaveLength(1);
  });
});

it('a thousand strangers at once keep a pace, and hold up nobody who owes something', async () => {
  const people = Array.from({ length: 1_000 }, newPerson);
  await Promise.all([0, 250, 500, 750].map((from) => write(...people.slice(from, from + 250))));
  // The same people in the other order, at the same time.
  await Promise.all([write(...people.slice(0, 200)), write(...people.slice(0, 200).reverse())]);
  const rows = await requests();
  expect(rows).toHaveLength(1_000);
  const before = meta.taken.length;
  const began = Date.now();
  const waits: number[] = [];
  for (let from = 0; from < rows.length; from += 20) {
    const next = await Promise.all(rows.slice(from, from + 20).map(({ id }) => run(id)));
    waits.push(...next.flatMap(({ waitMs }) => (waitMs === null ? [] : [waitMs])));
    const slot = await app.worker.tenant(client.id).transactional((tx) => {
      const now = new Date();
      const latest = new Date(now.getTime() + HOUR);
      return takeSenderSlot(tx, `whatsapp:${senderId}`, { now, latest, intervalMs: 12.5 });
    });
    expect(slot!.getTime() - Date.now()).toBeLessThan(2_000);
  }
  const seconds = (Date.now() - began) / 1_000 + 1;
  expect(meta.taken.length - before).toBeLessThanOrEqual(Math.ceil(seconds) * 10 + 1);
  const turns = (await requests()).map(({ turn_at: at }) => at!.getTime()).sort((one, other) => one - other);
  for (let at = 10; at < turns.length; at += 1) expect(turns[at]! - turns[at - 10]!).toBeGreaterThanOrEqual(990);
  expect(Math.max(...waits)).toBeLessThan(110_000);
}, 120_000);

describe('what stands in a card', () => {
  it('is a phone or nothing, whatever it is', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.jsonValue(), (any, phones) => {
        for (const contacts of [any, [any], [{ origin: 'contact_request', phones }]]) {
          expect(phoneOfCard(contacts)).toBeNull();
        }
      }),
    );
  });

  it.each([
    [[{ phone: '+55 (61) 9 8765-4321', wa_id: '556187654321' }], '556187654321'],
    [[{ wa_id: '5511987654321', type: 'CELL' }], '5511987654321'],
    [[{ phone: '+55 11 98765-4321' }], '+55 11 98765-4321'],
    [[{ phone: '+55 11 98765-4321', wa_id: '5511987650000' }], null],
    [[{ phone: `+55${'0'.repeat(50)}` }], null],
    [[{}], null],
  ])('in %j is read', (phones, expected) => {
    expect(phoneOfCard([{ origin: 'contact_request', phones }])).toBe(expected);
  });

  it('is no turn of a debtor, so that later messages show no more than before', () => {
    const row = { at: new Date(), purpose: null, delivery: null };
    const rows = [
      { ...row, direction: 'in', text: CARD_TEXT },
      { ...row, direction: 'out', text: 'Olá' },
    ] as unknown as Parameters<typeof turnsOf>[0];
    expect(turnsOf(rows).map(({ from }) => from)).toEqual(['creditor']);
  });
});
