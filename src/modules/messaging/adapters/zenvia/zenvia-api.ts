import { z } from 'zod';
import { type ChannelCredentials, MessagingError } from '../../ports/messaging-channel.ts';
import { callSmsApi, failureOfStatus, type SmsAnswer, type SmsRequest } from '../sms/http.ts';

export interface ZenviaApiOptions {
  readonly baseUrl?: string;
  readonly timeoutMs?: number;
}

export interface ZenviaRequest<T> {
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** Behind `/v2`. */
  readonly path: string;
  readonly credentials: ChannelCredentials | null;
  readonly body?: unknown;
  readonly answer: z.ZodType<T>;
}

const errorAnswer = z.object({ code: z.string().regex(/^[A-Z_]{1,60}$/) });

/** The part of Zenvia's API v2 that every call shares. */
export const createZenviaApi = ({ baseUrl = 'https://api.zenvia.com', timeoutMs = 10_000 }: ZenviaApiOptions) =>
  async function call<T>({ method, path, credentials, body, answer: answerOf }: ZenviaRequest<T>): Promise<T> {
    const request: SmsRequest = {
      provider: 'Zenvia',
      method,
      url: `${baseUrl.replace(/\/+$/, '')}/v2${path}`,
      headers: {
        'x-api-token': tokenOf(credentials),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      timeoutMs,
    };
    const answer = await callSmsApi(request);
    const ok = answer.status >= 200 && answer.status < 300;
    const read = ok ? answerOf.safeParse(answer.body) : undefined;
    if (read?.success === true) return read.data;
    throw failureOfAnswer(request, answer);
  };

function tokenOf(credentials: ChannelCredentials | null): string {
  // Other characters are not allowed in a header value.
  if (credentials === null || !/^[\x21-\x7e]{1,512}$/.test(credentials.accessToken)) {
    throw new MessagingError('unauthorized', 'there is no usable token');
  }
  return credentials.accessToken;
}

/** Only the code is read, because a text may repeat the recipient's number. */
function failureOfAnswer(request: SmsRequest, answer: SmsAnswer): MessagingError {
  const failure = failureOfStatus(request, answer);
  const read = errorAnswer.safeParse(answer.body);
  const channelCode = read.success ? read.data.code : String(answer.status);
  // A message that exists already was sent by an earlier attempt.
  const kind = answer.status === 409 && request.method === 'POST' ? 'unknown_outcome' : failure.kind;
  return new MessagingError(kind, `Zenvia answered ${answer.status} (${channelCode})`, {
    scope: failure.scope,
    channelCode,
    ...(answer.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: answer.retryAfterSeconds }),
  });
}
