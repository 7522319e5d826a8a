import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { defineRoute, type Route } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';
import { idParams } from '../../../platform/http/fields.ts';
import { sourceOf } from '../../../platform/http/origin.ts';
import { debtStateSchema } from '../../debts/routes/schemas.ts';
import { MAX_STAFF_TEXT, plainLines } from '../../debts/rules/staff-messages.ts';

const text = z
  .string()
  .transform((given) => plainLines(given).trim())
  .refine((given) => given !== '', { params: { code: 'too_short' }, message: 'At least one character is required' })
  .refine((given) => given.length <= 2 * MAX_STAFF_TEXT && [...given].length <= MAX_STAFF_TEXT, {
    params: { code: 'too_long' },
    message: `At most ${MAX_STAFF_TEXT} characters`,
  })
  .refine((given) => given.isWellFormed(), {
    params: { code: 'invalid_value' },
    message: 'Half a character is not allowed',
  });

const confirm = z.boolean().default(false).describe('The writer has seen the warnings about the text');

const facts = { tags: ['Debts'], params: idParams, errors: [] as const } as const;

export const answerRoutes = ({ services }: Pick<HttpDeps, 'services'>): Route[] => [
  defineRoute({
    ...facts,
    method: 'POST',
    path: '/api/debts/:id/messages',
    operationId: 'writeToDebtor',
    right: 'work',
    summary: 'Write to the debtor as a person',
    description:
      'While the debtor waits for an answer, or wrote within 24 hours, the message is a `reply`, at any hour and without a cap. Otherwise it is a `collection` contact: the contact policy has to allow it, it counts for every cap, and the identity of the creditor, the link and how to opt out are added to it. The message is sent within seconds and then stands on the timeline with `author: "staff"`; one that the policy forbids by then stands there as `failed`, and the debt waits in the inbox as `undelivered`. From now on the agent is silent with this debtor, until `POST /api/debts/{id}/hand-back` or until two business days have passed.\n\nThe text is checked. What the law forbids is refused with 400, whatever `confirm` says: codes `threat`, `shame`, `third_party`, `disclosure`, `hidden_characters`, `too_long` at `/text`. Codes that begin with `warning_` (`warning_missing`, `warning_number`, `warning_date`, `warning_link`, `warning_offer`, `warning_placeholder`, `warning_false_urgency`, `warning_loan`, `warning_admission`, `warning_asks_for_data`, `warning_false_claim`) are warnings: show them to the writer and send the same text again with `confirm: true`.\n\n409 `contact_blocked` has the verdict. Beside the rules of the policy, its `rules` may be `not_launched`, `erased`, `channel` (no channel reaches the debtor now), `free_text` (WhatsApp takes free text only within 24 hours of the debtor’s last message, and no other channel is there) or `text_length` (only SMS is there, and the text does not fit).',
    auth: 'jwt',
    idempotent: true,
    body: z.object({ text, confirm }),
    responses: {
      202: {
        description: 'The message will be sent',
        schema: z.object({
          id: z.uuid().describe('The `messageId` on the timeline'),
          purpose: z.enum(['collection', 'reply']),
          at: z.iso.datetime().describe('By the debt’s own clock'),
          channel: z.string().describe('The channel that is tried first'),
        }),
      },
    },
    errors: ['contact_blocked'],
    handler: async ({ caller, params: { id: debtId }, body, request }) => ({
      status: 202,
      body: await services.writeToDebtor({
        clientId: caller.clientId,
        debtId,
        messageId: request.workId ?? randomUUID(),
        ...body,
        source: sourceOf(caller, request),
      }),
    }),
  }),
  defineRoute({
    ...facts,
    method: 'POST',
    path: '/api/debts/:id/hand-back',
    operationId: 'handBack',
    right: 'work',
    summary: 'Give the conversation with the debtor back to the agent',
    description: 'For all debts of the person. `POST /api/debts/{id}/resume` does so too.',
    auth: 'bearer',
    responses: { 200: { description: 'The debt as it is now, without its timeline', schema: debtStateSchema } },
    errors: ['debt_state'],
    handler: async ({ caller, params: { id: debtId }, request }) => {
      const { clientId } = caller;
      await services.handBack({ clientId, debtId, source: sourceOf(caller, request) });
      return { status: 200, body: await services.readDebtState({ clientId, debtId }) };
    },
  }),
];
