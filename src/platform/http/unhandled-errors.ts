import { AsyncLocalStorage } from 'node:async_hooks';
import type { Context, Middleware } from 'koa';
import { AppError } from '../../kernel/errors.ts';
import type { HttpConfig, HttpLogger } from './deps.ts';
import { PROBLEM_TYPE, problemOf } from './problem.ts';

interface CurrentRequest {
  readonly ctx: Context;
  readonly publicUrl: string;
}

const current = new AsyncLocalStorage<CurrentRequest>();

/** Lets an error that is thrown in any callback find the request that it belongs to. */
export const rememberRequest =
  ({ publicUrl }: Pick<HttpConfig, 'publicUrl'>): Middleware =>
  (ctx, next) =>
    current.run({ ctx, publicUrl }, next);

/**
 * Keeps the process alive when an error reaches no handler, because otherwise one request that meets a defect would end
 * the service for everybody, and with `npm start` the database too. The request is answered with 500; all state that
 * outlives a request is in the database, where the transaction of the request is rolled back.
 */
export function keepServing(logger: Pick<HttpLogger, 'error'>): () => void {
  const survive = (err: unknown): void => {
    const answered = answerCurrentRequest();
    logger.error({ err, answered }, 'an error reached no handler');
  };
  process.on('unhandledRejection', survive);
  process.on('uncaughtException', survive);
  return () => {
    process.off('unhandledRejection', survive);
    process.off('uncaughtException', survive);
  };
}

/** Returns false when there is no request, or when its answer has begun: then the connection is closed. */
function answerCurrentRequest(): boolean {
  const request = current.getStore();
  if (request === undefined) return false;
  const { ctx, publicUrl } = request;
  if (ctx.res.writableEnded) return false;
  if (ctx.res.headersSent) {
    ctx.req.socket.destroy();
    return false;
  }
  const problem = problemOf(new AppError('internal_error'), publicUrl, ctx.state['requestId'] as string);
  // What the route still does with the context no longer matters.
  ctx.respond = false;
  ctx.res.writeHead(problem.status, { 'Content-Type': PROBLEM_TYPE, Connection: 'close' });
  ctx.res.end(JSON.stringify(problem));
  return true;
}
