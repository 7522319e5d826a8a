import { z } from 'zod';
import { ERRORS, type ErrorCode } from '../../../kernel/errors.ts';
import { defineRoute, type Route } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';
import { canRead } from '../../../platform/http/fields.ts';
import { sourceOf } from '../../../platform/http/origin.ts';
import { debtFilter } from '../../debts/routes/search.ts';
import { resumeNote, snoozeUntil, withdrawalReason } from './change.ts';

const MAX_IDS = 1_000;

const bodyOf = (now: () => Date) => {
  const chosen = {
    ids: z.array(z.uuid()).min(1).max(MAX_IDS).nullish().describe('The debts; either these or `search`'),
    search: debtFilter.nullish().describe('The debts of a search, at most 10,000'),
    expect: z.int().min(0).describe('How many debts you saw; another number is refused'),
  };
  return z
    .discriminatedUnion('action', [
      z.object({ action: z.literal('resume'), note: resumeNote, ...chosen }),
      z.object({ action: z.literal('withdraw'), reason: withdrawalReason, ...chosen }),
      z.object({ action: z.literal('snooze'), until: snoozeUntil(now).unwrap(), ...chosen }),
    ])
    .superRefine(({ ids, search }, issues) => {
      if ((ids == null) !== (search == null)) return;
      const message = 'Either `ids` or `search` is required, and not both';
      issues.addIssue({
        code: 'custom',
        path: [ids == null ? 'ids' : 'search'],
        params: { code: 'invalid_value' },
        message,
      });
    }, canRead('action'));
};

const skipCode = z.enum(['note_required', ...(Object.keys(ERRORS) as ErrorCode[])]);

export const debtsActionRoutes = ({ services, now }: Pick<HttpDeps, 'services' | 'now'>): Route[] => [
  defineRoute({
    method: 'POST',
    path: '/api/debts/actions',
    operationId: 'changeDebts',
    right: 'work',
    summary: 'Resume, withdraw or snooze many debts',
    description:
      'The selection is taken and counted first: 409 `selection_changed` when it has not as many debts as `expect`, and nothing is done. Then each debt is changed by itself, as by the route of one debt, and one that does not allow the change is skipped with the code of its refusal. Each debt takes as long as by itself, 10 to 40 ms, so a call of 1,000 debts takes up to a minute; it goes on when the caller goes away, and answers a repetition with the same `Idempotency-Key`.',
    tags: ['Debts'],
    auth: 'bearer',
    idempotent: true,
    clientRate: 'exports',
    body: bodyOf(now),
    responses: {
      200: {
        description: 'What was done',
        schema: z.object({
          done: z.int().describe('How many debts were changed'),
          skipped: z.array(z.object({ id: z.uuid(), code: skipCode })),
        }),
      },
    },
    errors: ['selection_changed'],
    handler: async ({ caller, body, request }) => {
      const common = { clientId: caller.clientId, expect: body.expect, source: sourceOf(caller, request) };
      const chosen = body.ids == null ? { search: body.search ?? {} } : { ids: body.ids };
      const action =
        body.action === 'withdraw'
          ? { action: body.action, reason: body.reason ?? null }
          : body.action === 'snooze'
            ? { action: body.action, until: body.until }
            : { action: body.action, note: body.note ?? null };
      return { status: 200, body: await services.changeDebts({ ...common, ...chosen, ...action }) };
    },
  }),
];
