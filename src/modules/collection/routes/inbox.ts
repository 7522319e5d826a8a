import { z } from 'zod';
import { defineRoute, type Route } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';
import { page, pageQuery } from '../../../platform/http/fields.ts';
import { debtSchema, filter } from '../../debts/routes/schemas.ts';
import { inboxReason } from '../../debts/routes/search.ts';
import { INBOX_REASONS, INBOX_STATES } from '../../debts/rules/inbox-reasons.ts';
import type { InboxCounts } from '../../debts/use-cases/list-inbox.ts';

const countOf = Object.fromEntries([...INBOX_REASONS, 'open', 'waiting'].map((each) => [each, z.int()])) as Record<
  keyof InboxCounts,
  z.ZodInt
>;

const item = z
  .object({
    debt: debtSchema,
    reason: inboxReason,
    since: z.iso.datetime().describe('Since when the debt waits for this reason, in real time'),
    lastMessage: z
      .object({ at: z.iso.datetime(), channel: z.string(), text: z.string(), intent: z.string().nullable() })
      .nullable()
      .describe('What the debtor wrote last to you; null when they wrote nothing'),
    snoozedUntil: z.iso.datetime().nullable(),
    dueAt: z.iso
      .datetime()
      .optional()
      .describe(
        'Until when you can act: for `refunded` the end of the term in which a return by the MED may be contested, for `rights` the last day of the law for the answer',
      ),
    sandbox: z.boolean(),
  })
  .meta({ id: 'InboxItem' });

export const inboxRoutes = ({ services }: Pick<HttpDeps, 'services'>): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/api/inbox',
    operationId: 'listInbox',
    right: 'read',
    summary: 'The debts that wait for your staff: disputes first, then the longest wait',
    description:
      'An item leaves when you decide (resume, withdraw), when the payment is settled or returned, when the debtor’s file is downloaded, when a request about rights is answered (`POST /api/rights-requests/{id}/answer`), or when its cause ends otherwise. A snoozed item is listed under `state=snoozed` and comes back by itself when its time is over, or when the debtor asks for the same again. An item that your staff have answered is listed under `state=waiting` until the person writes or the silence after the answer ends. Sandbox debts are listed too, with `sandbox: true`.',
    tags: ['Debts'],
    auth: 'bearer',
    query: pageQuery.extend({ reason: filter(inboxReason), state: filter(z.enum(INBOX_STATES)) }),
    responses: {
      200: {
        description:
          'A page, how many items of this state there are for each reason, and how many items are `open` and `waiting`',
        schema: page(item).extend({ counts: z.object(countOf) }),
      },
    },
    errors: [],
    handler: async ({ caller: { clientId }, query: { state = 'open', ...query } }) => ({
      status: 200,
      body: await services.listInbox({ clientId, state, ...query }),
    }),
  }),
];
