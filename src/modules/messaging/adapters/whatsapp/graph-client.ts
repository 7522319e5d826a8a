import { z } from 'zod';
import { type ChannelCredentials, MessagingError } from '../../ports/messaging-channel.ts';
import { type AnswerError, type Meaning, meaningOfAnswer } from './failures.ts';
import { networkFailure, readAtMost, regainAccessSeconds, retryAfterSeconds } from './http-answer.ts';

/** Meta keeps a version for about two years: this one until February 2028. */
export const WHATSAPP_BASE_URL = 'https://graph.facebook.com/v24.0';

export interface GraphOptions {
  /** With the version, as in `WHATSAPP_BASE_URL`. */
  readonly baseUrl: string;
  /** The time limit of one request, including the body of the answer. */
  readonly timeoutMs?: number;
  /** The same for a request that carries a file. */
  readonly fileTimeoutMs?: number;
}

export interface GraphCall<T> {
  /** Names the call in errors. It contains no id, because an id in an address may be that of a person. */
  readonly what: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Members that are null are left out. */
  readonly query?: Readonly<Record<string, string | null>>;
  readonly token: string;
  readonly json?: unknown;
  readonly file?: FormData | Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
  /** True for the request that sends a message: without a clear answer the message may have been sent. */
  readonly sends?: boolean;
  /** Throws when the answer does not have the documented form. */
  readonly read: (answer: unknown) => T;
}

export interface GraphClient {
  readonly call: <T>(call: GraphCall<T>) => Promise<T>;
  readonly download: (url: URL, token: string, maxBytes: number) => Promise<Buffer>;
}

// The largest answer is a page of 200 templates.
const MAX_ANSWER_BYTES = 2 * 1024 * 1024;

/** A thin client of the Graph API: one attempt, no redirect, and neither the token nor Meta's texts in an error. */
export function createGraphClient(options: GraphOptions): GraphClient {
  const { timeoutMs = 10_000, fileTimeoutMs = 60_000 } = options;
  const baseUrl = options.baseUrl.replace(/\/+$/, '');

  return {
    async call<T>(call: GraphCall<T>): Promise<T> {
      const limitMs = call.file === undefined ? timeoutMs : fileTimeoutMs;
      const { response, body } = await transfer(
        call,
        MAX_ANSWER_BYTES,
        `${baseUrl}/${call.path}${queryOf(call.query)}`,
        limitMs,
        {
          method: call.method,
          headers: {
            authorization: `Bearer ${call.token}`,
            accept: 'application/json',
            ...(call.json === undefined ? {} : { 'content-type': 'application/json' }),
            ...call.headers,
          },
          ...(call.json === undefined ? {} : { body: JSON.stringify(call.json) }),
          ...(call.file === undefined ? {} : { body: call.file }),
        },
      );
      if (!response.ok) throw errorOfAnswer(call, response, body);
      try {
        return call.read(JSON.parse(body?.toString('utf8') ?? ''));
      } catch (error) {
        if (error instanceof MessagingError) throw error;
        const kind = call.sends === true ? 'unknown_outcome' : 'retryable';
        throw new MessagingError(kind, `WhatsApp: ${call.what} had an unreadable answer`);
      }
    },

    async download(url, token, maxBytes) {
      const what = { what: 'reading an attachment' };
      const headers = { authorization: `Bearer ${token}` };
      const { response, body } = await transfer(what, maxBytes, url, fileTimeoutMs, { method: 'GET', headers });
      // The address of an attachment expires after five minutes and is answered 404 then; the next attempt gets another.
      if (response.status === 404) throw new MessagingError('retryable', `WhatsApp: ${what.what} was answered 404`);
      if (!response.ok) throw errorOfAnswer(what, response, body);
      if (body === null) throw new MessagingError('rejected', `the attachment is larger than ${maxBytes} bytes`);
      return body;
    },
  };
}

function queryOf(query: GraphCall<unknown>['query']): string {
  const given = Object.entries(query ?? {}).filter((pair): pair is [string, string] => pair[1] !== null);
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
}

type Named = Pick<GraphCall<unknown>, 'what' | 'sends'>;

async function transfer(call: Named, maxBytes: number, url: string | URL, limitMs: number, init: RequestInit) {
  try {
    // A redirect must not send the client's token to another server.
    const response = await fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(limitMs) });
    return { response, body: await readAtMost(response, response.ok ? maxBytes : MAX_ANSWER_BYTES) };
  } catch (error) {
    const { neverSent, summary } = networkFailure(error);
    const kind = call.sends === true && !neverSent ? 'unknown_outcome' : 'retryable';
    throw new MessagingError(kind, `WhatsApp: ${call.what} ${summary}`, { scope: 'sender' });
  }
}

const numberOrDigits = z.union([
  z.number(),
  z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number),
]);
const errorBody = z.object({
  error: z.object({
    code: z.int(),
    error_subcode: numberOrDigits.nullish().catch(null),
    type: z.string().nullish().catch(null),
    is_transient: z.boolean().nullish().catch(null),
    fbtrace_id: z
      .string()
      .regex(/^[\w-]{1,64}$/)
      .nullish()
      .catch(null),
  }),
});

/** "Object does not exist, cannot be loaded due to missing permissions", and a wrong proof of the app secret. */
const MISSING_RESOURCE = 33;
/** "Some of the aliases you requested do not exist": the number or the business account was deleted. */
const UNKNOWN_ALIAS = 803;
/** The published specification answers a call to a part of Meta that is down with this status. */
const TEMPORARILY_UNAVAILABLE = 422;

function errorOfAnswer(call: Named, response: Response, body: Buffer | null): MessagingError {
  const error = parseError(body);
  const { status, headers } = response;
  const code = error?.code ?? null;
  const subcode = code === 100 ? (error?.error_subcode ?? null) : null;
  const ofMethod = code === 100 && error?.type === 'GraphMethodException';
  const isDown = ofMethod && status === TEMPORARILY_UNAVAILABLE;
  const answer: AnswerError = {
    status,
    code,
    missingResource: code === UNKNOWN_ALIAS || (code === 100 && subcode === MISSING_RESOURCE) || (ofMethod && !isDown),
    transient: error?.is_transient === true || isDown,
  };
  const channelCode = code === null ? undefined : `${code}${subcode === null ? '' : `/${subcode}`}`;
  const trace = error?.fbtrace_id ? `, trace ${error.fbtrace_id}` : '';
  return toError(
    meaningOfAnswer(answer, call.sends === true),
    `WhatsApp: ${call.what} was answered ${status}${channelCode === undefined ? '' : `, code ${channelCode}`}${trace}`,
    channelCode,
    retryAfterSeconds(headers.get('retry-after'), Date.now()) ??
      regainAccessSeconds(headers.get('x-business-use-case-usage')),
  );
}

function parseError(body: Buffer | null) {
  try {
    return errorBody.parse(JSON.parse(body?.toString('utf8') ?? '')).error;
  } catch {
    return undefined;
  }
}

function toError({ kind, scope, waitSeconds }: Meaning, message: string, channelCode?: string, toldWait?: number) {
  const retryAfterSeconds = kind === 'retryable' ? (toldWait ?? waitSeconds) : undefined;
  return new MessagingError(kind, message, {
    ...(channelCode === undefined ? {} : { channelCode }),
    ...(scope === undefined ? {} : { scope }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
}

/** Returns the parts of an address and of a header, and refuses what may stand in neither. */
export function usable(credentials: ChannelCredentials | null): ChannelCredentials {
  if (credentials === null || !/^[\x21-\x7e]{1,1024}$/.test(credentials.accessToken)) {
    throw new MessagingError('unauthorized', 'WhatsApp: there is no usable access token');
  }
  if (!/^\d{1,32}$/.test(credentials.senderId)) {
    throw new MessagingError('unauthorized', 'WhatsApp: there is no usable phone number id');
  }
  return credentials;
}

export function usableAccount(credentials: ChannelCredentials): string {
  if (credentials.accountId === null || !/^\d{1,32}$/.test(credentials.accountId)) {
    throw new MessagingError('unauthorized', 'WhatsApp: there is no usable business account id');
  }
  return credentials.accountId;
}
