import { z } from 'zod';
import { PAYMENT_STATUSES, type PaymentStatus } from '../../../kernel/payment-status.ts';
import { defineRoute, type Route } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';
import { reais } from '../../../platform/http/fields.ts';
import { sourceOf } from '../../../platform/http/origin.ts';

const tags = ['Payments'];
const status = z.enum(PAYMENT_STATUSES);

export const debtParams = z.object({ debtId: z.uuid().transform((id) => id.toLowerCase()) });

/** The payment of a debt as the API answers it. */
export const payment = z
  .object({
    debtId: z.uuid(),
    paymentId: z.uuid().nullable(),
    providerPaymentId: z.string().nullable().describe('The `data.id` of notifications'),
    status,
    amount: reais.describe('Reais'),
    currency: z.literal('BRL'),
    brCode: z.string().nullable().describe('Pix code to copy and paste, while it can be paid'),
    expiresAt: z.iso.datetime().nullable(),
    paidAt: z.iso.datetime().nullable(),
    receiptProtocol: z.string().nullable(),
  })
  .meta({ id: 'Payment' });

export function paymentRoutes({ services }: Pick<HttpDeps, 'services'>): Route[] {
  const read = defineRoute({
    method: 'GET',
    path: '/api/payments/:debtId',
    operationId: 'readPayment',
    right: 'read',
    summary: 'The payment of a debt',
    tags,
    auth: 'bearer',
    params: debtParams,
    responses: { 200: { description: 'The payment; PENDING while there is none', schema: payment } },
    errors: [],
    handler: async ({ caller, params }) => ({
      status: 200,
      body: await services.readPayment({ clientId: caller.clientId, debtId: params.debtId }),
    }),
  });

  const pay = defineRoute({
    method: 'POST',
    path: '/api/sandbox/debts/:debtId/pay',
    operationId: 'payInSandbox',
    right: 'work',
    summary: 'Pay a sandbox debt as the debtor’s bank would',
    description: 'A charge is created or renewed when needed; the payment is confirmed by the signed notification.',
    tags: ['Sandbox'],
    auth: 'bearer',
    idempotent: true,
    params: debtParams,
    responses: { 202: { description: 'Paid at the simulated provider' } },
    errors: [],
    handler: async ({ caller, params, request }) => {
      const source = sourceOf(caller, request);
      await services.payInSandbox({ clientId: caller.clientId, debtId: params.debtId, source });
      return { status: 202 };
    },
  });

  /** A public route that the scripts of the debtor's pages poll. */
  const polled = (
    route: {
      readonly path: string;
      readonly operationId: string;
      readonly summary: string;
      readonly description: string;
    },
    statusOf: (debtId: string) => Promise<PaymentStatus>,
  ): Route =>
    defineRoute({
      method: 'GET',
      ...route,
      tags,
      auth: 'none',
      rate: 'public',
      params: debtParams,
      responses: { 200: { description: 'The status alone', schema: z.object({ status }) } },
      errors: [],
      handler: async ({ params }) => ({
        status: 200,
        body: { status: await statusOf(params.debtId) },
        headers: { 'Cache-Control': 'no-store' },
      }),
    });
  const checkoutStatus = polled(
    {
      path: '/api/checkout/:debtId/status',
      operationId: 'readCheckoutStatus',
      summary: 'The status of a payment, for the debtor’s page',
      description: 'Of a debt in an agreement it is PENDING until the last instalment is paid.',
    },
    services.checkoutStatus,
  );
  const agreementStatus = polled(
    {
      path: '/api/checkout/:debtId/agreement/status',
      operationId: 'readAgreementStatus',
      summary: 'What the debtor’s page of an agreement waits for',
      description:
        'APPROVED from a payment on until the code of the next one is made, so that the page is loaded again. Of a debt in no agreement it is the status of its payment.',
    },
    services.agreementStatus,
  );
  return [read, pay, checkoutStatus, agreementStatus];
}
