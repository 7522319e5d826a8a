import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { whatsAppWebhook } from '../../src/modules/messaging/adapters/whatsapp/whatsapp-webhook.ts';
import { messagesChange, signed, statusChange, webhookBody } from '../../testing/channels/whatsapp/payloads.ts';
import { expectCostBelow } from '../../testing/cpu-cost.ts';

const SENDER = { phoneNumberId: '106540352242922', accountId: '102290129340398', displayNumber: '551140041234' };
const request = (body: unknown) => signed('https://quita.example.com.br/api/messaging/whatsapp', body, 'app-secret');
const read = (body: unknown) => whatsAppWebhook.read(request(body));

describe('a batch of WhatsApp', () => {
  const good = messagesChange(SENDER, {
    id: 'wamid.good',
    from: '5511987654321',
    content: { type: 'text', text: { body: 'oi' } },
  });
  const readState = { to: '+5511987654321', callback: '3f1b6f5e-0c1d-4a53-9d5e-2f5a3c1b7e10', status: 'read' };
  const full = Array.from({ length: 1_000 }, (_, number) => ({ ...readState, id: `wamid.${number}` }));
  const people = Array.from({ length: 1_000 }, (_, number) => ({
    id: `wamid.${number}`,
    from: null,
    userId: `BR.${number}`,
    content: { type: 'text', text: { body: 'oi' } },
  }));
  const bad: readonly unknown[] = [
    null,
    7,
    'text',
    [],
    {},
    { changes: null },
    { id: 5, changes: [null, {}, { field: 'messages' }, { field: 'messages', value: null }, { field: 7, value: {} }] },
    { id: '1', changes: [{ field: 'messages', value: { ...(good.value as object), messages: 'none' } }] },
    {
      id: '1',
      changes: [{ field: 'messages', value: { ...(good.value as object), messages: [null, { id: 7 }, { id: '' }] } }],
    },
    { id: '1', changes: [{ field: 'messages', value: { metadata: null, statuses: [{ id: 'x', status: 'flying' }] } }] },
    { id: '1', changes: [{ field: 'account_update', value: { event: ['x'] } }] },
    { id: '1', changes: [{ field: 'a_field_of_next_year', value: { anything: [{}] } }] },
  ];

  it.each(bad.map((one) => [JSON.stringify(one), one]))('is read although a part of it is %s', (_what, part) => {
    const whole = webhookBody(SENDER.accountId, good);
    for (const entry of [
      [part, ...whole.entry],
      [...whole.entry, part],
    ]) {
      expect(read({ ...whole, entry })).toEqual([
        expect.objectContaining({ kind: 'message', channelMessageId: 'wamid.good' }),
      ]);
    }
  });

  it('is never a reason to fail, whatever an element contains', () => {
    const anything = fc.anything({ maxDepth: 4, withNullPrototype: true });
    const element = fc.oneof(
      anything,
      fc.record({ id: fc.string(), type: fc.string(), text: anything, status: anything }),
    );
    fc.assert(
      fc.property(element, fc.constantFrom('messages', 'statuses', 'user_preferences', 'errors'), (one, list) => {
        const value = { ...(good.value as Record<string, unknown>) };
        value[list] = [JSON.parse(JSON.stringify(one) ?? 'null'), ...((value[list] as unknown[] | undefined) ?? [])];
        const events = read(webhookBody(SENDER.accountId, { field: 'messages', value }));
        expect(events).toContainEqual(expect.objectContaining({ channelMessageId: 'wamid.good' }));
      }),
    );
  });

  it('of 1,000 messages is read whole', () => {
    expect(read(webhookBody(SENDER.accountId, messagesChange(SENDER, ...people)))).toHaveLength(1_000);
  });

  it('is read although a text is one that no database stores', () => {
    const content = { type: 'text', text: { body: 'a\u0000b \\u0000' } };
    const [event] = read(webhookBody(SENDER.accountId, messagesChange(SENDER, { id: 'w\u00001', from: '1', content })));
    expect(event).toMatchObject({ channelMessageId: 'w1', text: 'ab \\u0000' });
    const bytes = Buffer.from(JSON.stringify(webhookBody(SENDER.accountId, good)).replace('oi', 'o\u00ff'), 'latin1');
    expect(whatsAppWebhook.read({ url: '', headers: {}, body: bytes })).toHaveLength(1);
  });

  it('keeps its order, and unknown members change nothing', () => {
    const ids = Array.from({ length: 50 }, (_, number) => `wamid.${number}`);
    const status = { to: '+5511987654321', callback: null, status: 'read' };
    const changes = ids.map((id) => statusChange(SENDER, { ...status, id }));
    const body = { ...webhookBody(SENDER.accountId, ...changes), future: { a: 1 } };
    expect(read(body).map((event) => (event as { channelMessageId: string }).channelMessageId)).toEqual(ids);
  });

  it('names the senders and accounts, at most a hundred and nothing odd', async () => {
    const body = webhookBody(SENDER.accountId, good);
    expect(await whatsAppWebhook.senders(request(body))).toEqual([SENDER.accountId, SENDER.phoneNumberId]);
    const many = {
      ...body,
      entry: Array.from({ length: 500 }, (_, number) => ({ id: String(number), changes: body.entry[0]!.changes })),
    };
    expect(await whatsAppWebhook.senders(request(many))).toHaveLength(100);
    const odd = { ...body, entry: [{ id: "1' or 1=1", changes: body.entry[0]!.changes }] };
    expect(await whatsAppWebhook.senders(request(odd))).toEqual([SENDER.phoneNumberId]);
  });

  it('names nobody by what a message says, and is refused when it is nested too deeply', async () => {
    const said = { type: 'text', text: { body: '{"phone_number_id":"666"},"id":"666"' } };
    const body = webhookBody(SENDER.accountId, messagesChange(SENDER, { id: '666', from: '1', content: said }));
    expect(await whatsAppWebhook.senders(request(body))).toEqual([SENDER.accountId, SENDER.phoneNumberId]);
    const spaced = Buffer.from(JSON.stringify(body, null, 4));
    expect(await whatsAppWebhook.senders({ ...request(body), body: spaced })).toEqual([
      SENDER.accountId,
      SENDER.phoneNumberId,
    ]);
    const deep = Buffer.from(
      `{"object":"whatsapp_business_account","entry":[],"x":${'['.repeat(50)}${']'.repeat(50)}}`,
    );
    expect(() => whatsAppWebhook.read({ ...request(body), body: deep })).toThrow('not one that WhatsApp');
  });

  it('is refused when it is larger than WhatsApp sends', () => {
    const text = { type: 'text', text: { body: 'a'.repeat(3 * 1024 * 1024) } };
    const long = webhookBody(SENDER.accountId, messagesChange(SENDER, { id: 'wamid.1', from: '1', content: text }));
    expect(() => read(long)).toThrow('The body is not one that WhatsApp sends.');
    const status = { to: '+5511987654321', callback: null, status: 'read' };
    const states = Array.from({ length: 3_001 }, (_, number) => ({ ...status, id: `w${number}` }));
    expect(() => read(webhookBody(SENDER.accountId, statusChange(SENDER, ...states)))).toThrow('not one that WhatsApp');
    expect(() => read({ object: 'page', entry: [] })).toThrow('The body is not one that WhatsApp sends.');
  });

  it.each([
    ['as many delivery states as Meta sends at once', webhookBody(SENDER.accountId, statusChange(SENDER, ...full))],
    ['as many messages as Meta sends at once', webhookBody(SENDER.accountId, messagesChange(SENDER, ...people))],
    [
      'rubbish',
      { object: 'whatsapp_business_account', entry: Array.from({ length: 200_000 }, () => ({ changes: [0] })) },
    ],
    ['rubbish in one entry', { object: 'whatsapp_business_account', entry: [{ changes: Array(200_000).fill(0) }] }],
  ])('costs little: %s', async (_what, body) => {
    const { body: bytes, ...rest } = request(body);
    await expectCostBelow(10, async () => {
      const fresh = { ...rest, body: Buffer.from(bytes) };
      await whatsAppWebhook.senders(fresh);
      try {
        whatsAppWebhook.read(fresh);
      } catch (error) {
        expect((error as Error).name).toBe('ChannelBodyError');
      }
    });
  });
});
