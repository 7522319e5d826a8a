import cors from '@koa/cors';
import Router from '@koa/router';
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
  const router = createRouter(deps, routes);
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
  app.use(router.routes());
  app.use(noRoute(router));
  return app;
}

function createRouter(deps: HttpDeps, routes: readonly Route[]): Router {
  const router = new Router({ sensitive: true });
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
    router.register(route.path, [route.method], serveRoute(route, deps, shared));
  }
  addConsole(router, deps.console);
  return router;
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

/** Reached only when no route serves this method and path. */
function noRoute(router: Router): Middleware {
  return async (ctx) => {
    const methods = new Set(router.match(ctx.path, ctx.method).path.flatMap((layer) => layer.methods));
    if (methods.size === 0) throw new AppError('not_found');
    const allowed = [...methods, 'OPTIONS'];
    if (ctx.method !== 'OPTIONS') throw new MethodNotAllowed(allowed);
    ctx.status = 204;
    ctx.set('Allow', allowed.join(', '));
  };
}
