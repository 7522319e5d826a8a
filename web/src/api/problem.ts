import { SessionEnded, SessionUnavailable } from '../session/session-errors.ts';
import { ApiError, type Problem, TimeoutError } from './client.ts';

export type ProblemCode = Problem['code'];
export type FieldError = NonNullable<Problem['errors']>[number];

/** What a screen shows of a failure. `offline` is a request that got no answer. */
export interface Failed {
  readonly code: ProblemCode | 'offline' | 'unknown';
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;
  readonly errors: readonly FieldError[];
  readonly problem: Problem | null;
}

const failed = (code: Failed['code'], problem: Problem | null = null): Failed => ({
  code,
  requestId: problem?.requestId ?? null,
  retryAfterSeconds: problem?.retryAfterSeconds ?? null,
  errors: problem?.errors ?? [],
  problem,
});

const isProblem = (body: unknown): body is Problem => typeof body === 'object' && body !== null && 'code' in body;

export function failedOf(error: unknown): Failed {
  if (error instanceof ApiError) return isProblem(error.body) ? failed(error.body.code, error.body) : failed('unknown');
  if (error instanceof SessionEnded) return failed('unauthenticated');
  if (error instanceof SessionUnavailable) return failed('unavailable');
  if (error instanceof TimeoutError || error instanceof TypeError) return failed('offline');
  return failed('unknown');
}

/** Reads the problem of an answer that did not come through the generated client. */
export async function failedOfResponse(response: Response): Promise<Failed> {
  const body: unknown = await response.json().catch(() => null);
  return isProblem(body) ? failed(body.code, body) : failed('unknown');
}

/** Failures after which the same request may succeed. */
export const mayRetry = ({ code }: Failed): boolean =>
  code === 'offline' || code === 'unavailable' || code === 'internal_error' || code === 'rate_limited';

const ASKS_TO_REPEAT = [408, 429];

/** Whether nobody knows what became of a request: it got no answer of the service, or one that says nothing about it. */
export const mayBeDone = ({ code, problem }: Failed): boolean =>
  problem === null ||
  problem.status >= 500 ||
  ASKS_TO_REPEAT.includes(problem.status) ||
  code === 'idempotency_running';

/** Whether the service itself failed, so that support can look it up by the id of the request. */
export const isOurs = ({ requestId, problem }: Failed): boolean =>
  requestId !== null && problem !== null && problem.status >= 500;
