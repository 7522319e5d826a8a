/** A local Zenvia, for SMS and subscriptions only, with the answers of its documentation. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { ChannelRequest } from '../../src/modules/messaging/ports/channel-webhook.ts';
import type { ChannelCredentials } from '../../src/modules/messaging/ports/messaging-channel.ts';
import type { BadDay, FakeChannel, TakenMessage } from './fake-channel.ts';
import { type ApiAnswer, type ApiRequest, LocalApi, postTo } from './local-api.ts';

const problem = (status: number, code: string, message: string, headers: Record<string, string> = {}): ApiAnswer => ({
  status,
  body: { code, message },
  headers,
});

export interface FakeSubscription {
  readonly id: string;
  readonly eventType: string;
  readonly criteria: { readonly channel: string; readonly direction?: string };
  webhook: { url: string; headers?: Record<string, string> };
  status: string;
}

export interface FakeZenviaOptions {
  readonly port?: number;
  /** Posts the states `SENT` and `DELIVERED` of each message to the subscribed address, as a tour needs. */
  readonly reports?: boolean;
}

interface ZenviaMessage extends TakenMessage {
  readonly externalId: string | null;
}

export class FakeZenvia extends LocalApi<ZenviaMessage> implements FakeChannel {
  readonly credentials: ChannelCredentials = {
    senderId: 'escola.azul',
    accountId: null,
    accessToken: randomBytes(24).toString('base64url'),
    webhookSecret: randomBytes(24).toString('base64url'),
  };
  readonly subscriptions: FakeSubscription[] = [];
  readonly #reports: boolean;

  private constructor({ reports = false }: FakeZenviaOptions) {
    super();
    this.#reports = reports;
  }

  static async open(options: FakeZenviaOptions = {}): Promise<FakeZenvia> {
    return new FakeZenvia(options).start(options.port);
  }

  deliveryRequest(url: string, message: TakenMessage, delivery: 'delivered' | 'read' | 'failed'): ChannelRequest {
    const code = { delivered: 'DELIVERED', read: 'READ', failed: 'NOT_DELIVERED' }[delivery];
    const causes = delivery === 'failed' ? [{ reason: '145 - Inactive mobile number', details: message.to }] : [];
    return this.statusRequest(url, message, code, causes);
  }

  statusRequest(url: string, message: TakenMessage, code: string, causes: unknown = []): ChannelRequest {
    const externalId = this.messages.find((one) => one.channelMessageId === message.channelMessageId)?.externalId;
    return this.#event(url, {
      type: 'MESSAGE_STATUS',
      channel: 'sms',
      messageId: message.channelMessageId,
      contentIndex: 0,
      message: {
        id: message.channelMessageId,
        ...(externalId === null ? {} : { externalId }),
        contentIndex: 0,
        direction: 'OUT',
        from: this.credentials.senderId,
        to: message.to,
      },
      messageStatus: {
        timestamp: new Date().toISOString(),
        code,
        description: 'The message has been forwarded to the provider',
        causes,
        channelData: { sms: { carrier: 'VIVO_BR' } },
      },
    });
  }

  messageRequest(
    url: string,
    message: { readonly id: string; readonly from: string; readonly text: string },
  ): ChannelRequest {
    return this.#event(url, {
      type: 'MESSAGE',
      channel: 'sms',
      direction: 'IN',
      message: {
        id: message.id,
        from: message.from,
        to: this.credentials.senderId,
        direction: 'IN',
        channel: 'sms',
        visitor: { name: message.from },
        contents: [{ type: 'text', text: message.text }],
        timestamp: new Date().toISOString(),
      },
    });
  }

  #event(url: string, event: object): ChannelRequest {
    const body = { id: randomUUID(), timestamp: new Date().toISOString(), subscriptionId: randomUUID(), ...event };
    return {
      url,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${this.credentials.webhookSecret}` },
      body: Buffer.from(JSON.stringify(body)),
    };
  }

  protected answer(request: ApiRequest, day: BadDay | undefined): ApiAnswer {
    if (day === 'wrong_token' || request.headers['x-api-token'] !== this.credentials.accessToken) {
      return problem(401, 'AUTHENTICATION_ERROR', 'No authorization token was found');
    }
    const { pathname } = request.url;
    if (pathname === '/v2/channels/sms/messages' && request.method === 'POST') return this.#send(request, day);
    if (pathname.startsWith('/v2/subscriptions')) return this.#subscriptions(request, pathname.split('/')[3]);
    return problem(404, 'NOT_FOUND', 'Not found');
  }

  #send(request: ApiRequest, day: BadDay | undefined): ApiAnswer {
    const sent = JSON.parse(request.body) as {
      from: string;
      to: string;
      externalId?: string;
      contents: { type: string; text: string }[];
    };
    switch (day) {
      case 'throttled':
        return { status: 429, body: '' };
      case 'throttled_with_retry_after':
        return { status: 429, body: '', headers: { 'retry-after': '3' } };
      case 'server_error':
        return problem(500, 'INTERNAL_ERROR', 'Internal error');
      case 'no_permission':
        return { status: 403, body: '' };
      case 'refused_content':
        return {
          status: 400,
          body: {
            code: 'VALIDATION_ERROR',
            message: 'Validation error',
            details: [{ code: 'VALIDATION_ERROR', path: 'body.contents[0].text', message: `refused for ${sent.to}` }],
          },
        };
      default:
    }
    if (!/^55\d{10,11}$/.test(sent.to)) return problem(400, 'VALIDATION_ERROR', 'Validation error');
    const message = {
      channelMessageId: randomUUID(),
      to: sent.to,
      text: sent.contents.map(({ text }) => text).join('\n'),
      externalId: sent.externalId ?? null,
    };
    this.messages.push(message);
    if (day === 'no_answer') return { status: 0, lost: true };
    if (day === 'server_error_after_taking') return problem(500, 'INTERNAL_ERROR', 'Internal error');
    if (day === 'malformed_answer') return { status: 200, body: '{"id":' };
    if (this.#reports) void this.#report(message);
    return { status: 200, body: { ...sent, id: message.channelMessageId, direction: 'OUT', channel: 'sms' } };
  }

  #subscriptions(request: ApiRequest, id: string | undefined): ApiAnswer {
    if (request.method === 'GET') {
      // The list does not show the headers, which hold secrets.
      const shown = this.subscriptions.map(({ webhook, ...one }) => ({ ...one, webhook: { url: webhook.url } }));
      return { status: 200, body: [...shown, { id: 'other', eventType: 'CONTACT' }] };
    }
    const given = JSON.parse(request.body) as Omit<FakeSubscription, 'id'>;
    if (request.method === 'POST') {
      const same = this.subscriptions.filter((one) => one.eventType === given.eventType);
      if (same.some((one) => one.webhook.url === given.webhook.url)) {
        return problem(409, 'DUPLICATED', 'Entity already exists');
      }
      if (same.length >= 2) return problem(400, 'VALIDATION_ERROR', 'Validation error');
      const created = { ...given, id: randomUUID() };
      this.subscriptions.push(created);
      return { status: 200, body: created };
    }
    const found = this.subscriptions.find((one) => one.id === id);
    if (request.method !== 'PATCH' || found === undefined) return problem(404, 'NOT_FOUND', 'Not found');
    Object.assign(found, { webhook: given.webhook, status: given.status });
    return { status: 200, body: found };
  }

  async #report(message: ZenviaMessage): Promise<void> {
    const subscribed = this.subscriptions.find((one) => one.eventType === 'MESSAGE_STATUS');
    if (subscribed === undefined) return;
    for (const code of ['SENT', 'DELIVERED']) {
      const { url, body } = this.statusRequest(subscribed.webhook.url, message, code);
      const headers = { 'content-type': 'application/json', ...subscribed.webhook.headers };
      await postTo({ url, headers, body }).catch(() => undefined);
    }
  }
}
