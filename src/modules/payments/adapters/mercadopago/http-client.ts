import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { isTimeout, networkCodeOf } from '../../../../platform/network/network-code.ts';
import { PaymentProviderError, type PaymentProviderErrorKind } from '../../ports/payment-provider.ts';

interface Failure {
  readonly kind: PaymentProviderErrorKind;
  readonly summary: string;
  readonly codes: readonly string[];
  readonly httpStatus?: number;
  readonly retryAfterSeconds?: number;
}

const MAX_RETRY_AFTER_SECONDS = 3_600;
/** "Action not valid for the current state" and "invalid status": the charge was paid or closed meanwhile. */
const STATE_CODES = ['2018', '2016'];
/** No connection was established, so the provider has received nothing. */
const NEVER_SENT = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'];
/**
 * The provider refused the request before it did any work: rate limit, key locked by another call, failed dependency.
 */
const NOT_DONE = [423, 424, 429];

const code = z.union([z.string(), z.number()]).transform(String);
const errorBody = z.object({
  error: z.string().optional().catch(undefined),
  cause: z
    .union([z.array(z.object({ code }).catch({ code: '' })), z.object({ code }).transform((one) => [one])])
    .catch([]),
});

function failureOfAnswer(status: number, text: string, retryAfter: number | undefined, writes: boolean): Failure {
  const codes = readCodes(text);
  const failure = (kind: PaymentProviderErrorKind): Failure => ({
    kind,
    summary: `answered ${status}${codes.length === 0 ? '' : ` (${codes.join(', ')})`}`,
    codes,
    httpStatus: status,
    ...(retryAfter === undefined ? {} : { retryAfterSeconds: retryAfter }),
  });
  if (NOT_DONE.includes(status)) return failure('retryable');
  if (status >= 500 || status === 408) return failure(writes ? 'unknown_outcome' : 'retryable');
  if (status === 401 || status === 403) return failure('unauthorized');
  if (status === 404) return failure('not_found');
  if (status === 409 || codes.some((one) => STATE_CODES.includes(one))) return failure('conflict');
  if (status >= 400) return failure('rejected');
  return unreadableAnswer(status, writes);
}

function failureOfNetwork(error: unknown, writes: boolean): Failure {
  const code = networkCodeOf(error) ?? '';
  const timedOut = isTimeout(error);
  const summary = timedOut ? 'did not answer in time' : `could not be reached${code && ` (${code})`}`;
  return { kind: writes && !NEVER_SENT.includes(code) ? 'unknown_outcome' : 'retryable', summary, codes: [] };
}

function unreadableAnswer(status: number, writes: boolean): Failure {
  return {
    kind: writes ? 'unknown_outcome' : 'retryable',
    summary: `answered ${status} with an unreadable body`,
    codes: [],
    httpStatus: status,
  };
}

/** Reads seconds or an HTTP date; a very long wait is limited, and an unreadable value is ignored. */
function retryAfterSeconds(header: string | null, nowMs: number): number | undefined {
  const text = header?.trim() ?? '';
  if (text === '') return undefined;
  const seconds = /^\d+$/.test(text) ? Number(text) : Math.ceil((Date.parse(text) - nowMs) / 1_000);
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 0), MAX_RETRY_AFTER_SECONDS);
}

/** Returns only values that look like codes, because the provider's texts may repeat personal data. */
function readCodes(text: string): string[] {
  try {
    const body = errorBody.parse(JSON.parse(text));
    return [...body.cause.map((cause) => cause.code), body.error ?? ''].filter((one) => /^[a-z0-9_]{1,60}$/i.test(one));
  } catch {
    return [];
  }
}

export interface HttpClientOptions {
  readonly baseUrl: string;
  /** The time limit of one attempt, including the body. */
  readonly timeoutMs?: number;
  readonly attempts?: number;
  readonly retryBaseMs?: number;
  /** A longer `Retry-After` is returned to the caller, and the client does not wait for it. */
  readonly maxWaitMs?: number;
}

export interface HttpRequest<T> {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly accessToken: string;
  readonly body?: unknown;
  /** All attempts use the same key, which makes a retry safe. */
  readonly idempotencyKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Throws when the answer does not have the documented form. */
  readonly read: (answer: unknown) => T;
}

export type HttpClient = <T>(request: HttpRequest<T>) => Promise<T>;

type Attempt<T> = { readonly value: T } | { readonly failure: Failure };

export function createHttpClient(options: HttpClientOptions): HttpClient {
  const { timeoutMs = 10_000, attempts = 3, retryBaseMs = 250, maxWaitMs = 2_000 } = options;
  const baseUrl = options.baseUrl.replace(/\/+$/, '');

  return async function send<T>(request: HttpRequest<T>): Promise<T> {
    const key = request.idempotencyKey ?? randomUUID();
    let mayHaveHappened = false;
    for (let number = 1; ; number += 1) {
      const result = await attempt(baseUrl, timeoutMs, key, request);
      if ('value' in result) return result.value;
      const { failure } = result;
      mayHaveHappened ||= failure.kind === 'unknown_outcome';
      const transient = failure.kind === 'retryable' || failure.kind === 'unknown_outcome';
      const waitMs =
        failure.retryAfterSeconds === undefined ? backoff(retryBaseMs, number) : failure.retryAfterSeconds * 1_000;
      if (!transient || number >= attempts || waitMs > maxWaitMs) {
        throw toError(request, transient && mayHaveHappened ? { ...failure, kind: 'unknown_outcome' } : failure);
      }
      await sleep(waitMs);
    }
  };
}

async function attempt<T>(
  baseUrl: string,
  timeoutMs: number,
  key: string,
  request: HttpRequest<T>,
): Promise<Attempt<T>> {
  const writes = request.method !== 'GET';
  let response: Response;
  let text: string;
  try {
    response = await fetch(baseUrl + request.path, {
      method: request.method,
      // A redirect must not send the client's token to another server.
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
      headers: {
        authorization: `Bearer ${request.accessToken}`,
        accept: 'application/json',
        ...request.headers,
        ...(writes ? { 'content-type': 'application/json', 'x-idempotency-key': key } : {}),
      },
      ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
    });
    text = await response.text();
  } catch (error) {
    return { failure: failureOfNetwork(error, writes) };
  }
  if (!response.ok) {
    return {
      failure: failureOfAnswer(
        response.status,
        text,
        retryAfterSeconds(response.headers.get('retry-after'), Date.now()),
        writes,
      ),
    };
  }
  try {
    return { value: request.read(JSON.parse(text)) };
  } catch (error) {
    // The reader throws a `PaymentProviderError` on purpose; any other error means that it could not read the answer.
    if (error instanceof PaymentProviderError) throw error;
    return { failure: unreadableAnswer(response.status, writes) };
  }
}

function backoff(baseMs: number, number: number): number {
  return baseMs * 2 ** (number - 1) * (0.75 + Math.random() / 2);
}

function toError(request: HttpRequest<unknown>, failure: Failure): PaymentProviderError {
  const call = `${request.method} ${request.path.replace(/\?.*$/, '')}`;
  return new PaymentProviderError(failure.kind, `Mercado Pago: ${call} ${failure.summary}`, {
    providerCodes: failure.codes,
    ...(failure.httpStatus === undefined ? {} : { httpStatus: failure.httpStatus }),
    ...(failure.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: failure.retryAfterSeconds }),
  });
}
