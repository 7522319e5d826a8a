import { Readable } from 'node:stream';
import type { Context } from 'koa';
import type { GuardedAnswer, Route } from './define-route.ts';
import type { HttpDeps } from './deps.ts';
import { fieldProblems } from './field-problems.ts';

/** Returns the body as its schema lets it out. */
export function checkAnswer(route: Route, answer: GuardedAnswer, deps: HttpDeps): unknown {
  const declared = route.responses[answer.status];
  const wrong = (message: string, fields: object): void => {
    if (!deps.config.production) throw new Error(`${route.operationId}: ${message} ${JSON.stringify(fields)}`);
    deps.logger.error({ operation: route.operationId, ...fields }, message);
  };
  if (declared === undefined) {
    wrong('status is not declared', { status: answer.status });
    return answer.body;
  }
  if (declared.schema === undefined) {
    if ((answer.body === undefined) === (declared.contentType !== undefined)) {
      wrong('answer has or lacks a body against its declaration', { status: answer.status });
    }
    return answer.body;
  }
  if (declared.isReady === true) return answer.body;
  if (declared.orText !== undefined && typeof answer.body === 'string') return answer.body;
  if (declared.orTypes !== undefined && answer.body instanceof Readable) return answer.body;
  const result = declared.schema.safeParse(answer.body);
  if (result.success) return result.data;
  wrong('answer does not match its schema', {
    status: answer.status,
    problems: fieldProblems(result.error.issues, answer.body, 'body'),
  });
  return answer.body;
}

/**
 * Koa closes an answer that breaks off without its end, so that the client sees that it is not whole. Only a client that
 * goes away is no failure of the service.
 */
export function logBreakingOff({ operationId }: Route, body: Readable, { logger }: Pick<HttpDeps, 'logger'>): void {
  body.once('error', (err: NodeJS.ErrnoException) => {
    if (err.code === 'ERR_STREAM_PREMATURE_CLOSE') return;
    logger.error({ err, operation: operationId }, 'an answer could not be sent to its end');
  });
}

export function send(route: Route, ctx: Context, answer: Omit<GuardedAnswer, 'body'>, body: unknown): void {
  const contentType = route.responses[answer.status]?.contentType;
  ctx.status = answer.status;
  if (body === undefined) ctx.body = null;
  else if (typeof body === 'string' || Buffer.isBuffer(body) || body instanceof Readable) ctx.body = body;
  else ctx.body = JSON.stringify(body);
  ctx.status = answer.status;
  if (body !== undefined) ctx.set('Content-Type', contentType ?? 'application/json; charset=utf-8');
  for (const [name, value] of Object.entries(answer.headers ?? {})) ctx.set(name, value);
  if (answer.cookies !== undefined) ctx.set('Set-Cookie', [...answer.cookies]);
}
