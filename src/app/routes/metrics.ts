import { createHash, timingSafeEqual } from 'node:crypto';
import { AppError } from '../../kernel/errors.ts';
import { defineRoute, type Route } from '../../platform/http/define-route.ts';
import type { HttpDeps } from '../../platform/http/deps.ts';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

function admit({ metricsToken, production }: HttpDeps['config'], authorization: string | undefined): void {
  if (metricsToken === undefined) {
    if (production) throw new AppError('not_found');
    return;
  }
  if (authorization === undefined) throw new AppError('unauthenticated');
  const sent = /^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? '';
  if (!timingSafeEqual(digest(sent), digest(metricsToken))) throw new AppError('token_invalid');
}

export function metricsRoutes({ config, metrics }: Pick<HttpDeps, 'config' | 'metrics'>): Route[] {
  const read = defineRoute({
    method: 'GET',
    path: '/metrics',
    operationId: 'getMetrics',
    summary: 'Metrics for Prometheus',
    description: 'The bearer is the operator’s `METRICS_TOKEN`.',
    tags: ['Health'],
    auth: 'none',
    ownBearer: true,
    responses: { 200: { description: 'Prometheus text format', contentType: metrics.contentType } },
    errors: ['unauthenticated', 'token_invalid', 'not_found'],
    handler: async ({ request }) => {
      admit(config, request.headers.authorization);
      return { status: 200, body: await metrics.text() };
    },
  });
  return [read];
}
