import { z } from 'zod';
import { defineRoute, type Route } from '../../platform/http/define-route.ts';
import type { HttpDeps, Readiness } from '../../platform/http/deps.ts';

const state = z.enum(['up', 'down']);
const check = z.object({ status: state, detail: z.string().optional() });
const readiness = z.object({
  status: state,
  checks: z.object({ database: check, temporal: check, worker: check }),
});

const unknown: Readiness = {
  database: { status: 'down', detail: 'not known' },
  temporal: { status: 'down', detail: 'not known' },
  worker: { status: 'down', detail: 'not known' },
};

export const liveRoute = defineRoute({
  method: 'GET',
  path: '/health/live',
  operationId: 'getLiveness',
  summary: 'Whether this process answers',
  tags: ['Health'],
  auth: 'none',
  responses: { 200: { description: 'The process answers', schema: z.object({ status: z.literal('up') }) } },
  errors: [],
  handler: async () => ({ status: 200, body: { status: 'up' as const } }),
});

export function healthRoutes(deps: Pick<HttpDeps, 'readiness' | 'logger'>): Route[] {
  const ready = defineRoute({
    method: 'GET',
    path: '/health/ready',
    operationId: 'getReadiness',
    summary: 'Whether the database, Temporal and a worker can be used',
    tags: ['Health'],
    auth: 'none',
    responses: {
      200: { description: 'All of them can be used', schema: readiness },
      503: { description: 'Some of them cannot be used; the checks tell which', schema: readiness },
    },
    errors: [],
    handler: async () => {
      const checks = await deps.readiness().catch((error: unknown) => {
        deps.logger.error({ err: error }, 'the readiness checks failed');
        return unknown;
      });
      const up = Object.values(checks).every((one) => one.status === 'up');
      return up
        ? { status: 200, body: { status: 'up' as const, checks } }
        : { status: 503, body: { status: 'down' as const, checks } };
    },
  });
  return [liveRoute, ready];
}
