import type { Context, Middleware } from 'koa';
import {
  AppError,
  type BlockedVerdict,
  ERRORS,
  type ErrorCode,
  type FieldProblem,
  type MissingOnChannel,
} from '../../kernel/errors.ts';
import type { HttpDeps } from './deps.ts';
import { errorPage } from './pages/error.ts';
import { PAGE_TYPE } from './pages/public-page.ts';

export const PROBLEM_TYPE = 'application/problem+json';

export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: ErrorCode;
  readonly requestId: string;
  readonly errors?: readonly FieldProblem[];
  readonly retryAfterSeconds?: number;
  readonly missing?: readonly MissingOnChannel[];
  readonly verdict?: BlockedVerdict;
  readonly challenge?: string;
}

/** The client closed the connection while it was still sending, so no answer is sent. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';
}

/** The 405 answer lists the allowed methods. */
export class MethodNotAllowed extends AppError {
  readonly allow: string;

  constructor(methods: readonly string[]) {
    super('method_not_allowed', { detail: `Allowed here: ${methods.join(', ')}.` });
    this.allow = methods.join(', ');
  }
}

/** The 401 answer to a cookie without a session makes the browser forget it. */
export class CookieRefused extends AppError {
  readonly cookies: readonly string[];

  constructor(cookies: readonly string[]) {
    super('unauthenticated', { detail: 'The session has ended, or there was none.' });
    this.cookies = cookies;
  }
}

const UNAVAILABLE_RETRY_SECONDS = 5;

/** Rounds up to whole seconds, at least 1, so that a client that waits exactly this long does not repeat too early. */
function retryAfter(error: AppError): number | undefined {
  const seconds = error.retryAfterSeconds ?? (error.code === 'unavailable' ? UNAVAILABLE_RETRY_SECONDS : undefined);
  return seconds === undefined ? undefined : Math.max(1, Math.ceil(seconds));
}

export function problemOf(error: AppError, publicUrl: string, requestId: string): Problem {
  const seconds = retryAfter(error);
  return {
    type: `${publicUrl}/problems/${error.code}`,
    title: ERRORS[error.code].title,
    status: error.status,
    detail: error.detail ?? `${ERRORS[error.code].title}.`,
    code: error.code,
    requestId,
    ...(error.errors === undefined ? {} : { errors: error.errors }),
    ...(seconds === undefined ? {} : { retryAfterSeconds: seconds }),
    ...(error.missing === undefined ? {} : { missing: error.missing }),
    ...(error.verdict === undefined ? {} : { verdict: error.verdict }),
    ...(error.challenge === undefined ? {} : { challenge: error.challenge }),
  };
}

function setProblemHeaders(ctx: Context, error: AppError): void {
  const seconds = retryAfter(error);
  if (seconds !== undefined) ctx.set('Retry-After', String(seconds));
  if (error instanceof MethodNotAllowed) ctx.set('Allow', error.allow);
  if (error instanceof CookieRefused) ctx.set('Set-Cookie', [...error.cookies]);
  if (error.status === 401 && ctx.state['bearerExpected'] === true) {
    ctx.set('WWW-Authenticate', 'Bearer');
  }
}

/**
 * Nothing below these addresses is a page, so that a mistyped one is not the mistake of a reader. The target is read as it
 * was sent, because a malformed one has no path.
 */
const NO_PAGES = /^(?:https?:\/\/[^/]*)?\/(?:api|console)(?:[/?]|$)/;

/** Tells whether a browser asks for a page. An address without a route could be a mistyped one of a page. */
function wantsPage(ctx: Context): boolean {
  const isPage = (ctx.state['isPage'] as boolean | undefined) ?? !NO_PAGES.test(ctx.url);
  if (!isPage) return false;
  ctx.vary('Accept');
  // The order decides for a program that takes everything, which gets a problem.
  return ctx.accepts(PROBLEM_TYPE, 'application/json', 'text/html') === 'text/html';
}

/**
 * Answers every error as a problem, and as a page where a browser asks for one. Unexpected errors are logged, and their
 * details are not disclosed.
 */
export function problems({ config, logger, mapError }: Pick<HttpDeps, 'config' | 'logger' | 'mapError'>): Middleware {
  const known = (error: unknown): AppError =>
    error instanceof AppError ? error : (mapError?.(error) ?? new AppError('internal_error', { cause: error }));

  return async (ctx, next) => {
    try {
      await next();
    } catch (thrown) {
      if (thrown instanceof ClientGone) {
        ctx.status = 400;
        ctx.body = null;
        return;
      }
      const error = known(thrown);
      if (error.status >= 500) logger.error({ err: error.cause ?? error, code: error.code }, 'request failed');
      ctx.status = error.status;
      const requestId = ctx.state['requestId'] as string;
      const asPage = wantsPage(ctx);
      ctx.body = asPage
        ? errorPage({ error, requestId, known: ctx.state['isPage'] === true })
        : JSON.stringify(problemOf(error, config.publicUrl, requestId));
      ctx.set('Content-Type', asPage ? PAGE_TYPE : PROBLEM_TYPE);
      ctx.set('Cache-Control', 'no-store');
      setProblemHeaders(ctx, error);
    }
  };
}
