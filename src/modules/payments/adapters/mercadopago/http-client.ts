import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { PaymentProviderError } from '../../ports/payment-provider.ts';
import { type Failure, failureOfAnswer, failureOfNetwork, retryAfterSeconds, unreadableAnswer } from './failures.ts';

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
