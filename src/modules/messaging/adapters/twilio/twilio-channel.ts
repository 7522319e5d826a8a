import { z } from 'zod';
import { foldForSms, STANDARD_SEGMENTS } from '../../../../kernel/sms-text.ts';
import {
  type ChannelCredentials,
  type CheckedSender,
  type MessagingChannel,
  MessagingError,
} from '../../ports/messaging-channel.ts';
import { SMS_CAPABILITIES } from '../sms/capabilities.ts';
import { callSmsApi, failureOfStatus, type SmsAnswer, type SmsRequest } from '../sms/http.ts';
import { prepareSms } from '../sms/prepare-sms.ts';
import { failureOfCode } from './twilio-errors.ts';
import { callbackOf } from './twilio-request.ts';

export interface TwilioOptions {
  readonly baseUrl?: string;
  /** The public address to which Twilio posts delivery states: `PUBLIC_URL/api/messaging/twilio`. */
  readonly statusCallbackUrl: string;
  readonly timeoutMs?: number;
  /**
   * How long a message may wait at Twilio. A message that is sent within the contact window must not arrive hours after
   * it, which Twilio's own default of ten hours would allow.
   */
  readonly validitySeconds?: number;
}

const ACCOUNT = /^AC[0-9a-fA-F]{32}$/;
/** A number, or a short code. Carriers in Brazil take no sender that is a word. */
const SENDER = /^(?:\+[1-9]\d{7,14}|\d{3,8})$/;
const id = z.string().regex(/^[A-Za-z0-9]{10,64}$/);
const code = z.union([z.number(), z.string()]).nullish().catch(null);
const sentAnswer = z.object({ sid: id, status: z.string().catch(''), error_code: code });
const errorAnswer = z.object({ code });
const accountAnswer = z.object({ status: z.string() });
const capable = z.object({ capabilities: z.object({ sms: z.boolean().optional() }).optional().catch(undefined) });
const sendersAnswer = z.object({
  incoming_phone_numbers: z.array(capable).optional(),
  short_codes: z.array(z.object({})).optional(),
});

/** States of an accepted message that will never be sent. */
const FAILED = ['failed', 'undelivered', 'canceled'];

export function createTwilioChannel(options: TwilioOptions): MessagingChannel {
  const { timeoutMs = 10_000, validitySeconds = 900 } = options;
  const baseUrl = (options.baseUrl ?? 'https://api.twilio.com').replace(/\/+$/, '');

  async function call<T>(request: TwilioRequest, answerOf: z.ZodType<T>): Promise<T> {
    const { credentials, path, form } = request;
    const sent: SmsRequest = {
      provider: 'Twilio',
      method: form === undefined ? 'GET' : 'POST',
      url: `${baseUrl}/2010-04-01/Accounts/${accountOf(credentials)}${path}`,
      headers: {
        authorization: `Basic ${Buffer.from(`${accountOf(credentials)}:${tokenOf(credentials)}`).toString('base64')}`,
        ...(form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(form === undefined ? {} : { body: new URLSearchParams(form).toString() }),
      timeoutMs,
    };
    const answer = await callSmsApi(sent);
    const ok = answer.status >= 200 && answer.status < 300;
    const read = ok ? answerOf.safeParse(answer.body) : undefined;
    if (read?.success === true) return read.data;
    throw ok ? failureOfStatus(sent, answer) : failureOfAnswer(sent, answer);
  }

  return {
    name: 'twilio',
    capabilities: SMS_CAPABILITIES,

    formsOf: ({ text }) => [foldForSms(text)],

    async send(message) {
      const credentials = required(message.credentials);
      const { phone, body } = prepareSms(message, STANDARD_SEGMENTS);
      const answer = await call(
        {
          credentials,
          path: '/Messages.json',
          form: {
            To: phone,
            From: senderOf(credentials),
            Body: body,
            StatusCallback: callbackOf(options.statusCallbackUrl, message.id),
            ValidityPeriod: String(validitySeconds),
          },
        },
        sentAnswer,
      );
      if (FAILED.includes(answer.status)) throw failureOf(String(answer.error_code ?? ''), answer.status);
      return { channelMessageId: answer.sid, channelUserId: null };
    },

    async checkCredentials(given): Promise<CheckedSender> {
      const credentials = required(given);
      const sender = senderOf(credentials);
      const account = await call({ credentials, path: '.json' }, accountAnswer);
      if (account.status !== 'active') throw new MessagingError('suspended', 'the Twilio account is not active');
      const query = sender.startsWith('+')
        ? `/IncomingPhoneNumbers.json?PageSize=1&PhoneNumber=${encodeURIComponent(sender)}`
        : `/SMS/ShortCodes.json?PageSize=1&ShortCode=${sender}`;
      const found = await call({ credentials, path: query }, sendersAnswer);
      const numbers = found.incoming_phone_numbers ?? [];
      if (numbers.length + (found.short_codes ?? []).length === 0) {
        throw new MessagingError('rejected', 'the Twilio account has no such sender');
      }
      if (numbers[0]?.capabilities?.sms === false) {
        throw new MessagingError('rejected', 'this number of the Twilio account cannot send SMS');
      }
      return { shownAs: sender, peoplePerDay: null };
    },
  };
}

interface TwilioRequest {
  readonly credentials: ChannelCredentials;
  /** Behind the address of the account. */
  readonly path: string;
  readonly form?: Readonly<Record<string, string>>;
}

function required(credentials: ChannelCredentials | null): ChannelCredentials {
  if (credentials === null) throw new MessagingError('unauthorized', 'there are no credentials');
  return credentials;
}

function accountOf({ accountId }: ChannelCredentials): string {
  if (accountId === null || !ACCOUNT.test(accountId)) {
    throw new MessagingError('unauthorized', 'there is no usable account SID');
  }
  return accountId;
}

function tokenOf({ accessToken }: ChannelCredentials): string {
  if (!/^[\x21-\x7e]{1,512}$/.test(accessToken)) throw new MessagingError('unauthorized', 'there is no usable token');
  return accessToken;
}

function senderOf({ senderId }: ChannelCredentials): string {
  if (!SENDER.test(senderId)) throw new MessagingError('unauthorized', 'the sender is no number and no short code');
  return senderId;
}

/** Only the code is read, because Twilio's texts repeat the recipient's number. */
function failureOfAnswer(request: SmsRequest, answer: SmsAnswer): MessagingError {
  const read = errorAnswer.safeParse(answer.body);
  const channelCode = read.success && /^\d{4,6}$/.test(String(read.data.code)) ? String(read.data.code) : null;
  // A server error comes with a code too, and says nothing about whether the message was taken.
  const known = channelCode === null || answer.status >= 500 ? undefined : failureOfCode(channelCode);
  const failure = failureOfStatus(request, answer);
  return new MessagingError(known?.kind ?? failure.kind, `Twilio answered ${answer.status} (${channelCode ?? '-'})`, {
    scope: known?.scope ?? failure.scope,
    channelCode: channelCode ?? String(answer.status),
    ...(answer.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: answer.retryAfterSeconds }),
  });
}

/** Twilio has answered with a message that it will not send. */
function failureOf(channelCode: string, status: string): MessagingError {
  const known = failureOfCode(channelCode);
  const safeCode = /^\d{4,6}$/.test(channelCode) ? channelCode : status;
  return new MessagingError(known?.kind ?? 'undeliverable', `Twilio answered with the state ${status} (${safeCode})`, {
    scope: known?.scope ?? 'recipient',
    channelCode: safeCode,
  });
}
