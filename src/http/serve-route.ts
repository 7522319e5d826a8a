import { Readable } from 'node:stream';
import type { Context, Middleware } from 'koa';
import type { z } from 'zod';
import { AppError, type FieldProblem } from '../domain/errors.ts';
import type { Caller } from '../services/accounts/authenticate.ts';
import type { GivenAnswer } from '../services/shared/answer-once.ts';
import { type BeforeParsing, createBodyReader } from './body.ts';
import type { CallerRates } from './caller-rates.ts';
import { clientIp } from './client-ip.ts';
import type { GuardedAnswer, GuardedInput, Route } from './define-route.ts';
import type { HttpDeps, RequestContext } from './deps.ts';
import { fieldProblems, MAX_PROBLEMS, zeroCharacter } from './field-problems.ts';
import { idempotencyKeyProblems, readIdempotencyKey, requestHash, type SentRequest } from './idempotency.ts';
import type { ImportPlaces } from './import-places.ts';
import { createLargeLogins } from './large-logins.ts';
import { ClientGone } from './problem.ts';
import { refuseUngranted, type TakeFromRate } from './rate-limit.ts';
import type { RequestLimits } from './request-limits.ts';

interface Checked {
  readonly body: unknown;
  readonly query: unknown;
  /** The body before it was checked. */
  readonly sentBody: unknown;
}

function check(
  schema: z.ZodType | undefined,
  input: unknown,
  place: 'body' | 'query',
  problems: FieldProblem[],
): unknown {
  if (schema === undefined) return undefined;
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  problems.push(...fieldProblems(result.error.issues, input, place));
  return undefined;
}

/** Collects all problems of query, body and key, up to the most that an answer lists. */
function checkInput(route: Route, ctx: Context, body: unknown): Checked {
  const query = { ...ctx.query };
  const problems = zeroCharacter(query, 'query');
  if (route.idempotent === true) problems.push(...idempotencyKeyProblems(readIdempotencyKey(ctx.req.headers)));
  if (route.bodyType === 'json') problems.push(...zeroCharacter(body, 'body'));
  const checked = {
    sentBody: body,
    query: check(route.query, query, 'query', problems),
    body: route.bodyType === 'raw' ? body : check(route.body, body, 'body', problems),
  };
  if (problems.length > 0) throw new AppError('validation_failed', { errors: problems.slice(0, MAX_PROBLEMS) });
  return checked;
}

function checkParams(route: Route, ctx: Context): unknown {
  const params: unknown = ctx['params'];
  if (route.params === undefined) return params;
  const result = route.params.safeParse(params);
  // A malformed id gets the same answer as an id that does not exist.
  if (!result.success) throw new AppError('not_found');
  return result.data;
}

function checkAnswer(route: Route, answer: GuardedAnswer, deps: HttpDeps): unknown {
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

const textTypeOf = (route: Route): string | undefined =>
  Object.values(route.responses).find(({ orText }) => orText !== undefined)?.orText;

/** Tells whether the caller prefers the text of an answer that exists as JSON and as text. */
function prefersText(route: Route, ctx: Context): boolean {
  const type = textTypeOf(route);
  if (type === undefined) return false;
  ctx.vary('Accept');
  return ctx.accepts('application/json', type) === type;
}

/**
 * Koa closes an answer that breaks off without its end, so that the client sees that it is not whole. Only a client that
 * goes away is no failure of the service.
 */
function logBreakingOff({ operationId }: Route, body: Readable, { logger }: Pick<HttpDeps, 'logger'>): void {
  body.once('error', (err: NodeJS.ErrnoException) => {
    if (err.code === 'ERR_STREAM_PREMATURE_CLOSE') return;
    logger.error({ err, operation: operationId }, 'an answer could not be sent to its end');
  });
}

function send(route: Route, ctx: Context, answer: Omit<GuardedAnswer, 'body'>, body: unknown): void {
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

/** State that all routes of one app share. */
export interface Shared {
  readonly takeFromRate: TakeFromRate;
  readonly callers: CallerRates;
  readonly importPlaces: ImportPlaces;
  readonly limits: RequestLimits;
}

export function serveRoute(
  route: Route,
  deps: HttpDeps,
  { takeFromRate, callers, importPlaces, limits }: Shared,
): Middleware {
  const ms = route.isImport === true ? limits.importBodyMs : limits.bodyMs;
  const readBody = createBodyReader({ type: route.bodyType, limit: route.bodyLimit, ms });
  const acceptsNoBody = route.body === undefined || route.body.safeParse(undefined).success;
  const takeLargeLogin = createLargeLogins(deps.config);

  const identify = async (ctx: Context, ip: string): Promise<Caller | undefined> => {
    if (route.rate === 'signup' || route.rate === 'public') await takeFromRate(route.rate, ip);
    ctx.state['bearerExpected'] = route.auth !== 'none' || route.ownBearer === true;
    if (route.auth === 'none') return undefined;
    const { auth } = route;
    const credentials = { authorization: ctx.req.headers.authorization, ip };
    const caller = await callers.checkBearer(credentials, () => deps.authenticate(credentials, auth));
    (ctx.state['log'] as RequestContext).clientId = caller.clientId;
    const { headers, state } = callers.takeCall(caller.clientId, route.clientRate ?? 'calls');
    ctx.set(headers);
    refuseUngranted(state);
    return caller;
  };

  const readInput = async (ctx: Context, beforeParsing?: BeforeParsing): Promise<Checked> => {
    const body = await readBody(ctx, beforeParsing);
    if (body === undefined && route.bodyType.startsWith('json') && !acceptsNoBody) {
      throw new AppError('malformed_json', { detail: 'A JSON body is expected.' });
    }
    return checkInput(route, ctx, route.bodyType === 'multipart' ? (body ?? {}) : body);
  };

  /** Takes a place until the client has read the answer, because answers of imports are as large as their bodies. */
  const waitForPlace = async (ctx: Context, clientId: string): Promise<void> => {
    const release = await importPlaces.take(clientId);
    ctx.res.once('close', release);
    if (!ctx.res.closed) return;
    release();
    throw new ClientGone();
  };

  /**
   * Closes the connection when the client does not read the answer in time, because it would keep its place for ever.
   */
  const limitAnswer = (ctx: Context): void => {
    const timer = setTimeout(() => ctx.req.socket.destroy(), limits.importAnswerMs);
    ctx.res.once('close', () => clearTimeout(timer));
  };

  const answerKeyed = async (
    { key, clientId, sent }: { readonly key: string; readonly clientId: string; readonly sent: SentRequest },
    input: GuardedInput,
  ): Promise<GivenAnswer> => {
    const call = {
      clientId,
      route: route.operationId,
      key,
      requestHash: await requestHash(sent),
      sealed: route.secretAnswer === true,
    };
    const work = async (workId: string): Promise<GivenAnswer> => {
      const answer = await route.handle({ ...input, request: { ...input.request, workId } });
      const body = checkAnswer(route, answer, deps);
      const { status, headers = {} } = answer;
      return {
        status,
        headers,
        body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
      };
    };
    return deps.services.answerOnce(call, work, (error) =>
      deps.logger.warn({ err: error, operation: route.operationId }, 'the answer to a keyed call could not be kept'),
    );
  };

  return async (ctx) => {
    const ip = clientIp(ctx.req.socket.remoteAddress, ctx.get('X-Forwarded-For') || undefined, deps.config.trustProxy);
    ctx.state['route'] = route.path;

    const inputBefore = route.bodyBefore
      ? await readInput(ctx, (characters) => takeLargeLogin(ip, characters))
      : undefined;
    const caller = await identify(ctx, ip);
    if (route.isImport === true && caller !== undefined) await waitForPlace(ctx, caller.clientId);
    const { query, body, sentBody } = inputBefore ?? (await readInput(ctx));
    const params = checkParams(route, ctx);
    const { headers, url: target = '' } = ctx.req;
    const request = {
      id: ctx.state['requestId'] as string,
      ip,
      headers,
      target,
      query: { ...ctx.query },
      prefersText: prefersText(route, ctx),
      accepts: (types: readonly string[]) => ctx.accepts(...types) || null,
    };

    const input = { params, query, body, caller, request };
    const handle = () => route.handle(input);
    const { authorization } = request.headers;
    const key = route.idempotent === true ? readIdempotencyKey(request.headers) : undefined;
    if (key !== undefined && caller !== undefined) {
      // The same key with another `Accept` asks for another answer, so that it is another request.
      const accepted = request.prefersText ? { accepted: textTypeOf(route) } : {};
      const sent = { params: ctx['params'], query: request.query, body: sentBody, ...accepted };
      const given = await answerKeyed({ key, clientId: caller.clientId, sent }, input);
      if (route.isImport === true) limitAnswer(ctx);
      send(route, ctx, given, given.body ?? undefined);
      return;
    }
    const answer = await (route.ownBearer ? callers.checkBearer({ authorization, ip }, handle) : handle());
    if (route.isImport === true) limitAnswer(ctx);
    const sent = checkAnswer(route, answer, deps);
    if (sent instanceof Readable) logBreakingOff(route, sent, deps);
    send(route, ctx, answer, sent);
  };
}
