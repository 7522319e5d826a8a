import { CompleteAsyncError } from '@temporalio/activity';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { AppError } from '../src/domain/errors.ts';

/** What errors of ports carry when they know what another try means. */
interface PortError extends Error {
  readonly retryable: boolean;
  readonly retryAfterSeconds?: number | undefined;
}

const isPortError = (error: unknown): error is PortError =>
  error instanceof Error && 'retryable' in error && typeof error.retryable === 'boolean';

const codeOf = (error: Error): string =>
  'code' in error && typeof error.code === 'string' && /^\w{1,40}$/.test(error.code)
    ? `${error.name}:${error.code}`
    : error.name;

const nextRetryDelay = (seconds: number | undefined) =>
  typeof seconds === 'number' && Number.isFinite(seconds) ? { nextRetryDelay: Math.max(0, seconds) * 1000 } : {};

/**
 * The one table from an activity's error to retry now, retry later or no retry.
 * Only the error's name and code go on: a failure becomes part of the history, and a message (SQL, a provider's answer)
 * can hold a debtor's data.
 */
export function toActivityFailure(error: unknown): Error {
  if (error instanceof CancelledFailure || error instanceof CompleteAsyncError) return error;
  if (error instanceof ApplicationFailure) return error;
  if (error instanceof AppError) {
    const passes = error.status >= 500 || error.code === 'rate_limited';
    return ApplicationFailure.create({
      message: error.code,
      type: error.code,
      nonRetryable: !passes,
      ...nextRetryDelay(error.retryAfterSeconds),
    });
  }
  if (isPortError(error)) {
    const code = codeOf(error);
    return ApplicationFailure.create({
      message: code,
      type: code,
      nonRetryable: !error.retryable,
      ...nextRetryDelay(error.retryAfterSeconds),
    });
  }
  const code = error instanceof Error ? codeOf(error) : 'UnknownError';
  return ApplicationFailure.create({ message: code, type: code });
}

/** Where it happened, without the message that a stack begins with. */
export function framesOf(error: unknown): string[] {
  if (!(error instanceof Error) || error.stack === undefined) return [];
  const { message, stack } = error;
  const afterMessage = message === '' ? stack : stack.slice(stack.indexOf(message) + message.length);
  return afterMessage
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith('at '));
}
