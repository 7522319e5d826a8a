import { Readable } from 'node:stream';
import type { Context, Middleware } from 'koa';
import type { z } from 'zod';
import { AppError, type FieldProblem } from '../../kernel/errors.ts';
import type { GivenAnswer, KeyedCall } from '../shared/answer-once.ts';
import type { Caller } from '../shared/caller.ts';
import { createBodyReader, type ReadBody, type Reading } from './body.ts';
import type { ByteBudget } from './byte-budget.ts';
import type { CallerRates, ClientRate } from './caller-rates.ts';
import { clientIp, rateKey } from './client-ip.ts';
import type { GuardedInput, Route, RouteRequest } from './define-route.ts';
import type { HttpDeps, RequestContext } from './deps.ts';
import { fieldProblems, MAX_PROBLEMS, zeroCharacter } from './field-problems.ts';
import { idempotencyKeyProblems, readIdempotencyKey, requestHash } from './idempotency.ts';
import type { ImportPlaces } from './import-places.ts';
import { createLargeLogins, type LargeBodies } from './large-bodies.ts';
import { maskKept, maskPersons, mayCall } from './mask-persons.ts';
import { ClientGone } from './problem.ts';
import { refuseUngranted, type TakeFromRate } from './rate-limit.ts';
import type { RequestLimits } from './request-limits.ts';
import { checkAnswer, logBreakingOff, send } from './route-answer.ts';
import type { SignedBodies } from './signed-bodies.ts';
import { checkFactor } from './step-up.ts';

interface Checked {
  readonly body: unknown;
  readonly query: unknown;
  /** The body as it was sent. */
  readonly sent: ReadBody['sent'];
}

interface Received extends Checked {
  /** Ends the turn of a large body. */
  readonly leave: () => void;
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
function checkInput(route: Route, ctx: Context, body: unknown, sent: ReadBody['sent']): Checked {
  const query = { ...ctx.query };
  const problems = zeroCharacter(query, 'query');
  if (route.idempotent === true) problems.push(...idempotencyKeyProblems(readIdempotencyKey(ctx.req.headers)));
  if (route.bodyType === 'json') problems.push(...zeroCharacter(body, 'body'));
  const checked = {
    sent,
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

const textOf = (body: unknown): string =>
  typeof body === 'string' ? body : Buffer.isBuffer(body) ? body.toString() : JSON.stringify(body);

/** Tells whether the caller prefers the text of an answer that exists as JSON and as text. */
function prefersText(type: string | undefined, ctx: Context): boolean {
  if (type === undefined) return false;
  ctx.vary('Accept');
  return ctx.accepts('application/json', type) === type;
}

/** State that all routes of one app share. */
export interface Shared {
  readonly takeFromRate: TakeFromRate;
  readonly callers: CallerRates;
  readonly importPlaces: ImportPlaces;
  readonly signedBodies: SignedBodies;
  readonly largeBodies: LargeBodies;
  /** Where the bodies of unknown callers and those of clients count while they are in memory. */
  readonly publicBytes: ByteBudget;
  readonly clientBytes: ByteBudget;
  readonly limits: RequestLimits;
}

export function serveRoute(
  route: Route,
  deps: HttpDeps,
  { takeFromRate, callers, importPlaces, signedBodies, largeBodies, publicBytes, clientBytes, limits }: Shared,
): Middleware {
  const pace = route.isImport
    ? { ms: limits.importBodyMs, slowest: limits.slowestImport }
    : { ms: limits.bodyMs, slowest: undefined };
  const readBody = createBodyReader({ type: route.bodyType, limit: route.bodyLimit, ...pace });
  /** Whether the request is an import that waits for a place. */
  const isLargeImport = ({ req: { headers } }: Context): boolean =>
    route.isImport === true &&
    !(
      route.bodyType === 'json-bytes' &&
      headers['content-encoding'] === undefined &&
      Number(headers['content-length'] ?? Number.POSITIVE_INFINITY) <= limits.smallImportBytes
    );
  /** A small import costs as much as any other call, and counts as one: an integration may send debts one by one. */
  const rateOf = (ctx: Context): ClientRate =>
    route.isImport === true && !isLargeImport(ctx) ? 'calls' : (route.clientRate ?? 'calls');
  const acceptsNoBody = route.body === undefined || route.body.safeParse(undefined).success;
  const takeLargeLogin = createLargeLogins(deps.config);
  const textType = Object.values(route.responses).find(({ orText }) => orText !== undefined)?.orText;

  const identify = async (ctx: Context, ip: string): Promise<Caller | undefined> => {
    if (route.rate === 'signup' || route.rate === 'public') await takeFromRate(route.rate, ip);
    ctx.state['bearerExpected'] = route.auth !== 'none' || route.ownBearer === true;
    if (route.auth === 'none') return undefined;
    const { auth } = route;
    const credentials = { authorization: ctx.req.headers.authorization, ip };
    const caller = await callers.checkBearer(credentials, () => deps.authenticate(credentials, auth));
    const log = ctx.state['log'] as RequestContext;
    log.clientId = caller.clientId;
    log.role = caller.role;
    if (caller.member !== null) log.memberId = caller.member.id;
    const { headers, state } = callers.takeCall(caller.clientId, rateOf(ctx));
    ctx.set(headers);
    refuseUngranted(state);
    if (route.right === undefined || !mayCall(route, caller.role)) throw new AppError('role_insufficient');
    checkFactor(route, caller);
    return caller;
  };

  /** Large imports have places of their own, which limit their bytes too. */
  const holdBytes = (ctx: Context, ip: string, caller: Caller | undefined): Reading['held'] => {
    if (route.bodyType === 'none' || isLargeImport(ctx)) return undefined;
    const held = caller === undefined ? publicBytes(rateKey(ip)) : clientBytes(caller.clientId);
    ctx.res.once('close', held.release);
    return held;
  };

  const readInput = async (ctx: Context, owner: string, reading: Reading): Promise<Received> => {
    let leave = (): void => undefined;
    let isRefused = false;
    const beforeParsing = async (characters: number): Promise<void> => {
      await reading.beforeParsing?.(characters);
      leave = await largeBodies(owner, characters);
      // The client has left, or the time is over, while the body waited for its turn.
      if (!isRefused) return;
      leave();
      throw new ClientGone();
    };
    try {
      const read = await readBody(ctx, { ...reading, beforeParsing });
      if (read === undefined && route.bodyType.startsWith('json') && !acceptsNoBody) {
        throw new AppError('malformed_json', { detail: 'A JSON body is expected.' });
      }
      const body = read?.value ?? (route.bodyType === 'multipart' ? {} : read?.value);
      return { ...checkInput(route, ctx, body, read?.sent ?? new Map()), leave };
    } catch (error) {
      isRefused = true;
      leave();
      throw error;
    }
  };

  /** Returns the call that the request names by a key, or undefined when it has none. */
  const keyedCallOf = async (
    ctx: Context,
    { request, caller }: Pick<GuardedInput, 'request' | 'caller'>,
    body: ReadBody['sent'],
  ): Promise<KeyedCall | undefined> => {
    const key = route.idempotent === true ? readIdempotencyKey(request.headers) : undefined;
    if (key === undefined || caller === undefined) return undefined;
    // The same key with another `Accept` asks for another answer, so that it is another request.
    const accepted = request.prefersText ? { accepted: textType } : {};
    return {
      clientId: caller.clientId,
      route: route.operationId,
      key,
      requestHash: await requestHash({ params: ctx['params'], query: request.query, body, ...accepted }),
      sealed: route.secretAnswer === true,
    };
  };

  const answerKeyed = async (call: KeyedCall, input: GuardedInput): Promise<GivenAnswer> => {
    const work = async (workId: string): Promise<GivenAnswer> => {
      const answer = await route.handle({ ...input, request: { ...input.request, workId } });
      const body = checkAnswer(route, answer, deps);
      const { status, headers = {} } = answer;
      return {
        status,
        headers,
        body: body === undefined ? null : textOf(body),
      };
    };
    return deps.services.answerOnce(call, work, (error) =>
      deps.logger.warn({ err: error, operation: route.operationId }, 'the answer to a keyed call could not be kept'),
    );
  };

  const requestOf = (ctx: Context, ip: string): RouteRequest => {
    const { headers, url: target = '' } = ctx.req;
    return {
      id: ctx.state['requestId'] as string,
      ip,
      peer: clientIp(ctx.req.socket.remoteAddress, undefined, 0),
      headers,
      target,
      query: { ...ctx.query },
      prefersText: prefersText(textType, ctx),
      accepts: (types: readonly string[]) => ctx.accepts(...types) || null,
    };
  };

  const answer = async (ctx: Context, input: GuardedInput, keyed: KeyedCall | undefined): Promise<void> => {
    const { request } = input;
    const { authorization } = request.headers;
    if (keyed !== undefined) {
      const given = await answerKeyed(keyed, input);
      send(route, ctx, given, maskKept(route, input.caller, given.body) ?? undefined);
      return;
    }
    const handle = () => route.handle(input);
    const given = await (route.ownBearer ? callers.checkBearer({ authorization, ip: request.ip }, handle) : handle());
    const sent = checkAnswer(route, given, deps);
    if (sent instanceof Readable) logBreakingOff(route, sent, deps);
    send(route, ctx, given, maskPersons(route, input.caller, sent));
  };

  return async (ctx) => {
    const ip = clientIp(ctx.req.socket.remoteAddress, ctx.get('X-Forwarded-For') || undefined, deps.config.trustProxy);
    ctx.state['route'] = route.path;
    ctx.state['isPage'] = route.isPage;
    const request = requestOf(ctx, ip);

    const serve = async (): Promise<void> => {
      const inputBefore = route.bodyBefore
        ? await readInput(ctx, rateKey(ip), {
            held: holdBytes(ctx, ip, undefined),
            beforeParsing: (characters) => takeLargeLogin(ip, characters),
          })
        : undefined;
      // No such body is digested, and the look-up of the caller takes its time.
      inputBefore?.leave();
      const caller = await identify(ctx, ip);
      const isPlaced = caller !== undefined && isLargeImport(ctx);
      if (isPlaced) await importPlaces.receive(ctx, caller.clientId);
      const { query, body, sent, leave } =
        inputBefore ?? (await readInput(ctx, caller?.clientId ?? rateKey(ip), { held: holdBytes(ctx, ip, caller) }));
      const keyed = await keyedCallOf(ctx, { request, caller }, sent).finally(leave);
      const params = checkParams(route, ctx);
      const work = () => answer(ctx, { params, query, body, caller, request }, keyed);
      await (isPlaced ? importPlaces.work(ctx, caller.clientId, work) : work());
    };
    await (route.signed === undefined ? serve() : signedBodies(ctx, route.signed, request, serve));
  };
}
