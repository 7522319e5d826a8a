import { describe, expect, it } from '@jest/globals';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { AppError } from '../src/kernel/errors.ts';
import { framesOf, toActivityFailure } from './failures.ts';

const PERSONAL = 'Maria da Silva 123.456.789-09';

class ProviderError extends Error {
  readonly code = 'provider_busy';
  readonly retryable: boolean;
  readonly retryAfterSeconds: number | undefined;

  constructor(retryable: boolean, retryAfterSeconds?: number) {
    super(PERSONAL);
    this.name = 'ProviderError';
    this.retryable = retryable;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

describe('what an activity’s error means', () => {
  it.each([
    [
      'a port that says to try again',
      new ProviderError(true),
      { nonRetryable: false, type: 'ProviderError:provider_busy' },
    ],
    ['a port that says when', new ProviderError(true, 90), { nonRetryable: false, nextRetryDelay: 90_000 }],
    ['a port that says never', new ProviderError(false), { nonRetryable: true }],
    [
      'a request that is wrong',
      new AppError('debt_state', { detail: PERSONAL }),
      { nonRetryable: true, type: 'debt_state' },
    ],
    [
      'a service that is away',
      new AppError('unavailable', { retryAfterSeconds: 5 }),
      { nonRetryable: false, nextRetryDelay: 5_000 },
    ],
    ['too many requests', new AppError('rate_limited'), { nonRetryable: false, type: 'rate_limited' }],
    ['a bug', new TypeError(PERSONAL), { nonRetryable: false, type: 'TypeError' }],
    ['not even an error', PERSONAL, { nonRetryable: false, type: 'UnknownError' }],
    ['a code that is a sentence', Object.assign(new Error(PERSONAL), { code: PERSONAL }), { type: 'Error' }],
  ])('%s', (_, error, expected) => {
    const failure = toActivityFailure(error);
    expect(failure).toBeInstanceOf(ApplicationFailure);
    expect(failure).toMatchObject(expected);
    expect(`${failure.message} ${JSON.stringify(failure)} ${failure.stack} ${String(failure.cause)}`).not.toContain(
      'Maria',
    );
  });

  it('does not change what Temporal or the activity itself decided', () => {
    for (const error of [new CancelledFailure('stop'), ApplicationFailure.nonRetryable('decided')]) {
      expect(toActivityFailure(error)).toBe(error);
    }
  });

  it('keeps the stack frames without the message, however many lines the message has', () => {
    const frames = framesOf(new Error(`${PERSONAL}\n    at ${PERSONAL}`));
    expect(frames.length).toBeGreaterThan(0);
    expect(frames.join()).not.toContain('Maria');
    expect(frames[0]).toMatch(/^at /);
  });
});
