import { z } from 'zod';
import type { PaymentProviderErrorKind } from '../../../ports/payment-provider.ts';

export interface Failure {
  readonly kind: PaymentProviderErrorKind;
  readonly what: string;
  readonly codes: readonly string[];
  readonly httpStatus?: number;
  readonly retryAfterSeconds?: number;
}

const MAX_RETRY_AFTER_SECONDS = 3_600;
/** "Action not valid for the current state", "invalid status": the charge was paid or closed meanwhile. */
const STATE_CODES = ['2018', '2016'];
/** The connection was never made, so nothing can have been asked. */
const NEVER_SENT = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT'];
/** Refused before any work: rate, key locked by a call in flight, failed dependency. */
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
    what: `answered ${status}${codes.length === 0 ? '' : ` (${codes.join(', ')})`}`,
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
  return nonsense(status, writes);
}

export function failureOfNetwork(error: unknown, writes: boolean): Failure {
  const name = error instanceof Error ? error.name : '';
  const cause = error instanceof Error ? error.cause : undefined;
  const networkCode = networkCodeOf(cause) ?? networkCodeOf(error) ?? '';
  const what =
    name === 'TimeoutError' ? 'did not answer in time' : `could not be reached${networkCode && ` (${networkCode})`}`;
  return { kind: writes && !NEVER_SENT.includes(networkCode) ? 'unknown_outcome' : 'retryable', what, codes: [] };
}

export function nonsense(status: number, writes: boolean): Failure {
  return {
    kind: writes ? 'unknown_outcome' : 'retryable',
    what: `answered ${status} with something unreadable`,
    codes: [],
    httpStatus: status,
  };
}

/** Seconds or an HTTP date; an absurd wish is cut, an unreadable one ignored. */
export function retryAfterSeconds(header: string | null, nowMs: number): number | undefined {
  const text = header?.trim() ?? '';
  if (text === '') return undefined;
  const seconds = /^\d+$/.test(text) ? Number(text) : Math.ceil((Date.parse(text) - nowMs) / 1_000);
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 0), MAX_RETRY_AFTER_SECONDS);
}

/** Only what looks like a code leaves this file: the provider's texts may repeat personal data. */
function readCodes(text: string): string[] {
  try {
    const body = errorBody.parse(JSON.parse(text));
    return [...body.cause.map((cause) => cause.code), body.error ?? ''].filter((one) => /^[a-z0-9_]{1,60}$/i.test(one));
  } catch {
    return [];
  }
}

function networkCodeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  // Both address families were tried: every one of them has to have failed before it was sent.
  if ('errors' in error && Array.isArray(error.errors)) return networkCodeOf(error.errors[0]);
  return undefined;
}
