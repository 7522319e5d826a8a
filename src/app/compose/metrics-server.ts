import { startServer } from '../../platform/http/server.ts';
import { type Logger, withLogContext } from '../../platform/runtime/logger.ts';
import type { Metrics } from '../../platform/runtime/metrics.ts';
import { createMetricsApp } from '../http/metrics-app.ts';
import type { ServiceConfig, ServiceParts } from './service-parts.ts';

/** Scrapers and probes keep few connections. */
const MAX_CONNECTIONS = 100;
const DRAIN_MS = 1_000;

/** Serves `/metrics` and `/health/live` at `METRICS_PORT` for a process without an API. */
export async function openMetricsServer(
  config: ServiceConfig,
  logger: Logger,
  metrics: Metrics,
  closing: ServiceParts['closing'],
): Promise<void> {
  const { host, metricsPort: port, metricsToken, publicRatePerMinute, publicUrl } = config;
  if (port === undefined) return;
  const production = config.nodeEnv === 'production';
  const app = createMetricsApp({
    config: { publicUrl, production, metricsToken, publicRatePerMinute },
    logger,
    withLogContext,
    metrics,
  });
  const limits = { host, port, publicUrl, maxConnections: MAX_CONNECTIONS, drainMs: DRAIN_MS };
  closing((await startServer(app, limits)).close);
}
