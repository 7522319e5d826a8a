import { z } from 'zod';
import { DEBT_STATUSES } from '../../../kernel/debt-status.ts';
import { PAYMENT_METHODS } from '../../../kernel/payment-methods.ts';
import { RECEIVED_DOUBTS, RECEIVED_SOURCES } from '../../../kernel/received-states.ts';
import { defineRoute, type Route } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';
import { idParams, page, pageQuery, reais } from '../../../platform/http/fields.ts';
import { sourceOf } from '../../../platform/http/origin.ts';
import { by } from '../../accounts/routes/author.ts';
import { payment } from '../../payments/routes/payments.ts';

const tags = ['Payment accounts'];

const candidate = z
  .object({
    debtId: z.uuid(),
    debtorName: z.string(),
    invoiceId: z.string().nullable(),
    dueDate: z.string(),
    amount: reais,
    status: z.enum(DEBT_STATUSES),
  })
  .meta({ id: 'CandidateDebt' });

const details = z
  .object({
    source: z.enum(RECEIVED_SOURCES).describe('Who told of it: a file of yours, or the bank of your account'),
    method: z.enum(PAYMENT_METHODS),
    invoiceId: z.string().nullable().describe('As the file says it'),
    memo: z.string().nullable().describe('What the statement says'),
    doubt: z.enum(RECEIVED_DOUBTS).nullable().describe('Why it is not certain which debt it is for'),
    candidates: z.array(candidate).describe('The debts that it may be for, the likeliest first'),
  })
  .meta({ id: 'OrphanPaymentDetails' });

const orphan = z
  .object({
    id: z.uuid(),
    amount: reais,
    paidAt: z.iso.datetime(),
    endToEndId: z.string().nullable().describe('The id of the Pix between the banks'),
    by: by.describe('The member who sent the file that told of it; absent for what your bank told'),
    details: details.optional().describe('Only with `include=candidates`'),
  })
  .meta({ id: 'OrphanPayment' });

export const orphanRoutes = ({ services }: Pick<HttpDeps, 'services'>): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/api/payments/orphans',
    operationId: 'listOrphanPayments',
    right: 'read',
    summary: 'Payments of which it is not certain which debt they are for, the newest first',
    description:
      'Somebody paid to your account by key, or by a code that no charge of this service has; or a file told of a payment that fits no debt or several. You say which debt each is for.',
    tags,
    auth: 'bearer',
    query: pageQuery.extend({ include: z.enum(['candidates']).optional() }),
    responses: { 200: { description: 'A page', schema: page(orphan) } },
    errors: [],
    handler: async ({ caller: { clientId }, query: { include, limit, cursor } }) => {
      const { items, nextCursor } = await services.listOrphans({
        clientId,
        limit,
        cursor,
        withCandidates: include === 'candidates',
      });
      const body = items.map(({ details: of, ...item }) => ({
        ...item,
        ...(of === undefined ? {} : { details: { ...of, candidates: [...of.candidates] } }),
      }));
      return { status: 200, body: { items: body, nextCursor } };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/payments/orphans/:id/assign',
    operationId: 'assignOrphanPayment',
    right: 'work',
    summary: 'Say which debt a payment without a charge is for',
    description:
      'It is recorded like a payment that you received elsewhere: it settles the debt, is a part of it, or pays the next instalments.',
    tags,
    auth: 'jwt',
    idempotent: true,
    params: idParams,
    body: z.object({ debtId: z.uuid() }),
    responses: { 200: { description: 'The payment of the debt; a repetition records nothing again', schema: payment } },
    errors: ['debt_state'],
    handler: async ({ caller, params, body, request }) => {
      const source = sourceOf(caller, request);
      const { clientId } = caller;
      const { debtId } = body;
      await services.assignReceived({ clientId, id: params.id, debtId, source });
      return { status: 200, body: await services.readPayment({ clientId, debtId }) };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/payments/orphans/:id/dismiss',
    operationId: 'dismissOrphanPayment',
    right: 'work',
    summary: 'Say that a payment without a charge is for no debt',
    tags,
    auth: 'jwt',
    idempotent: true,
    params: idParams,
    responses: { 204: { description: 'It is not listed again' } },
    errors: ['debt_state'],
    handler: async ({ caller, params, request }) => {
      await services.dismissReceived({ clientId: caller.clientId, id: params.id, source: sourceOf(caller, request) });
      return { status: 204 };
    },
  }),
];
