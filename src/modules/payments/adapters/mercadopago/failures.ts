import { z } from 'zod';
import { isTimeout, networkCodeOf } from '../../../../platform/network/network-code.ts';
import type { PaymentProviderErrorKind } from '../../ports/payment-provider.ts';

export interface Failure {
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

export function failureOfAnswer(
  status: number,
  text: string,
  retryAfter: number | undefined,
  writes: boolean,
): Failure {
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

export function failureOfNetwork(error: unknown, writes: boolean): Failure {
  const code = networkCodeOf(error) ?? '';
  const timedOut = isTimeout(error);
  const summary = timedOut ? 'did not answer in time' : `could not be reached${code && ` (${code})`}`;
  return { kind: writes && !NEVER_SENT.includes(code) ? 'unknown_outcome' : 'retryable', summary, codes: [] };
}

export function unreadableAnswer(status: number, writes: boolean): Failure {
  return {
    kind: writes ? 'unknown_outcome' : 'retryable',
    summary: `answered ${status} with an unreadable body`,
    codes: [],
    httpStatus: status,
  };
}

/** Reads seconds or an HTTP date; a very long wait is limited, and an unreadable value is ignored. */
export function retryAfterSeconds(header: string | null, nowMs: number): number | undefined {
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
