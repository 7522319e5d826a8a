import cors from '@koa/cors';
import Router, { type Layer, type RouterMiddleware } from '@koa/router';
import Koa, { type Middleware } from 'koa';
import { AppError } from '../../kernel/errors.ts';
import { createByteBudget } from '../../platform/http/byte-budget.ts';
import { createCallerRates } from '../../platform/http/caller-rates.ts';
import { addConsole } from '../../platform/http/console.ts';
import type { Route } from '../../platform/http/define-route.ts';
import type { HttpConfig, HttpDeps } from '../../platform/http/deps.ts';
import { createImportPlaces } from '../../platform/http/import-places.ts';
import { createLargeBodies } from '../../platform/http/large-bodies.ts';
import { MethodNotAllowed, problems } from '../../platform/http/problem.ts';
import { createRateLimits } from '../../platform/http/rate-limit.ts';
import { requestContext } from '../../platform/http/request-context.ts';
import { requestLimits } from '../../platform/http/request-limits.ts';
import { securityHeaders } from '../../platform/http/security-headers.ts';
import { type Shared, serveRoute } from '../../platform/http/serve-route.ts';
import { createSignedBodies } from '../../platform/http/signed-bodies.ts';
import { rememberRequest } from '../../platform/http/unhandled-errors.ts';
import { limitUnreadAnswers } from '../../platform/http/unread-answers.ts';
import { answerWhileClientSends } from '../../platform/http/unread-body.ts';
import { allRoutes, everyRoute } from '../routes/index.ts';

const CLIENT_LEFT = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'ERR_STREAM_PREMATURE_CLOSE']);

/** Builds the HTTP application of the API. */
export const createApp = (deps: HttpDeps, routes: readonly Route[] = allRoutes(deps)): Koa =>
  createAppOf(deps, everyRoute(deps, routes));

/** Builds an application of these routes. A request passes the middlewares in the order of the `use` calls below. */
export function createAppOf(deps: HttpDeps, routes: readonly Route[]): Koa {
  const routers = createRouters(deps, routes);
  // During development the first request makes what it needs, so that the start is short.
  if (deps.config.production) for (const { prepare } of routes) prepare?.();
  const app = new Koa();
  app.on('error', (error: NodeJS.ErrnoException) => {
    const line = CLIENT_LEFT.has(error.code ?? '') ? deps.logger.debug : deps.logger.error;
    line.call(deps.logger, { err: error }, 'the answer could not be delivered');
  });

  app.use(requestContext(deps));
  app.use(rememberRequest(deps.config));
  app.use(limitUnreadAnswers(requestLimits(deps.limits)));
  // This one answers errors of the middlewares below. The second one answers errors of the routes, so that those
  // middlewares still add their headers.
  app.use(problems(deps));
  app.use(securityHeaders(deps.config));
  app.use(crossOrigin(deps.config));
  app.use(answerWhileClientSends());
  app.use(problems(deps));
  app.use(checkTarget);
  app.use(serveByPlace(routers));
  app.use(noRoute(routers));
  return app;
}

/** The beginning of a path in which no route has a parameter. */
const placeOf = (path: string): string => path.split('/', path.startsWith('/api/') ? 3 : 2).join('/');

/** The routers by their places. One router would try all routes, a fifth of what a webhook costs this process. */
type Routers = ReadonlyMap<string, Router>;

function createRouters(deps: HttpDeps, routes: readonly Route[]): Routers {
  const routers = new Map<string, Router>();
  const routerAt = (path: string): Router => {
    const place = placeOf(path);
    const router = routers.get(place) ?? new Router({ sensitive: true });
    routers.set(place, router);
    return router;
  };
  const limits = requestLimits(deps.limits);
  const shared: Shared = {
    takeFromRate: createRateLimits(deps.config),
    callers: createCallerRates(deps.config),
    importPlaces: createImportPlaces(limits),
    signedBodies: createSignedBodies(deps.config),
    largeBodies: createLargeBodies(),
    publicBytes: createByteBudget(limits.publicBytes),
    clientBytes: createByteBudget(limits.clientBytes),
    limits,
  };
  // The first matching route serves, so fixed paths (`/payments/webhook`) come before paths with a parameter.
  const parameters = (route: Route) => route.path.split(':').length;
  for (const route of routes.toSorted((a, b) => parameters(a) - parameters(b))) {
    routerAt(route.path).register(route.path, [route.method], [refuseLessExactPath, serveRoute(route, deps, shared)]);
  }
  addConsole(routerAt, deps.console);
  return routers;
}

function serveByPlace(routers: Routers): Middleware {
  const serving = new Map([...routers].map(([place, router]) => [place, router.routes() as Middleware]));
  return (ctx, next) => serving.get(placeOf(ctx.path))?.(ctx, next) ?? next();
}

function crossOrigin({ corsOrigins }: Pick<HttpConfig, 'corsOrigins'>): Middleware {
  return cors({
    origin: (ctx) => (corsOrigins.includes(ctx.get('Origin')) ? ctx.get('Origin') : ''),
    allowMethods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowHeaders: ['Authorization', 'Content-Type', 'Idempotency-Key'],
    exposeHeaders: ['X-Request-Id', 'Retry-After', 'RateLimit', 'RateLimit-Policy'],
    maxAge: 600,
  });
}

/** Refuses a missing Host header. A target that cannot be decoded names no resource, so it is not found. */
const checkTarget: Middleware = async (ctx, next) => {
  if (ctx.req.httpVersion === '1.1' && ctx.req.headers.host === undefined) {
    throw new AppError('validation_failed', { detail: 'The Host header is missing.' });
  }
  try {
    decodeURIComponent(ctx.path);
  } catch {
    throw new AppError('not_found');
  }
  await next();
};

/**
 * Returns the methods of the path that names the resource most exactly: `/payments/webhook` has none of those of
 * `/payments/:debtId`, which matches it too.
 */
function methodsOf(matched: readonly Pick<Layer, 'methods' | 'paramNames'>[]): Set<string> {
  const fewest = Math.min(...matched.map(({ paramNames }) => paramNames.length));
  return new Set(matched.flatMap(({ methods, paramNames }) => (paramNames.length === fewest ? methods : [])));
}

/** Refuses a method that the most exact path does not have, before a less exact one serves it. */
const refuseLessExactPath: RouterMiddleware = (ctx, next) => {
  const methods = methodsOf(ctx.matched ?? []);
  if (!methods.has(ctx.method)) throw new MethodNotAllowed([...methods, 'OPTIONS']);
  return next();
};

/** Reached only when no route serves this method and path. */
function noRoute(routers: Routers): Middleware {
  return async (ctx) => {
    const methods = methodsOf(routers.get(placeOf(ctx.path))?.match(ctx.path, ctx.method).path ?? []);
    if (methods.size === 0) throw new AppError('not_found');
    const allowed = [...methods, 'OPTIONS'];
    if (ctx.method !== 'OPTIONS') throw new MethodNotAllowed(allowed);
    ctx.status = 204;
    ctx.set('Allow', allowed.join(', '));
  };
}
