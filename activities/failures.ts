import { CompleteAsyncError } from '@temporalio/activity';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { AppError } from '../src/kernel/errors.ts';

/** An error of a port that says whether another attempt may succeed. */
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
 * Decides for every error of an activity whether Temporal retries now, later or never. Only the error's name and code
 * are passed on, because a failure becomes part of the history and a message (SQL, a provider's answer) can hold a
 * debtor's data.
 */
export function toActivityFailure(error: unknown): Error {
  if (error instanceof CancelledFailure || error instanceof CompleteAsyncError) return error;
  if (error instanceof ApplicationFailure) return error;
  if (error instanceof AppError) {
    const transient = error.status >= 500 || error.code === 'rate_limited';
    return ApplicationFailure.create({
      message: error.code,
      type: error.code,
      nonRetryable: !transient,
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

/** Returns the stack frames of an error without the message, with which a stack begins. */
export function framesOf(error: unknown): string[] {
  if (!(error instanceof Error) || error.stack === undefined) return [];
  const { message, stack } = error;
  const afterMessage = message === '' ? stack : stack.slice(stack.indexOf(message) + message.length);
  return afterMessage
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith('at '));
}
