import { everyRoute } from '../src/app/routes/index.ts';
import type { ApiServices } from '../src/app/services/api.ts';
import { AppError } from '../src/kernel/errors.ts';
import { webhookOperations } from '../src/modules/events/routes/openapi-webhooks.ts';
import type { HttpDeps } from '../src/platform/http/deps.ts';
import { buildOpenApi } from '../src/platform/http/openapi.ts';
import type { JsonObject } from '../src/platform/http/openapi-json.ts';

/** The routes can be declared with this; no request is served, so no use case is called. */
const notServing = (): never => {
  throw new AppError('unavailable');
};
const silent = (): void => undefined;
const deps: HttpDeps = {
  config: {
    publicUrl: 'https://api.quita.example',
    production: true,
    version: '0.0.0',
    trustProxy: 0,
    corsOrigins: [],
    metricsToken: undefined,
    loginRatePerMinute: 1,
    signupRatePerMinute: 1,
    publicRatePerMinute: 1,
    clientRatePerMinute: 1,
    sandboxOnly: true,
    paymentProviders: [],
    pixMtlsProxies: undefined,
    identity: null,
  },
  logger: { debug: silent, info: silent, warn: silent, error: silent },
  withLogContext: (_context, run) => run(),
  metrics: { contentType: 'text/plain; version=0.0.4; charset=utf-8', text: notServing, observeRequest: silent },
  authenticate: notServing,
  services: {} as ApiServices,
  now: notServing,
  readiness: notServing,
};

/** Builds the document that `GET /openapi.json` serves, without a service. */
export const openApiDocument = (): JsonObject => buildOpenApi(everyRoute(deps), deps.config, webhookOperations);
