import { randomUUID } from 'node:crypto';
import type { Middleware } from 'koa';
import type { HttpDeps, RequestContext } from './deps.ts';

const CLIENT_CLOSED_REQUEST = 499;

/**
 * Gives each request an id and, at its end, writes one log line and measures the duration. The id is always generated
 * here, because an id from the caller could be any text or the id of another request. Query strings are not logged,
 * because they may contain signatures.
 */
export function requestContext({ logger, metrics, withLogContext }: HttpDeps): Middleware {
  return (ctx, next) => {
    const requestId = randomUUID();
    const context: RequestContext = { requestId };
    const startedAt = process.hrtime.bigint();
    ctx.state['requestId'] = requestId;
    ctx.state['log'] = context;
    ctx.set('X-Request-Id', requestId);
    ctx.set('Cache-Control', 'no-store');

    ctx.res.once('close', () => {
      const seconds = Number(process.hrtime.bigint() - startedAt) / 1e9;
      const status = ctx.res.writableFinished ? ctx.res.statusCode : CLIENT_CLOSED_REQUEST;
      const route = (ctx.state['route'] as string | undefined) ?? 'unmatched';
      metrics.observeRequest({ method: ctx.method, route, status, seconds });
      const line = status === CLIENT_CLOSED_REQUEST ? logger.debug : logger.info;
      const fields = { ...context, method: ctx.method, route, status, ms: Math.round(seconds * 1e4) / 10 };
      line.call(logger, fields, 'request');
    });
    return withLogContext(context, next);
  };
}
