import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { PAYMENT_METHODS } from '../../../kernel/payment-methods.ts';
import { PAYMENT_SOURCES } from '../../../kernel/payment-providers.ts';
import { PAYMENT_STATUSES } from '../../../kernel/payment-status.ts';
import { defineRoute, type Route } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';
import { amount, idParams, reais } from '../../../platform/http/fields.ts';
import { sourceOf } from '../../../platform/http/origin.ts';
import { by } from '../../accounts/routes/author.ts';
import { requiredStaffText } from '../../debts/routes/staff-text.ts';
import { REFUND_FAILURES, REFUND_KINDS, REFUND_STATES } from '../rules/refunds.ts';
import { PAYMENT_KINDS } from '../use-cases/read-debt-payments.ts';
import { debtParams } from './payments.ts';

const MAX_REASON = 1_000;

const money = z.number().min(0).describe('Reais');

const refund = z
  .object({
    id: z.uuid(),
    amount: reais.describe('Reais'),
    reason: z.string().nullable().describe('In the words of your staff'),
    state: z.enum(REFUND_STATES).describe('`failed`: the money did not go back, and may be asked for again'),
    failure: z
      .enum(REFUND_FAILURES)
      .nullable()
      .describe(
        'Why it failed. `refused`: the provider does not give it back; `not_made`: the bank did not make it; `account_gone`: the account is not kept any more; `credentials_refused`, `payment_unknown`: the provider has said so for a week. After the last three, check at the provider whether the money went back',
      ),
    kind: z
      .enum(REFUND_KINDS)
      .describe(
        '`asked` by your staff; `excess`: given back by itself. The others came unasked: `refund` in the provider’s panel, by the MED, or as a chargeback',
      ),
    createdAt: z.iso.datetime(),
    contestUntil: z.iso.datetime().nullable().describe('Until when you may contest a return by the MED at your bank'),
    by,
  })
  .meta({ id: 'Refund' });

const debtPayment = z
  .object({
    debtId: z.uuid(),
    paymentId: z.uuid(),
    providerPaymentId: z.string().nullable(),
    provider: z.enum(PAYMENT_SOURCES).describe('`outside`: you received it elsewhere'),
    status: z.enum(PAYMENT_STATUSES).describe('APPROVED once money has come, also when it went back since'),
    kind: z.enum(PAYMENT_KINDS).nullable().describe('What the payment was for the debt; null while nothing has come'),
    agreementId: z.uuid().nullable().describe('The agreement whose money it is'),
    amount: reais.describe('What was asked for, in reais'),
    paid: money,
    refunded: money,
    chargedBack: z.boolean(),
    currency: z.literal('BRL'),
    paidAt: z.iso.datetime().nullable(),
    method: z.enum(PAYMENT_METHODS),
    endToEndId: z.string().nullable().describe('The id of the Pix transaction'),
    receiptProtocol: z.string().nullable(),
    refunds: z.array(refund).describe('What went back or is going back, the oldest first'),
    by,
  })
  .meta({ id: 'DebtPayment' });

export const refundRoutes = ({ services }: Pick<HttpDeps, 'services'>): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/api/debts/:id/payments',
    operationId: 'listDebtPayments',
    right: 'read',
    summary: 'Every payment of a debt, with what goes back of it',
    description:
      'The latest first: codes that were made, money that came by them, what you received elsewhere, and the money of the debt’s agreements. At most 500.',
    tags: ['Payments'],
    auth: 'bearer',
    params: idParams,
    responses: { 200: { description: 'The payments', schema: z.object({ items: z.array(debtPayment) }) } },
    errors: [],
    handler: async ({ caller, params: { id: debtId } }) => ({
      status: 200,
      body: await services.readDebtPayments({ clientId: caller.clientId, debtId }),
    }),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/payments/:debtId/refund',
    operationId: 'refundPayment',
    right: 'manage',
    stepUp: 'always',
    summary: 'Give money of a payment back',
    description:
      'The provider that took the payment gives it back, in part or whole, within the days that it allows: 90. What was paid is never exceeded by what went and is going back. `GET /api/debts/:id/payments` says how the refund stands; the timeline tells of each step. A debt whose money goes back stays as it is, and its receipt is revoked when all of it went back.',
    tags: ['Payments'],
    auth: 'jwt',
    idempotent: true,
    params: debtParams,
    body: z.object({
      amount,
      reason: requiredStaffText(MAX_REASON).meta({ description: 'For your staff: the debtor never sees it' }),
      paymentId: z
        .uuid()
        .transform((id) => id.toLowerCase())
        .nullish()
        .meta({ description: 'Which payment, where the debt has several' }),
    }),
    responses: { 202: { description: 'The payment, with the refund that is under way', schema: debtPayment } },
    errors: ['refund_impossible'],
    handler: async ({ caller, params: { debtId }, body, request }) => ({
      status: 202,
      body: await services.askRefund({
        clientId: caller.clientId,
        debtId,
        refundId: request.workId ?? randomUUID(),
        amountCentavos: body.amount,
        reason: body.reason,
        paymentId: body.paymentId ?? null,
        source: sourceOf(caller, request),
      }),
    }),
  }),
];
