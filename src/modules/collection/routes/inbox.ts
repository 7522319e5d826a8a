import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { defineRoute, type Route } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';
import { page, pageQuery } from '../../../platform/http/fields.ts';
import { memberOf, sourceOf } from '../../../platform/http/origin.ts';
import type { Caller } from '../../../platform/shared/caller.ts';
import { author } from '../../accounts/routes/author.ts';
import { caseWorkers, debtSchema, filter } from '../../debts/routes/schemas.ts';
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
    ...caseWorkers,
    personKey: z
      .string()
      .describe('The same for all items of one person, and of nobody else. It tells nothing about the person.'),
  })
  .meta({ id: 'InboxItem' });

const params = z.object({ debtId: z.uuid() });
const work = { tags: ['Debts'], auth: 'jwt', right: 'work' } as const;

/** Undefined: whoever has them. */
function assigneeOf(given: string | undefined, { member }: Caller): string | null | undefined {
  if (given === 'none') return null;
  if (given !== 'me') return given;
  if (member !== null) return member.id;
  const message = 'An API key is no member: name one by its id';
  throw new AppError('validation_failed', { errors: [{ parameter: 'assignee', code: 'invalid_value', message }] });
}

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
    query: pageQuery.extend({
      reason: filter(inboxReason),
      state: filter(z.enum(INBOX_STATES)),
      assignee: filter(z.union([z.enum(['me', 'none']), z.uuid()])).describe(
        'Only the cases of this member: an id, `me`, or `none` for those that nobody has. The counts are of these too',
      ),
      by: filter(z.literal('person')).describe(
        '`person` keeps the items of a person together, at the place of the most urgent one. A person of many items may go on at the beginning of the next page',
      ),
    }),
    responses: {
      200: {
        description:
          'A page, how many items of this state there are for each reason, and how many items are `open` and `waiting`',
        schema: page(item).extend({ counts: z.object(countOf) }),
      },
    },
    errors: [],
    handler: async ({ caller, query: { state = 'open', assignee, by, ...query } }) => ({
      status: 200,
      body: await services.listInbox({
        ...query,
        clientId: caller.clientId,
        memberId: caller.member?.id ?? null,
        state,
        assigneeId: assigneeOf(assignee, caller),
        byPerson: by === 'person',
      }),
    }),
  }),
  defineRoute({
    ...work,
    method: 'GET',
    path: '/api/inbox/members',
    operationId: 'listInboxMembers',
    namesNobody: true,
    summary: 'The members to whom a case of the inbox may be given, by name',
    responses: { 200: { description: 'All of them', schema: z.object({ items: z.array(author).readonly() }) } },
    errors: [],
    handler: async ({ caller: { clientId } }) => ({
      status: 200,
      body: { items: await services.listWorkingMembers(clientId) },
    }),
  }),
  defineRoute({
    ...work,
    method: 'PUT',
    path: '/api/inbox/:debtId/assignee',
    operationId: 'assignCase',
    summary: 'Give the case of a debt to a member, or to nobody',
    description:
      'The case is all that the debt waits for now, and what comes up until it ends. The assignment ends with the case, when the member leaves, and when its role does not allow the work any more. 409 `debt_state` when the debt waits for nothing; 409 `case_taken` when somebody else than `seen` has the case.',
    params,
    body: z.object({
      memberId: z.uuid().nullable().describe('Null gives the case back to nobody'),
      seen: z
        .uuid()
        .nullable()
        .optional()
        .describe('Who had the case when you looked, null for nobody; without it, whoever has it loses it'),
    }),
    responses: {
      200: { description: 'Who has the case now', schema: z.object({ assignee: caseWorkers.assignee }) },
    },
    errors: ['debt_state', 'case_taken'],
    handler: async ({ caller, params: { debtId }, body: { memberId: assigneeId, seen }, request }) => {
      const source = sourceOf(caller, request);
      const assignee = await services.assignCase({ clientId: caller.clientId, debtId, assigneeId, seen, source });
      return { status: 200, body: assignee === null ? {} : { assignee } };
    },
  }),
  defineRoute({
    ...work,
    method: 'POST',
    path: '/api/inbox/:debtId/viewing',
    operationId: 'viewCase',
    namesNobody: true,
    summary: 'Say that you have the case of a debt open, and see who else works on it',
    description:
      'It counts for two minutes, or until you open another case: call it again while the case is open. It holds nobody up, and stands in no log.',
    params,
    responses: { 200: { description: 'Who works on the case', schema: z.object(caseWorkers) } },
    errors: [],
    handler: async ({ caller, params: { debtId } }) => ({
      status: 200,
      body: await services.viewCase({ ...memberOf(caller), debtId }),
    }),
  }),
];
