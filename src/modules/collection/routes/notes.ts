import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { defineRoute, type Route } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';
import { idParams } from '../../../platform/http/fields.ts';
import { sourceOf } from '../../../platform/http/origin.ts';
import { by } from '../../accounts/routes/author.ts';
import { requiredStaffText } from '../../debts/routes/staff-text.ts';

const MAX_NOTE = 4_000;

const note = z.object({
  id: z.uuid().describe('`noteId` on the timeline'),
  at: z.iso.datetime().describe('By the clock of the debt, as on its timeline'),
  text: z.string(),
  by,
});

export const noteRoutes = ({ services }: Pick<HttpDeps, 'services'>): Route[] => [
  defineRoute({
    method: 'POST',
    path: '/api/debts/:id/notes',
    operationId: 'addNote',
    right: 'work',
    summary: 'Write a note of your staff on the timeline of a debt',
    description:
      'The debtor never sees it, and it changes nothing about the debt. It is removed when the debtor is erased; 409 when that was done before, and when the debt has 500 notes.',
    tags: ['Debts'],
    auth: 'bearer',
    idempotent: true,
    params: idParams,
    body: z.object({ text: requiredStaffText(MAX_NOTE) }),
    responses: { 201: { description: 'The note', schema: note } },
    errors: ['debt_state'],
    handler: async ({ caller, params: { id: debtId }, body: { text }, request }) => ({
      status: 201,
      body: await services.writeNote({
        clientId: caller.clientId,
        debtId,
        noteId: request.workId ?? randomUUID(),
        text,
        source: sourceOf(caller, request),
      }),
    }),
  }),
];
