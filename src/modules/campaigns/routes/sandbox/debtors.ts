import { z } from 'zod';
import { AppError } from '../../../../kernel/errors.ts';
import { defineRoute, type Route } from '../../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../../platform/http/deps.ts';
import { page, pageQuery } from '../../../../platform/http/fields.ts';
import { sourceOf } from '../../../../platform/http/origin.ts';
import { filter } from '../../../debts/routes/schemas.ts';

const tags = ['Sandbox'];

const MAX_CHARACTERS = 4_096;
const characters = (text: string): number => [...text].length;

const messageText = z
  .string()
  .transform((text) => text.trim())
  .refine((text) => text !== '', { params: { code: 'too_short' }, message: 'At least one character is required' })
  .refine((text) => text.length <= 2 * MAX_CHARACTERS && characters(text) <= MAX_CHARACTERS, {
    params: { code: 'too_long' },
    message: `At most ${MAX_CHARACTERS} characters`,
  });

const item = z.object({
  id: z.uuid(),
  debtId: z.uuid(),
  channel: z.string(),
  to: z.string(),
  purpose: z.string(),
  text: z.string(),
  document: z.object({ filename: z.string(), url: z.string() }).nullable(),
  pixCode: z
    .string()
    .nullable()
    .optional()
    .describe('Only with `include=steps`: the Pix code that the debtor could copy in the message itself'),
  stepsToPay: z
    .int()
    .nullable()
    .optional()
    .describe(
      'Only with `include=steps`: how many steps the debtor is away from having paid; null for a message by which nothing can be paid',
    ),
  at: z.iso.datetime().describe("In the debt's simulated time"),
});

export function sandboxDebtorRoutes({ services }: Pick<HttpDeps, 'services'>): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/api/sandbox/debts/:debtId/messages',
      operationId: 'sendSandboxMessage',
      right: 'work',
      summary: 'Write a message as the debtor of a sandbox debt',
      tags,
      auth: 'bearer',
      idempotent: true,
      params: z.object({ debtId: z.uuid() }),
      body: z.object({ text: messageText }),
      responses: { 202: { description: 'The message was received and will be answered' } },
      errors: [],
      handler: async ({ caller, params: { debtId }, body: { text }, request }) => {
        const source = sourceOf(caller, request);
        await services.sendSandboxMessage({ clientId: caller.clientId, debtId, text, source });
        return { status: 202 };
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/sandbox/outbox',
      operationId: 'listSandboxOutbox',
      right: 'read',
      summary: 'What would have been sent to debtors, oldest first',
      tags,
      auth: 'bearer',
      query: pageQuery.extend({ debtId: z.string().optional(), include: filter(z.enum(['steps'])) }),
      responses: { 200: { description: 'A page', schema: page(item) } },
      errors: ['not_found'],
      handler: async ({ caller: { clientId }, query }) => {
        // As in a path, a malformed id gets the same answer as an id that does not exist.
        if (query.debtId !== undefined && !z.uuid().safeParse(query.debtId).success) throw new AppError('not_found');
        return { status: 200, body: await services.readSandboxOutbox({ clientId, ...query }) };
      },
    }),
  ];
}
