import { AppError, type ErrorCode } from '../../kernel/errors.ts';

/** The error code for a violated constraint. A constraint that is not listed is a defect and becomes internal_error. */
const CONSTRAINTS: Readonly<Record<string, ErrorCode>> = {
  members_email_key: 'email_taken',
  invitations_email: 'email_taken',
  // The account was deleted during a request with its bearer.
  campaigns_client_id_foreign: 'token_invalid',
};

/** SQLSTATE classes and codes under which the same request may succeed a moment later. */
const UNAVAILABLE_CLASSES = [
  '08', // connection
  '53', // full disk, out of memory, too many connections
  '58', // the system under the server: i/o error
];
const UNAVAILABLE_STATES = new Set([
  '25P03', // idle_in_transaction_session_timeout
  '25006', // read-only: a standby during a failover
  '40001', // serialization failure
  '40P01', // deadlock
  '55P03', // lock not available
  '57014', // statement timeout
  '57P01', // admin shutdown
  '57P02', // crash shutdown
  '57P03', // starting up
  '57P05', // idle session timeout
]);
const UNAVAILABLE_SYSTEM_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
]);
/** The beginnings of messages of pg and pg-pool whose errors have no code. */
const LOST_CONNECTION_MESSAGES = [
  'Connection terminated',
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'Cannot use a pool after calling end on the pool',
];
const RETRY_AFTER_SECONDS = 1;

interface DriverError {
  readonly message: string;
  readonly code?: unknown;
  readonly constraint?: unknown;
  readonly cause?: unknown;
  readonly errors?: unknown;
}

// This does not use `instanceof`, which returns false for an error of another realm.
const isError = (value: unknown): value is DriverError =>
  typeof value === 'object' && value !== null && 'message' in value && typeof value.message === 'string';

const isUnavailable = (error: DriverError): boolean => {
  const code = typeof error.code === 'string' ? error.code : '';
  return (
    (/^[0-9A-Z]{5}$/.test(code) && UNAVAILABLE_CLASSES.includes(code.slice(0, 2))) ||
    UNAVAILABLE_STATES.has(code) ||
    UNAVAILABLE_SYSTEM_CODES.has(code) ||
    LOST_CONNECTION_MESSAGES.some((beginning) => error.message.startsWith(beginning))
  );
};

/** Yields the error, the errors that MikroORM wrapped in it, and the attempts at a host with several addresses. */
function* chain(error: unknown): Generator<DriverError> {
  let current = error;
  for (let depth = 0; isError(current) && depth < 5; depth++) {
    yield current;
    if (Array.isArray(current.errors)) yield* current.errors.filter(isError);
    current = current.cause;
  }
}

/**
 * Maps a failure of the database to the error for the caller. It recognises constraints by name and not by message,
 * because a message contains values and depends on the server's language.
 */
export function mapDbError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  for (const link of chain(error)) {
    const code = typeof link.constraint === 'string' ? CONSTRAINTS[link.constraint] : undefined;
    if (code !== undefined) return new AppError(code, { cause: error });
    if (isUnavailable(link))
      return new AppError('unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS, cause: error });
  }
  return new AppError('internal_error', { cause: error });
}
