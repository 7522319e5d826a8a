import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { whatsAppWebhook } from '../../src/modules/messaging/adapters/whatsapp/whatsapp-webhook.ts';
import { FakeWhatsApp } from '../../testing/channels/fake-whatsapp.ts';
import * as documented from '../../testing/channels/whatsapp/fixtures.ts';
import {
  type Change,
  categoryChange,
  messagesChange,
  movedChange,
  qualityChange,
  signed,
  statusChange,
  templateChange,
  webhookBody,
} from '../../testing/channels/whatsapp/payloads.ts';
import { cardOf } from '../../testing/channels/whatsapp/phone-requests.ts';
import { opened } from '../../testing/opened.ts';
import { receivedOf, startInboundApp, urlOf } from './inbound-app.ts';

const URL = urlOf('whatsapp');
const newId = () => String(Math.floor(1e14 + Math.random() * 9e14));
const meta = new FakeWhatsApp({ phoneNumberId: newId(), accountId: newId() });
const { sender } = meta;

const KNOWN: readonly Change[] = [
  messagesChange(sender, {
    id: 'wamid.a',
    from: '5511987654321',
    userId: 'BR.1',
    content: { type: 'text', text: { body: 'oi' } },
  }),
  messagesChange(sender, { id: 'wamid.card', from: null, userId: 'BR.3', content: cardOf('+5511987654321') }),
  statusChange(sender, { id: 'wamid.b', status: 'delivered', to: '+5511987654321', callback: null }),
  templateChange({ name: 'quita_first_neutral_v3', event: 'APPROVED' }),
  categoryChange({ name: 'quita_first_neutral_v3', from: 'UTILITY', to: 'MARKETING' }),
  categoryChange({ name: 'quita_first_neutral_v3', from: 'UTILITY', to: 'MARKETING', later: 1_800_000_000 }),
  movedChange(sender, {
    id: 'wamid.c',
    fromUserId: 'BR.1',
    toUserId: 'BR.2',
    from: '5511987654321',
    to: '5511912345678',
  }),
  qualityChange(sender, 'FLAGGED', 'TIER_2K'),
  { field: 'business_capability_update', value: { max_daily_conversations_per_business: 2_000 } },
  { field: 'account_update', value: { event: 'ACCOUNT_RESTRICTION' } },
  {
    field: 'user_preferences',
    value: { metadata: { phone_number_id: sender.phoneNumberId }, user_preferences: [{ wa_id: '1', value: 'stop' }] },
  },
  ...Object.values(documented.RECEIVED).flatMap((body) =>
    body.entry.flatMap(({ changes }) => changes as unknown as Change[]),
  ),
];

/** Values of every type, such as a new version of the interface may bring, and ones that break columns and patterns. */
const anything = fc.oneof(
  { weight: 3, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  fc.constantFrom<unknown>(
    ...['', 'MARKETING', 'UNKNOWN_2030', '\u0000', '\ud800', 'x'.repeat(3_000), '2000', 'TIER_9999K', '__proto__'],
    ...[2 ** 53, -1, 1e308, 4e9, 2_147_483_648, 0, 0.5, true, null, [], {}, [[]], { a: { b: {} } }],
  ),
);

const pathsOf = (value: unknown, path: readonly string[] = []): (readonly string[])[] =>
  typeof value === 'object' && value !== null
    ? [path, ...Object.entries(value).flatMap(([name, one]) => pathsOf(one, [...path, name]))]
    : [path];

/** Puts a value at a place of a change, or a member with an unknown name beside it. */
function changed(change: Change, place: number, value: unknown, isBeside: boolean): Change {
  const copy = structuredClone(change) as unknown as Record<string, unknown>;
  const paths = pathsOf(copy).filter((path) => path.length > 0);
  const path = paths[place % paths.length]!;
  const parent = path.slice(0, -1).reduce((one, name) => one[name] as Record<string, unknown>, copy);
  parent[isBeside ? `${path.at(-1)}_2030` : path.at(-1)!] = value;
  return copy as unknown as Change;
}

const strangeChange = fc.oneof(
  fc
    .tuple(fc.constantFrom(...KNOWN), fc.nat(), anything, fc.boolean())
    .map(([change, place, value, isBeside]) => changed(change, place, value, isBeside)),
  fc.record({
    field: fc.constantFrom('messages', 'account_update', 'template_category_update', 'flows_2030'),
    value: anything,
  }),
  anything as fc.Arbitrary<Change>,
);
const batches = fc.tuple(fc.array(strangeChange, { maxLength: 4 }), fc.array(strangeChange, { maxLength: 4 }));
const message = (id: string, from: string) =>
  messagesChange(sender, { id, from, userId: 'BR.77', content: { type: 'text', text: { body: 'PARAR' } } });

describe('names, values and kinds that nobody knows', () => {
  it('lose no known message beside them', () => {
    fc.assert(
      fc.property(batches, ([some, others]) => {
        const body = webhookBody(sender.accountId, ...some, message('wamid.known', '5511987654321'), ...others);
        const events = whatsAppWebhook.read(signed(URL, body, 'secret'));
        expect(events).toContainEqual(
          expect.objectContaining({
            kind: 'message',
            channelMessageId: 'wamid.known',
            text: 'PARAR',
            channelUserId: 'BR.77',
          }),
        );
      }),
      { numRuns: 2_000 },
    );
  });

  it('beside a message in one list are left out alone', () => {
    fc.assert(
      fc.property(fc.array(anything, { maxLength: 5 }), fc.array(anything, { maxLength: 5 }), (some, others) => {
        const change = structuredClone(message('wamid.known', '5511987654321'));
        const value = change.value as { messages: unknown[]; contacts: unknown[]; statuses?: unknown[] };
        value.messages = [...some, ...value.messages, ...others];
        value.contacts = [...others, ...value.contacts];
        value.statuses = some;
        const events = whatsAppWebhook.read(signed(URL, webhookBody(sender.accountId, change), 'secret'));
        expect(events.filter(({ kind }) => kind === 'message')).toEqual([
          expect.objectContaining({ channelMessageId: 'wamid.known' }),
        ]);
      }),
      { numRuns: 1_000 },
    );
  });
});

it('any content of a contact card is a message beside the others', () => {
  fc.assert(
    fc.property(anything, (contacts) => {
      const card = { id: 'wamid.card', from: null, userId: 'BR.3', content: { type: 'contacts', contacts } };
      const body = webhookBody(sender.accountId, messagesChange(sender, card), message('wamid.known', '5511987654321'));
      const events = whatsAppWebhook.read(signed(URL, body, 'secret'));
      expect(events).toMatchObject([
        { channelMessageId: 'wamid.card', attachment: { kind: 'contact' }, card: { phone: null } },
        { channelMessageId: 'wamid.known' },
      ]);
    }),
    { numRuns: 1_000 },
  );
});

const app = await opened(startInboundApp());

it('the service answers 200 to all of them, and stores the message of the batch', async () => {
  const client = await app.newClient();
  await app.connect(client.id, 'whatsapp', meta.credentials);
  await app.query(
    `insert into channel_templates (client_id, channel, account_id, name, state) values ($1, 'whatsapp', $2, 'quita_first_neutral_v3', 'approved')`,
    [client.id, sender.accountId],
  );
  const debtor = await app.newDebtor(client);
  const ids: string[] = [];
  await fc.assert(
    fc.asyncProperty(batches, async ([some, others]) => {
      const id = `wamid.${randomUUID()}`;
      ids.push(id);
      expect(await app.deliver(meta.request(URL, ...some, message(id, debtor.phone), ...others))).toBe(200);
    }),
    { numRuns: 150, endOnFailure: true },
  );
  const stored = (await receivedOf(app, client.id)).map((row) => row.channel_message_id);
  expect(ids.filter((id) => !stored.includes(id))).toEqual([]);
}, 120_000);
