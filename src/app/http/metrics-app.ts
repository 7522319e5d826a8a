import type Koa from 'koa';
import { AppError } from '../../kernel/errors.ts';
import type { HttpConfig, HttpDeps } from '../../platform/http/deps.ts';
import { liveRoute } from '../routes/health.ts';
import { metricsRoutes } from '../routes/metrics.ts';
import type { ApiServices } from '../services/api.ts';
import { createAppOf } from './app.ts';

interface MetricsAppDeps extends Pick<HttpDeps, 'logger' | 'withLogContext' | 'metrics'> {
  readonly config: Pick<HttpConfig, 'publicUrl' | 'production' | 'metricsToken' | 'publicRatePerMinute'>;
}

/**
 * The HTTP application of a process without an API. Its two routes are those of the API, so that the same token opens
 * `/metrics` and every refusal is the same. Probes and scrapes come every few seconds: they are no lines of the log and no
 * requests of the metrics.
 */
export function createMetricsApp({ config, logger, withLogContext, metrics }: MetricsAppDeps): Koa {
  const unused = (): never => {
    throw new AppError('not_found');
  };
  const deps: HttpDeps = {
    config: {
      ...config,
      version: '',
      trustProxy: 0,
      corsOrigins: [],
      loginRatePerMinute: 1,
      signupRatePerMinute: 1,
      clientRatePerMinute: 1,
      sandboxOnly: true,
      paymentProviders: [],
      pixMtlsProxies: undefined,
      identity: null,
    },
    logger: {
      debug: logger.debug.bind(logger),
      info: logger.debug.bind(logger),
      warn: logger.warn.bind(logger),
      error: logger.error.bind(logger),
    },
    withLogContext,
    metrics: { contentType: metrics.contentType, text: metrics.text, observeRequest: () => {} },
    authenticate: unused,
    services: {} as ApiServices,
    now: () => new Date(),
    readiness: unused,
  };
  return createAppOf(deps, [liveRoute, ...metricsRoutes(deps)]);
}
