import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { inboundPhones } from '../../src/kernel/phone.ts';
import {
  answerToSubscription,
  whatsAppWebhook,
} from '../../src/modules/messaging/adapters/whatsapp/whatsapp-webhook.ts';
import * as documented from '../../testing/channels/whatsapp/fixtures.ts';
import {
  messagesChange,
  movedChange,
  signed,
  statusChange,
  webhookBody,
} from '../../testing/channels/whatsapp/payloads.ts';

const URL_OF_WEBHOOK = 'https://quita.example.com.br/api/messaging/whatsapp';
const SENDER = { phoneNumberId: '106540352242922', accountId: '102290129340398', displayNumber: '551140041234' };
const request = (body: unknown) => signed(URL_OF_WEBHOOK, body, 'app-secret');
const read = (body: unknown) => whatsAppWebhook.read(request(body));

const message = (change: object) => ({
  kind: 'message',
  senderId: '106540352242922',
  channelMessageId: 'wamid.HBgLMTY1MDM4Nzk0MzkVAgASGBQzQTRBNjU5',
  fromPhone: '16505551234',
  fromEmail: null,
  channelUserId: null,
  text: '',
  button: null,
  attachment: null,
  inReplyTo: null,
  at: expect.any(Date),
  ...change,
});
const file = (
  kind: string,
  attachmentId: string | null,
  contentType: string | null,
  filename: string | null = null,
) => ({
  attachment: { kind, attachmentId, contentType, filename },
});
const answering = (id: string) => ({ inReplyTo: `wamid.${id}` });

describe('a webhook of WhatsApp', () => {
  it.each<[keyof typeof documented.RECEIVED, object]>([
    ['text', { text: 'Does it come in another color?' }],
    ['image', { text: 'Taj Mahal', ...file('image', '1003383421387256', 'image/jpeg') }],
    ['voice', file('audio', '971571215375675', 'audio/ogg; codecs=opus')],
    ['document', file('document', '971571215375676', 'application/pdf', 'invoice-2026-06.pdf')],
    // A picture may be the proof of a payment, and a sticker never is.
    ['sticker', file('other', '335017183975037', 'image/webp')],
    ['location', file('location', null, null)],
    ['contacts', { ...file('contact', null, null), card: { phone: null } }],
    ['unsupported', file('other', null, null)],
    ['order', file('other', null, null)],
    ['templateButton', { text: 'Unsubscribe', ...answering('HBgLMTY1MDM4Nzk0MzkVAgARGBJFNjk2OTMwNEZCQjhGMzUyQUYA') }],
    [
      'listReply',
      { text: 'Priority Mail Express', ...answering('HBgLMTY1MDM4Nzk0MzkVAgARGBJGMzEyNzhENTZDMzNGODlDRDgA') },
    ],
    ['buttonReply', { text: 'Cancel', ...answering('HBgLMTY1MDM4Nzk0MzkVAgARGBI3MEM2RUJFNkI0RENGQTVDRjUA') }],
  ])('brings the documented message %s', (name, expected) => {
    expect(read(documented.RECEIVED[name])).toEqual([message(expected)]);
  });

  it('brings an edited message as a message with the new words', () => {
    expect(read(documented.RECEIVED.edit)).toEqual([message({ text: 'PARAR' })]);
    expect(read(documented.RECEIVED.editOfCaption)).toEqual([
      message({ text: 'Segue o comprovante', ...file('image', '1003383421387256', 'image/jpeg') }),
    ]);
  });

  it('brings no message where the person has written none', () => {
    expect(read(documented.RECEIVED.reaction)).toEqual([]);
    expect(read(documented.RECEIVED.system).filter(({ kind }) => kind === 'message')).toEqual([]);
    expect(read(documented.RECEIVED.revoke)).toEqual([]);
    expect(read(documented.RECEIVED.editOfUnknownKind)).toEqual([]);
    const inGroup = messagesChange(SENDER, { id: 'w', from: '1', content: { type: 'text', text: { body: 'a' } } });
    const [one] = (inGroup.value as { messages: object[] }).messages;
    Object.assign(one!, { group_id: 'Y2FwaV9ncm91cDox' });
    expect(read(webhookBody(SENDER.accountId, inGroup))).toEqual([]);
  });

  it.each([
    [{ type: 'button', button: { payload: 'quita:already_paid', text: 'Já paguei' } }, 'already_paid', 'Já paguei'],
    [
      {
        type: 'interactive',
        interactive: { type: 'button_reply', button_reply: { id: 'quita:opt_out', title: 'Parar' } },
      },
      'opt_out',
      'Parar',
    ],
    [{ type: 'button', button: { payload: 'quita:drop_tables', text: 'Parar' } }, null, 'Parar'],
    [{ type: 'button', button: { payload: 7, text: 'Parar' } }, null, 'Parar'],
  ])('knows the button of %p', (content, button, text) => {
    const body = webhookBody(
      SENDER.accountId,
      messagesChange(SENDER, { id: 'wamid.1', from: '5511987654321', content }),
    );
    expect(read(body)).toEqual([expect.objectContaining({ kind: 'message', button, text, attachment: null })]);
  });

  it('tells that a person has changed the number, and the new one unless the person hides it', () => {
    const moved = { kind: 'person_moved', senderId: '106540352242922' };
    expect(read(documented.RECEIVED.system)).toEqual([
      expect.objectContaining({ ...moved, fromPhone: '16505551234', toPhone: '12195555358', fromUserId: null }),
    ]);
    const ids = { id: 'wamid.1', fromUserId: 'BR.1', toUserId: 'BR.2', at: 1_790_000_000 };
    const at = new Date('2026-09-21T14:13:20Z');
    expect(read(webhookBody(SENDER.accountId, movedChange(SENDER, ids)))).toEqual([
      { ...moved, fromUserId: 'BR.1', toUserId: 'BR.2', fromPhone: null, toPhone: null, at },
    ]);
    const phones = { ...ids, from: '5511987654321', to: '5511912345678' };
    expect(read(webhookBody(SENDER.accountId, movedChange(SENDER, phones)))).toEqual([
      { ...moved, fromUserId: 'BR.1', toUserId: 'BR.2', fromPhone: phones.from, toPhone: phones.to, at },
    ]);
  });

  it('names a person whose phone WhatsApp withholds', () => {
    const events = read(documented.WITHOUT_PHONE);
    expect(events).toEqual([
      expect.objectContaining({ fromPhone: null, channelUserId: 'US.13491208655302741918', kind: 'message' }),
    ]);
    expect(read(documented.DELIVERED_WITHOUT_PHONE)).toEqual([
      expect.objectContaining({ delivery: 'delivered', channelUserId: 'US.13491208655302741918', messageId: null }),
    ]);
  });

  it('finds the stored number of every mobile, with and without the ninth digit', () => {
    const mobile = fc.tuple(
      fc.constantFrom('11', '21', '31', '51', '61', '71', '85', '98'),
      fc.integer({ min: 2e7, max: 1e8 - 1 }),
    );
    fc.assert(
      fc.property(mobile, ([areaCode, eight]) => {
        for (const from of [`55${areaCode}${eight}`, `55${areaCode}9${eight}`]) {
          const content = { type: 'text', text: { body: 'oi' } };
          const [event] = read(webhookBody(SENDER.accountId, messagesChange(SENDER, { id: 'wamid.1', from, content })));
          const phone = event?.kind === 'message' ? event.fromPhone : null;
          expect(inboundPhones(phone ?? '')).toContain(`+55${areaCode}9${eight}`);
        }
      }),
    );
  });

  it('says why a message was not delivered', () => {
    expect(read(documented.FAILED)).toEqual([
      expect.objectContaining({ delivery: 'failed', failure: { kind: 'undeliverable', channelCode: '131049' } }),
    ]);
    const id = '3f1b6f5e-0c1d-4a53-9d5e-2f5a3c1b7e10';
    const status = { id: 'wamid.1', to: '+5511987654321', callback: id };
    const failed = (code: number) =>
      read(webhookBody(SENDER.accountId, statusChange(SENDER, { ...status, status: 'failed', code })));
    const failure = (code: number, kind: string) => [
      expect.objectContaining({ messageId: id, failure: { kind, channelCode: String(code) } }),
    ];
    expect(failed(131026)).toEqual(failure(131026, 'undeliverable'));
    expect(failed(131047)).toEqual(failure(131047, 'window_closed'));
    expect(failed(131042)).toEqual(failure(131042, 'suspended'));
    expect(failed(132015)).toEqual(failure(132015, 'rejected'));
    expect(failed(987654)).toEqual(failure(987654, 'undeliverable'));
    const strange = { ...status, callback: 'of another program', status: 'sent' };
    expect(read(webhookBody(SENDER.accountId, statusChange(SENDER, strange)))).toEqual([
      expect.objectContaining({ delivery: 'sent', messageId: null, failure: null }),
    ]);
  });

  it('tells of a person who asked WhatsApp itself for silence, the same each time', () => {
    const [wish] = read(documented.STOPPED);
    expect(wish).toMatchObject({ kind: 'opt_out', senderId: '106540352242922', fromPhone: '16505551234' });
    expect(read(documented.STOPPED)).toEqual([wish]);
    expect((wish as { channelMessageId: string }).channelMessageId).not.toContain('1234');
    const resumed = JSON.parse(JSON.stringify(documented.STOPPED).replace('"stop"', '"resume"')) as unknown;
    expect(read(resumed)).toEqual([]);
    const stopped = { id: 'wamid.1', to: '+5511987654321', callback: null, status: 'failed', code: 131050 };
    expect(read(webhookBody(SENDER.accountId, statusChange(SENDER, stopped)))).toEqual([
      expect.objectContaining({ kind: 'opt_out', fromPhone: '5511987654321' }),
      expect.objectContaining({ kind: 'delivery', failure: { kind: 'opted_out', channelCode: '131050' } }),
    ]);
  });

  it('tells of templates, numbers and accounts', async () => {
    const reason = expect.stringMatching(/^INVALID_FORMAT: Your template has parameters placed next to each other/);
    const accountId = '102290129340398';
    const sender = { kind: 'sender', senderId: null, accountId, quality: null, peoplePerDay: null };
    expect(read(documented.TEMPLATE_REJECTED)).toEqual([
      { kind: 'template', accountId, name: 'abandoned_cart', state: 'rejected', reason },
      // The template of Meta's example is marketing.
      { kind: 'template_category', accountId, name: 'abandoned_cart', marketing: 'now', from: null, at: null },
    ]);
    // More messages a second are no more people a day.
    expect(read(documented.THROUGHPUT_UPGRADE)).toEqual([sender]);
    const faster = { event: 'THROUGHPUT_UPGRADE', current_limit: 'TIER_100K' };
    expect(read(webhookBody(accountId, { field: 'phone_number_quality_update', value: faster }))).toEqual([sender]);
    expect(read(documented.ACCOUNT_RESTRICTED)).toEqual([{ ...sender, quality: 'blocked' }]);
    expect(read(documented.NUMBER_IN_TROUBLE)).toEqual([
      { ...sender, senderId: '106540352242922', accountId: null, quality: 'blocked' },
    ]);
    const news = (field: string, value: object) => read(webhookBody(accountId, { field, value }));
    expect(news('business_capability_update', { max_daily_conversations_per_business: 2000 })).toEqual([
      { ...sender, peoplePerDay: 2_000 },
    ]);
    expect(news('business_capability_update', { max_daily_conversations_per_business: -1 })).toEqual([sender]);
    expect(news('phone_number_quality_update', { event: 'FLAGGED', current_limit: 'TIER_10K' })).toEqual([
      { ...sender, quality: 'low', peoplePerDay: 10_000 },
    ]);
    expect(news('account_update', { event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: 'REINSTATE' } })).toEqual([
      { ...sender, quality: 'good' },
    ]);
    expect(news('account_update', { event: 'PARTNER_ADDED' })).toEqual([]);
    for (const event of ['PARTNER_APP_UNINSTALLED', 'PARTNER_REMOVED']) {
      // The entry has the id of the business portfolio then.
      const change = { field: 'account_update', value: { event, waba_info: { waba_id: accountId } } };
      const removed = webhookBody('980198427658004', change);
      expect(read(removed)).toEqual([{ ...sender, quality: 'blocked' }]);
      expect(await whatsAppWebhook.senders(request(removed))).toContain(accountId);
    }
    const template = { message_template_name: 'quita_first_v1', message_template_language: 'pt_BR' };
    const paused = { event: 'LOCKED', other_info: { title: 'FIRST_PAUSE' } };
    expect(news('message_template_status_update', { ...template, ...paused })).toEqual([
      { kind: 'template', accountId, name: 'quita_first_v1', state: 'paused', reason: 'LOCKED' },
    ]);
    const english = { ...template, event: 'APPROVED', message_template_language: 'en_US' };
    expect(news('message_template_status_update', english)).toEqual([]);
  });
});

describe('the signature of WhatsApp', () => {
  const body = Buffer.from('{"object":"whatsapp_business_account","entry":[]}');
  const HEX = 'd3e4f9da0ce6c71ab3dba55929b8eeeee2455349e534924ead19f98d143e904f';
  const verify = (header: string | undefined, ...secrets: readonly string[]) =>
    whatsAppWebhook.verify({ url: URL_OF_WEBHOOK, headers: { 'x-hub-signature-256': header }, body }, secrets);

  it('is that of the documented vector, by any of several secrets', () => {
    expect(verify(`sha256=${HEX}`, 'app-secret')).toBe(true);
    expect(verify(`sha256=${HEX}`, 'new-secret', 'app-secret')).toBe(true);
    expect(verify(`sha256=${HEX.toUpperCase()}`, 'app-secret', 'new-secret')).toBe(true);
  });

  it.each([undefined, '', HEX, `sha1=${HEX}`, `sha256=${HEX.slice(1)}`, `sha256=${HEX}00`, `sha256=${'0'.repeat(64)}`])(
    'is not %s',
    (header) => {
      expect(verify(header, 'app-secret')).toBe(false);
    },
  );

  it('is never made with an empty secret', () => {
    const forged = createHmac('sha256', '').update(body).digest('hex');
    expect(verify(`sha256=${forged}`, '', 'app-secret')).toBe(false);
    expect(verify(`sha256=${HEX}`)).toBe(false);
  });

  it('is made over the bytes and not over what they mean', () => {
    const spaced = signed(URL_OF_WEBHOOK, '{"entry": [],  "object":"whatsapp_business_account"}', 'app-secret');
    expect(whatsAppWebhook.verify(spaced, ['app-secret'])).toBe(true);
    expect(verify(spaced.headers['x-hub-signature-256'], 'app-secret')).toBe(false);
  });
});

describe('the question by which Meta checks the address', () => {
  const question = { 'hub.mode': 'subscribe', 'hub.challenge': '1158201444', 'hub.verify_token': 'token-of-operator' };

  it('is answered with the challenge', () => {
    expect(answerToSubscription(question, 'token-of-operator')).toBe('1158201444');
  });

  it.each([
    [{ 'hub.verify_token': 'another' }],
    [{ 'hub.verify_token': undefined }],
    [{ 'hub.mode': 'unsubscribe' }],
    [{ 'hub.challenge': '<script>' }],
    [{ 'hub.challenge': undefined }],
  ])('is not answered with %p', (change) => {
    expect(answerToSubscription({ ...question, ...change }, 'token-of-operator')).toBeNull();
  });

  it('is not answered without a token of the operator', () => {
    expect(answerToSubscription({ ...question, 'hub.verify_token': '' }, '')).toBeNull();
  });
});
