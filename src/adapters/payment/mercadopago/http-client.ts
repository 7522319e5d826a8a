import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { PaymentProviderError } from '../../../ports/payment-provider.ts';
import { type Failure, failureOfAnswer, failureOfNetwork, nonsense, retryAfterSeconds } from './failures.ts';

export interface HttpClientOptions {
  readonly baseUrl: string;
  /** Of one attempt, body included. */
  readonly timeoutMs?: number;
  readonly attempts?: number;
  readonly retryBaseMs?: number;
  /** A longer `Retry-After` is handed to the caller instead of being slept through. */
  readonly maxWaitMs?: number;
}

export interface HttpRequest<T> {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly accessToken: string;
  readonly body?: unknown;
  /** One key for all attempts: that is what makes trying again safe. */
  readonly idempotencyKey?: string;
  /** Throws when the answer is not what was promised. */
  readonly read: (answer: unknown) => T;
}

export type HttpClient = <T>(request: HttpRequest<T>) => Promise<T>;

type Attempt<T> = { readonly value: T } | { readonly failure: Failure };

export function createHttpClient(options: HttpClientOptions): HttpClient {
  const { timeoutMs = 10_000, attempts = 3, retryBaseMs = 250, maxWaitMs = 2_000 } = options;
  const baseUrl = options.baseUrl.replace(/\/+$/, '');

  return async function request<T>(question: HttpRequest<T>): Promise<T> {
    const key = question.idempotencyKey ?? randomUUID();
    let mayHaveHappened = false;
    for (let number = 1; ; number += 1) {
      const result = await attempt(baseUrl, timeoutMs, key, question);
      if ('value' in result) return result.value;
      const { failure } = result;
      mayHaveHappened ||= failure.kind === 'unknown_outcome';
      const passing = failure.kind === 'retryable' || failure.kind === 'unknown_outcome';
      const waitMs =
        failure.retryAfterSeconds === undefined ? backoff(retryBaseMs, number) : failure.retryAfterSeconds * 1_000;
      if (!passing || number >= attempts || waitMs > maxWaitMs) {
        throw toError(question, passing && mayHaveHappened ? { ...failure, kind: 'unknown_outcome' } : failure);
      }
      await sleep(waitMs);
    }
  };
}

async function attempt<T>(
  baseUrl: string,
  timeoutMs: number,
  key: string,
  question: HttpRequest<T>,
): Promise<Attempt<T>> {
  const writes = question.method !== 'GET';
  let response: Response;
  let text: string;
  try {
    response = await fetch(baseUrl + question.path, {
      method: question.method,
      // A redirect must not carry the client's token to somebody else.
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
      headers: {
        authorization: `Bearer ${question.accessToken}`,
        accept: 'application/json',
        ...(writes ? { 'content-type': 'application/json', 'x-idempotency-key': key } : {}),
      },
      ...(question.body === undefined ? {} : { body: JSON.stringify(question.body) }),
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
    return { value: question.read(JSON.parse(text)) };
  } catch (error) {
    // What the reader decided on purpose stands; anything else means that the answer could not be read.
    if (error instanceof PaymentProviderError) throw error;
    return { failure: nonsense(response.status, writes) };
  }
}

function backoff(baseMs: number, number: number): number {
  return baseMs * 2 ** (number - 1) * (0.75 + Math.random() / 2);
}

function toError(question: HttpRequest<unknown>, failure: Failure): PaymentProviderError {
  const call = `${question.method} ${question.path.replace(/\?.*$/, '')}`;
  return new PaymentProviderError(failure.kind, `Mercado Pago: ${call} ${failure.what}`, {
    providerCodes: failure.codes,
    ...(failure.httpStatus === undefined ? {} : { httpStatus: failure.httpStatus }),
    ...(failure.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: failure.retryAfterSeconds }),
  });
}
