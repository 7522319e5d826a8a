/** A local Twilio, for SMS only, with the answers of its documentation. */
import { createHmac, randomBytes } from 'node:crypto';
import type { ChannelRequest } from '../../src/modules/messaging/ports/channel-webhook.ts';
import type { ChannelCredentials } from '../../src/modules/messaging/ports/messaging-channel.ts';
import type { BadDay, FakeChannel, TakenMessage } from './fake-channel.ts';
import { type ApiAnswer, type ApiRequest, LocalApi, postTo } from './local-api.ts';

const problem = (status: number, code: number, message: string, headers: Record<string, string> = {}): ApiAnswer => ({
  status,
  body: { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status },
  headers,
});

const hex = (): string => randomBytes(16).toString('hex');

export interface FakeTwilioOptions {
  readonly port?: number;
  readonly senderId?: string;
  /** Posts the states `sent` and `delivered` of each message to its `StatusCallback`, as a tour needs. */
  readonly reports?: boolean;
}

export class FakeTwilio extends LocalApi implements FakeChannel {
  readonly credentials: ChannelCredentials;
  /** The query of each message's `StatusCallback`, which its states repeat. */
  readonly #callbacks = new Map<string, string>();
  readonly #reports: boolean;
  /** People who have sent STOP. Twilio then refuses every message of the sender to them. */
  readonly optedOut = new Set<string>();
  accountStatus = 'active';

  private constructor({ senderId = '+5511400412345', reports = false }: FakeTwilioOptions) {
    super();
    const token = hex();
    this.credentials = { senderId, accountId: `AC${hex()}`, accessToken: token, webhookSecret: token };
    this.#reports = reports;
  }

  static async open(options: FakeTwilioOptions = {}): Promise<FakeTwilio> {
    return new FakeTwilio(options).start(options.port);
  }

  deliveryRequest(url: string, message: TakenMessage, delivery: 'delivered' | 'read' | 'failed'): ChannelRequest {
    const status = delivery === 'failed' ? 'undelivered' : delivery;
    return this.statusRequest(url, message, status, delivery === 'failed' ? '30005' : undefined);
  }

  statusRequest(url: string, message: TakenMessage, status: string, errorCode?: string): ChannelRequest {
    return this.signed(`${url}${this.#callbacks.get(message.channelMessageId) ?? ''}`, {
      ApiVersion: '2010-04-01',
      AccountSid: this.credentials.accountId!,
      MessageSid: message.channelMessageId,
      SmsSid: message.channelMessageId,
      MessageStatus: status,
      SmsStatus: status,
      From: this.credentials.senderId,
      To: message.to,
      ...(errorCode === undefined ? {} : { ErrorCode: errorCode }),
    });
  }

  messageRequest(
    url: string,
    message: { readonly id: string; readonly from: string; readonly text: string },
    fields: Readonly<Record<string, string>> = {},
  ): ChannelRequest {
    const sid = `SM${message.id.replaceAll('-', '')}`;
    return this.signed(url, {
      ToCountry: 'BR',
      ToState: '',
      SmsMessageSid: sid,
      NumMedia: '0',
      ToCity: '',
      FromZip: '',
      SmsSid: sid,
      FromState: '',
      SmsStatus: 'received',
      FromCity: '',
      Body: message.text,
      FromCountry: 'BR',
      To: this.credentials.senderId,
      ToZip: '',
      NumSegments: '1',
      MessageSid: sid,
      AccountSid: this.credentials.accountId!,
      From: message.from,
      ApiVersion: '2010-04-01',
      ...fields,
    });
  }

  signed(url: string, fields: Readonly<Record<string, string>>): ChannelRequest {
    const signedText = Object.keys(fields)
      .sort()
      .reduce((text, name) => text + name + fields[name], url);
    const signature = createHmac('sha1', this.credentials.accessToken).update(signedText).digest('base64');
    return {
      url,
      headers: {
        'content-type': 'application/x-www-form-urlencoded; charset=UTF-8',
        'x-twilio-signature': signature,
        'i-twilio-idempotency-token': hex(),
      },
      body: Buffer.from(new URLSearchParams(fields).toString()),
    };
  }

  protected answer(request: ApiRequest, day: BadDay | undefined): ApiAnswer {
    const { accountId, accessToken, senderId } = this.credentials;
    const basic = `Basic ${Buffer.from(`${accountId}:${accessToken}`).toString('base64')}`;
    if (day === 'wrong_token' || request.headers.authorization !== basic) {
      return problem(401, 20003, 'Authenticate');
    }
    const root = `/2010-04-01/Accounts/${accountId}`;
    const { pathname, searchParams } = request.url;
    if (request.method === 'POST' && pathname === `${root}/Messages.json`) return this.#send(request, day);
    if (request.method !== 'GET') return problem(405, 20004, 'Method not allowed');
    if (pathname === `${root}.json`) {
      return {
        status: 200,
        body: { sid: accountId, status: this.accountStatus, type: 'Full', friendly_name: 'Quita' },
      };
    }
    if (pathname === `${root}/IncomingPhoneNumbers.json`) {
      const found = searchParams.get('PhoneNumber') === senderId;
      const numbers = found ? [{ phone_number: senderId, capabilities: { sms: true, voice: true } }] : [];
      return { status: 200, body: { incoming_phone_numbers: numbers, page: 0, page_size: 1 } };
    }
    if (pathname === `${root}/SMS/ShortCodes.json`) {
      const found = searchParams.get('ShortCode') === senderId;
      return { status: 200, body: { short_codes: found ? [{ short_code: senderId }] : [], page: 0, page_size: 1 } };
    }
    return problem(404, 20404, `The requested resource ${pathname} was not found`);
  }

  #send(request: ApiRequest, day: BadDay | undefined): ApiAnswer {
    const form = new URLSearchParams(request.body);
    const to = form.get('To') ?? '';
    switch (day) {
      case 'throttled':
        return problem(429, 20429, 'Too Many Requests');
      case 'throttled_with_retry_after':
        return problem(429, 20429, 'Too Many Requests', { 'retry-after': '3' });
      case 'server_error':
        return { status: 503, body: '<html><body>503 Service Unavailable</body></html>' };
      case 'no_permission':
        return problem(400, 21408, `Permission to send an SMS has not been enabled for the region: ${to}`);
      case 'unreachable_recipient':
        return problem(400, 21614, `'To' number is not a valid mobile number: ${to}`);
      case 'refused_content':
        return problem(400, 21617, 'The concatenated message body exceeds the 1600 character limit');
      case 'suspended':
        return problem(403, 20005, `Account ${this.credentials.accountId} is not active`);
      default:
    }
    if (form.get('From') !== this.credentials.senderId) {
      return problem(400, 21660, `Mismatch between the 'From' number ${form.get('From')} and the account`);
    }
    if (!/^\+55\d{2}9\d{8}$/.test(to)) return problem(400, 21614, `'To' number is not a valid mobile number: ${to}`);
    if (this.optedOut.has(to)) return problem(400, 21610, `Attempt to send to unsubscribed recipient ${to}`);
    const message = { channelMessageId: `SM${hex()}`, to, text: form.get('Body') ?? '' };
    this.messages.push(message);
    const callback = form.get('StatusCallback') ?? '';
    this.#callbacks.set(message.channelMessageId, URL.parse(callback)?.search ?? '');
    if (day === 'no_answer') return { status: 0, lost: true };
    if (day === 'server_error_after_taking') return problem(500, 20500, 'An internal server error has occurred');
    if (day === 'malformed_answer') return { status: 201, body: '{"sid":' };
    if (this.#reports) void this.#report(message, callback.split('?', 1)[0]!);
    return {
      status: 201,
      body: {
        sid: message.channelMessageId,
        account_sid: this.credentials.accountId,
        status: 'queued',
        direction: 'outbound-api',
        from: this.credentials.senderId,
        to,
        body: message.text,
        num_segments: '2',
        num_media: '0',
        error_code: null,
        error_message: null,
        price: null,
      },
    };
  }

  async #report(message: TakenMessage, url: string): Promise<void> {
    for (const status of ['sent', 'delivered']) {
      await postTo(this.statusRequest(url, message, status)).catch(() => undefined);
    }
  }
}
