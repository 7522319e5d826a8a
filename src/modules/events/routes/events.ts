import { z } from 'zod';
import { defineRoute, type Route } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';
import { booleanQuery, canRead, integerQuery, pageQuery } from '../../../platform/http/fields.ts';
import { eventSchema } from './schemas.ts';

export const eventRoutes = ({ services }: Pick<HttpDeps, 'services'>): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/api/events',
    operationId: 'listEvents',
    right: 'read',
    summary: 'What has changed, the oldest change first',
    description:
      'For systems that ask instead of being called. Store `nextCursor` and ask again with it: it is never null, and at the end, where `items` is empty, it stays the same. No event is skipped; `data.sequence` orders the events of one debt. Events are kept for 30 days.',
    tags: ['Events'],
    auth: 'bearer',
    query: pageQuery
      .extend({
        sandbox: booleanQuery.optional(),
        last: integerQuery(0, 100)
          .optional()
          .describe('Begins with this many of the newest changes instead of the oldest; not together with `cursor`'),
      })
      .refine(({ cursor, last }) => cursor === undefined || last === undefined, {
        ...canRead('cursor', 'last'),
        path: ['last'],
        message: 'A page begins at a cursor or with the last changes, not with both',
      }),
    responses: {
      200: {
        description: 'A page',
        schema: z.object({
          items: z.array(eventSchema),
          nextCursor: z.string().describe('Goes on after the last item, or where this page began when it is empty'),
        }),
      },
    },
    errors: [],
    handler: async ({ caller: { clientId }, query }) => ({
      status: 200,
      body: await services.listEvents({ clientId, ...query }),
    }),
  }),
];
