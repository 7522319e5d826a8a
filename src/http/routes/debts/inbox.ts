import { z } from 'zod';
import { INBOX_REASONS, type InboxReason } from '../../../domain/inbox-reasons.ts';
import { defineRoute, type Route } from '../../define-route.ts';
import type { HttpDeps } from '../../deps.ts';
import { page, pageQuery } from '../../fields.ts';
import { debtSchema, filter } from '../campaigns/schemas.ts';

const reason = z.enum(INBOX_REASONS);
const countByReason = Object.fromEntries(INBOX_REASONS.map((each) => [each, z.int()])) as Record<InboxReason, z.ZodInt>;

const item = z
  .object({
    debt: debtSchema,
    reason,
    since: z.iso.datetime().describe('Since when the debt waits for this reason, in real time'),
    lastMessage: z
      .object({ at: z.iso.datetime(), channel: z.string(), text: z.string(), intent: z.string().nullable() })
      .nullable()
      .describe('What the debtor wrote last to you; null when they wrote nothing'),
    snoozedUntil: z.iso.datetime().nullable(),
    sandbox: z.boolean(),
  })
  .meta({ id: 'InboxItem' });

export const inboxRoutes = ({ services }: Pick<HttpDeps, 'services'>): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/api/inbox',
    operationId: 'listInbox',
    summary: 'The debts that wait for your staff: disputes first, then the longest wait',
    description:
      'An item leaves when you decide (resume, withdraw), when the payment is settled or returned, when the debtor’s file is downloaded, or when its cause ends otherwise. A snoozed item is listed under `state=snoozed` and comes back by itself when its time is over, or when the debtor asks for the same again. Sandbox debts are listed too, with `sandbox: true`.',
    tags: ['Debts'],
    auth: 'bearer',
    query: pageQuery.extend({ reason: filter(reason), state: filter(z.enum(['open', 'snoozed'])) }),
    responses: {
      200: {
        description: 'A page, and how many items of this state there are for each reason',
        schema: page(item).extend({ counts: z.object(countByReason) }),
      },
    },
    errors: [],
    handler: async ({ caller: { clientId }, query: { state = 'open', ...query } }) => ({
      status: 200,
      body: await services.listInbox({ clientId, state, ...query }),
    }),
  }),
];
