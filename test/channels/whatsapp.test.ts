import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { staticBrCode } from '../../src/kernel/brcode.ts';
import { WHATSAPP_BASE_URL } from '../../src/modules/messaging/adapters/whatsapp/graph-client.ts';
import { createWhatsAppChannel } from '../../src/modules/messaging/adapters/whatsapp/whatsapp-channel.ts';
import { whatsAppWebhook } from '../../src/modules/messaging/adapters/whatsapp/whatsapp-webhook.ts';
import type {
  OutgoingMessage,
  PixInMessage,
  TemplateText,
} from '../../src/modules/messaging/ports/messaging-channel.ts';
import { type FakeWhatsApp, startFakeWhatsApp } from '../../testing/channels/fake-whatsapp.ts';
import { graphError } from '../../testing/channels/whatsapp/answers.ts';
import { userIdOf } from '../../testing/channels/whatsapp/payloads.ts';
import { describeChannel } from './channel-suite.ts';

const PHONE = '+5561998765432';
const TEMPLATE: TemplateText = {
  name: 'quita_first_v1',
  language: 'pt_BR',
  body: 'Olá, {{1}}. Há um pagamento em aberto: {{2}} é a página.',
  examples: ['Ana', 'https://quita.example/c/1'],
  buttons: [
    { title: 'Já paguei', intent: 'already_paid' },
    { title: 'Não sou eu', intent: 'wrong_person' },
  ],
  document: false,
};
const channelAt = (fake: FakeWhatsApp, timeoutMs = 5_000) =>
  createWhatsAppChannel({ baseUrl: fake.baseUrl, templates: [TEMPLATE], timeoutMs });

describeChannel(
  'WhatsApp',
  async () => {
    const fake = await startFakeWhatsApp();
    return {
      channel: channelAt(fake),
      webhook: whatsAppWebhook,
      fake,
      recipient: { phone: PHONE },
      debtor: '556198765432',
      secret: fake.secret,
    };
  },
  {
    expected: {
      throttled: 'retryable',
      throttled_with_retry_after: 'retryable',
      recipient_throttled: 'retryable',
      server_error: 'retryable',
      no_answer: 'unknown_outcome',
      server_error_after_taking: 'unknown_outcome',
      malformed_answer: 'unknown_outcome',
      wrong_token: 'unauthorized',
      no_permission: 'unauthorized',
      unreachable_recipient: 'undeliverable',
      refused_content: 'rejected',
      suspended: 'suspended',
      refused_connection: 'retryable',
    },
  },
);

describe('WhatsApp sends', () => {
  let fake: FakeWhatsApp;
  beforeEach(async () => {
    fake = await startFakeWhatsApp();
  });
  afterEach(() => fake.close());

  const PIX: PixInMessage = {
    code: staticBrCode({
      key: '11222333000181',
      merchantName: 'ESCOLA AURORA',
      merchantCity: 'RECIFE',
      amountCentavos: 15_075,
    }),
    reference: 'b0f1f8d2-7f0c-4c55-9b7e-2f3b9f3c2d10',
    amountCentavos: 15_075,
    receiver: { name: 'ESCOLA AURORA', key: '11222333000181', keyType: 'CNPJ' },
    item: 'Pagamento para Escola Aurora',
    shownUntil: new Date(Date.now() + 3_600_000),
  };

  describe('a Pix code', () => {
    beforeEach(() => {
      fake.payments.enabled = true;
      fake.messageRequest('https://quita.example', { id: randomUUID(), from: PHONE, text: 'Quero pagar' });
    });

    it('as an order of the documented form, under the text of the message', async () => {
      await send({ text: 'São R$ 150,75.', pix: PIX });
      const [taken] = fake.taken;
      expect(taken?.text).toBe('São R$ 150,75.');
      expect(taken?.body).toMatchObject({
        type: 'interactive',
        interactive: {
          type: 'order_details',
          action: {
            name: 'review_and_pay',
            parameters: {
              reference_id: PIX.reference,
              type: 'digital-goods',
              payment_type: 'br',
              currency: 'BRL',
              total_amount: { value: 15_075, offset: 100 },
              order: {
                status: 'pending',
                expiration: { timestamp: String(Math.floor(PIX.shownUntil.getTime() / 1_000)) },
              },
            },
          },
        },
      });
    });

    it('is refused as such where the account may send none, outside of the window, and in a form that is not documented', async () => {
      fake.payments.enabled = false;
      expect(await failure({ pix: PIX })).toMatchObject({ ofPixCode: 'sender', surelyNotSent: true });
      fake.payments.enabled = true;
      expect(await failure({ pix: PIX, to: { phone: '+5561998765433' } })).toMatchObject({ kind: 'window_closed' });
      await send({ pix: PIX });
      expect(await failure({ pix: PIX })).toMatchObject({ kind: 'rejected', channelCode: '131009' });
      const other = { ...PIX, reference: 'other', receiver: { ...PIX.receiver, keyType: 'EVP' as const } };
      expect(await failure({ pix: other })).toMatchObject({ channelCode: '131009', ofPixCode: 'sender' });
    });

    it('that cannot be shown long enough, or under so long a text, is not asked for', async () => {
      const before = fake.requests.length;
      const soon = { ...PIX, shownUntil: new Date(Date.now() + 60_000) };
      expect(await failure({ pix: soon })).toMatchObject({ ofPixCode: 'message' });
      expect(await failure({ pix: PIX, text: 'a'.repeat(1_025) })).toMatchObject({ ofPixCode: 'message' });
      expect(fake.requests).toHaveLength(before);
    });

    it('whose refusal says nothing of the code is a failure like any other', async () => {
      for (const day of ['wrong_token', 'throttled', 'suspended', 'unreachable_recipient'] as const) {
        fake.next(day);
        expect([day, (await failure({ pix: PIX }))?.['ofPixCode']]).toEqual([day, undefined]);
      }
      fake.next('no_answer');
      expect(await failure({ pix: PIX })).toMatchObject({ kind: 'unknown_outcome', ofPixCode: undefined });
    });
  });

  const message = (change: Partial<OutgoingMessage> = {}): OutgoingMessage => ({
    id: randomUUID(),
    to: { phone: PHONE },
    text: 'Olá, Ana.',
    context: { clientId: randomUUID(), debtId: randomUUID(), purpose: 'reply', at: new Date() },
    credentials: fake.credentials,
    ...change,
  });
  const send = (change?: Partial<OutgoingMessage>) => channelAt(fake).send(message(change));
  const failure = (change?: Partial<OutgoingMessage>) =>
    send(change).then(
      () => null,
      (error: unknown) => error as Record<string, unknown>,
    );
  const document = {
    filename: 'quitacao.pdf',
    contentType: 'application/pdf',
    content: Buffer.from('%PDF-1.7 receipt'),
    url: 'https://quita.example/r',
  };

  it('a text in the documented form, with the id that delivery states repeat', async () => {
    const sent = message();
    await channelAt(fake).send(sent);
    expect(fake.taken[0]?.body).toEqual({
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: PHONE,
      biz_opaque_callback_data: sent.id,
      type: 'text',
      text: { preview_url: false, body: 'Olá, Ana.' },
    });
    const states = whatsAppWebhook.read(fake.deliveryRequest('https://x.example', fake.taken[0]!, 'read'));
    expect(states).toEqual([expect.objectContaining({ messageId: sent.id, channelUserId: userIdOf(PHONE) })]);
  });

  it('a template with what its buttons mean, and parameters on one line', async () => {
    fake.templates.add(TEMPLATE.name, TEMPLATE.body, {
      components: [
        { type: 'BODY', text: TEMPLATE.body },
        { type: 'BUTTONS', buttons: [{}, {}] },
      ],
    });
    const template = { name: TEMPLATE.name, language: 'pt_BR', parameters: ['Ana\n\tMaria', 'https://q.example/1'] };
    await send({ template } as never);
    expect(fake.taken[0]).toMatchObject({
      text: 'Olá, Ana Maria. Há um pagamento em aberto: https://q.example/1 é a página.',
      body: {
        template: {
          name: TEMPLATE.name,
          language: { code: 'pt_BR' },
          components: [
            { type: 'body' },
            { type: 'button', sub_type: 'quick_reply', index: '0', parameters: [{ payload: 'quita:already_paid' }] },
            { type: 'button', sub_type: 'quick_reply', index: '1', parameters: [{ payload: 'quita:wrong_person' }] },
          ],
        },
      },
    });
  });

  it.each(['held_for_quality_assessment', 'paused'])(
    'a template that is %s once, and counts it as sent',
    async (pacing) => {
      fake.templates.add('quita_short_v1', 'Olá.');
      fake.pacing = pacing;
      const sent = await send({ template: { name: 'quita_short_v1', language: 'pt_BR', parameters: [] } });
      expect(sent.channelMessageId).toBe(fake.taken[0]?.channelMessageId);
      expect(fake.taken).toHaveLength(1);
    },
  );

  it('a document by its upload, with the text under it', async () => {
    await send({ document });
    const [[id, file] = []] = [...fake.files.all];
    expect(file).toMatchObject({ contentType: 'application/pdf', content: document.content });
    expect(fake.taken[0]?.body).toMatchObject({
      type: 'document',
      document: { id, filename: 'quitacao.pdf', caption: 'Olá, Ana.' },
    });
  });

  it('a document in the header of a template', async () => {
    const components = [
      { type: 'HEADER', format: 'DOCUMENT' },
      { type: 'BODY', text: 'Pago, {{1}}. Obrigado.' },
    ];
    fake.templates.add('quita_receipt_v1', '', { components });
    await send({ document, template: { name: 'quita_receipt_v1', language: 'pt_BR', parameters: ['Ana'] } });
    const header = [{ type: 'document', document: { id: [...fake.files.all.keys()][0], filename: 'quitacao.pdf' } }];
    expect(fake.taken[0]).toMatchObject({
      text: 'Pago, Ana. Obrigado.',
      body: { template: { components: [{ type: 'header', parameters: header }, { type: 'body' }] } },
    });
  });

  it('nothing when the upload fails, however it fails, so that it may be tried again', async () => {
    for (const day of ['no_answer', 'server_error_after_taking', 'malformed_answer'] as const) {
      fake.next(day);
      expect(await failure({ document })).toMatchObject({ kind: 'retryable' });
    }
    expect(fake.taken).toEqual([]);
  });

  it('nothing when the text is longer than WhatsApp allows', async () => {
    expect(await failure({ text: 'a'.repeat(4_097) })).toMatchObject({ kind: 'rejected' });
    expect(await failure({ text: 'a'.repeat(1_025), document })).toMatchObject({ kind: 'rejected' });
    const template = { name: TEMPLATE.name, language: 'pt_BR', parameters: ['Ana', ' '] } as const;
    expect(await failure({ template })).toMatchObject({ kind: 'rejected' });
    expect(fake.requests).toEqual([]);
  });

  it('to the person’s id when the number is not known', async () => {
    const sent = await send({ to: { phone: '', channelUserId: 'BR.13491208655302741918' } });
    expect(fake.taken[0]?.body).toMatchObject({ recipient: 'BR.13491208655302741918' });
    expect(fake.taken[0]?.body).not.toHaveProperty('to');
    expect(sent.channelUserId).toBe('BR.13491208655302741918');
  });

  it('and waits longer after each refusal of the same pair', async () => {
    const channel = channelAt(fake);
    const waits = async (to: string) => {
      fake.next('recipient_throttled');
      const error: unknown = await channel.send(message({ to: { phone: to } })).catch((reason: unknown) => reason);
      return (error as { retryAfterSeconds?: number }).retryAfterSeconds;
    };
    const other = '+5511987654321';
    expect([await waits(PHONE), await waits(PHONE), await waits(other), await waits(PHONE)]).toEqual([1, 4, 1, 16]);
    await channel.send(message());
    expect(await waits(PHONE)).toBe(1);
  });

  it('and says how long an account that has called too often has to wait', async () => {
    const usage = { '1022': [{ type: 'messaging', call_count: 100, estimated_time_to_regain_access: 19 }] };
    const headers = { 'x-business-use-case-usage': JSON.stringify(usage) };
    fake.answerNext(graphError(80007, { headers }), graphError(131057, { status: 500 }));
    expect(await failure()).toMatchObject({ kind: 'retryable', scope: 'sender', retryAfterSeconds: 1_140 });
    expect(await failure()).toMatchObject({ kind: 'retryable', scope: 'sender', retryAfterSeconds: 60 });
  });

  it('and blames the sender for its own deleted number, and nobody when a part of Meta is down', async () => {
    fake.answerNext(graphError(803, { status: 404 }));
    expect(await failure()).toMatchObject({ kind: 'unauthorized' });
    fake.answerNext(graphError(100, { status: 422, type: 'GraphMethodException' }));
    expect(await failure()).toMatchObject({ kind: 'retryable' });
  });

  it('once and does not know the outcome when no answer comes in time', async () => {
    const sockets = createServer(() => undefined).listen(0, '127.0.0.1');
    await new Promise((resolve) => sockets.once('listening', resolve));
    const baseUrl = `http://127.0.0.1:${(sockets.address() as AddressInfo).port}`;
    const channel = createWhatsAppChannel({ baseUrl, templates: [], timeoutMs: 300 });
    await expect(channel.send(message())).rejects.toMatchObject({ kind: 'unknown_outcome' });
    sockets.closeAllConnections();
    sockets.close();
  });

  it.each([
    ['a redirect', { status: 307, headers: { location: 'http://127.0.0.1:1/steal' }, body: '' }],
    ['a page of a proxy', { status: 502, body: '<html>Bad Gateway</html>' }],
    ['an answer without a message', { status: 200, body: { messages: [] } }],
    ['an endless answer', { status: 200, body: 'a'.repeat(3 * 1024 * 1024) }],
  ])('and does not know the outcome after %s', async (_what, answer) => {
    fake.answerNext(answer);
    expect(await failure()).toMatchObject({ kind: 'unknown_outcome' });
    expect(fake.requests).toHaveLength(1);
  });

  it('by the documented address of Meta, with a version', () => {
    expect(WHATSAPP_BASE_URL).toMatch(/^https:\/\/graph\.facebook\.com\/v\d+\.0$/);
  });
});
