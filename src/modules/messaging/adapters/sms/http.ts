import { isTimeout, networkCodeOf } from '../../../../platform/network/network-code.ts';
import { MessagingError } from '../../ports/messaging-channel.ts';

export interface SmsRequest {
  /** The provider's name, for the text of errors. */
  readonly provider: string;
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The time limit of the whole call, including the body. */
  readonly timeoutMs: number;
}

export interface SmsAnswer {
  readonly status: number;
  readonly retryAfterSeconds: number | undefined;
  /** `undefined` when the body is no JSON, or is larger than an answer of these providers can be. */
  readonly body: unknown;
}

const MAX_BYTES = 256 * 1_024;
const MAX_RETRY_AFTER_SECONDS = 3_600;
/** No connection was established, so the provider has received nothing. */
const NEVER_SENT = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
];

/** Makes one attempt. A repeated POST would send a message twice, so only the caller may repeat it. */
export async function callSmsApi(request: SmsRequest): Promise<SmsAnswer> {
  try {
    const response = await fetch(request.url, {
      method: request.method,
      // A redirect must not send the client's token to another server.
      redirect: 'manual',
      signal: AbortSignal.timeout(request.timeoutMs),
      headers: { accept: 'application/json', ...request.headers },
      ...(request.body === undefined ? {} : { body: request.body }),
    });
    return {
      status: response.status,
      retryAfterSeconds: retryAfterSeconds(response.headers.get('retry-after')),
      body: parse(await readBounded(response)),
    };
  } catch (error) {
    throw failureOfNetwork(error, request);
  }
}

/** Returns null for a body that is larger than `MAX_BYTES`; the rest of it is not read. */
async function readBounded(response: Response): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  if (response.body === null) return '';
  // Leaving the loop cancels the stream.
  for await (const chunk of response.body) {
    size += chunk.byteLength;
    if (size > MAX_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parse(text: string | null): unknown {
  try {
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function retryAfterSeconds(header: string | null): number | undefined {
  const text = header?.trim() ?? '';
  if (text === '') return undefined;
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : Math.ceil((Date.parse(text) - Date.now()) / 1_000);
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 0), MAX_RETRY_AFTER_SECONDS);
}

function failureOfNetwork(error: unknown, { provider, method }: SmsRequest): MessagingError {
  const code = networkCodeOf(error) ?? '';
  const summary = isTimeout(error) ? 'did not answer in time' : `could not be reached${code && ` (${code})`}`;
  const kind = method === 'GET' || NEVER_SENT.includes(code) ? 'retryable' : 'unknown_outcome';
  return new MessagingError(kind, `${provider} ${summary}`, { scope: 'sender' });
}

/** Says what an answer means whose code the provider's own table does not know. */
export function failureOfStatus({ provider, method }: SmsRequest, answer: SmsAnswer): MessagingError {
  const { status, retryAfterSeconds: wait } = answer;
  const failure = (kind: MessagingError['kind'], scope: 'sender' | 'recipient' = 'sender'): MessagingError =>
    new MessagingError(kind, `${provider} answered ${status}`, {
      scope,
      channelCode: String(status),
      ...(wait === undefined ? {} : { retryAfterSeconds: wait }),
    });
  if (status === 429) return failure('retryable');
  if (status === 401 || status === 403) return failure('unauthorized');
  if (status >= 400 && status < 500 && status !== 408) return failure('rejected', 'recipient');
  // A server error may come after the message was taken, and an unreadable success says nothing.
  return failure(method === 'GET' ? 'retryable' : 'unknown_outcome');
}
