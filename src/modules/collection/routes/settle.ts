import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { PAYMENT_METHODS } from '../../../kernel/payment-methods.ts';
import { defineRoute, type Route } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';
import { amount, idParams } from '../../../platform/http/fields.ts';
import { sourceOf } from '../../../platform/http/origin.ts';
import { debtStateSchema } from '../../debts/routes/schemas.ts';
import { staffText } from '../../debts/routes/staff-text.ts';
import { MAX_PAYMENT_AGE_YEARS, parsePaymentMoment } from '../../debts/rules/payment-moment.ts';

const MAX_NOTE = 1_000;

const paidAt = (now: () => Date) =>
  z
    .string()
    .transform((text, context) => {
      const at = parsePaymentMoment(text.slice(0, 40), now().getTime());
      if (at !== null) return new Date(at);
      const message = `A date or an ISO 8601 moment with an offset, not in the future and at most ${MAX_PAYMENT_AGE_YEARS} years ago`;
      context.addIssue({ code: 'custom', params: { code: 'date_invalid' }, message });
      return z.NEVER;
    })
    .meta({ description: 'When the money came: `2026-11-20` or `2026-11-20T14:30:00-03:00`' });

const note = staffText(MAX_NOTE)
  .transform((text) => (text === '' ? null : text))
  .nullish()
  .meta({ description: 'For your staff: it stands on the timeline, and the debtor never sees it' });

const rest = z
  .enum(['waive', 'keep'])
  .optional()
  .describe(
    'What becomes of what is open after this payment: given up, or owed as before. Without it, it is given up where the payment covers the open principal',
  );

export function settleRoutes({ services, now }: Pick<HttpDeps, 'services' | 'now'>): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/api/debts/:id/settle',
      operationId: 'settleDebt',
      right: 'work',
      summary: 'Record a payment that you received elsewhere',
      description:
        'Counts like any payment: the debt becomes PAID when it covers what is open, or when `rest` is given up; ON_HOLD when it is less, and for a debt that is paid already it is a `payment_duplicate`. Open Pix codes are cancelled, and the debtor gets the receipt, which says how the money came. Of a debt that has an agreement it pays the next instalments, and `rest` cannot be given up. In the figures it counts on the day of this call.',
      tags: ['Debts'],
      auth: 'jwt',
      idempotent: true,
      params: idParams,
      body: z.object({ amount, paidAt: paidAt(now), method: z.enum(PAYMENT_METHODS), note, rest }),
      responses: { 200: { description: 'The debt as it is now, without its timeline', schema: debtStateSchema } },
      errors: ['debt_state'],
      handler: async ({ caller, params: { id: debtId }, body, request }) => {
        const { clientId } = caller;
        await services.settleDebt({
          clientId,
          debtId,
          paymentId: request.workId ?? randomUUID(),
          amountCentavos: body.amount,
          paidAt: body.paidAt,
          method: body.method,
          note: body.note ?? null,
          rest: body.rest ?? null,
          source: sourceOf(caller, request),
        });
        return { status: 200, body: await services.readDebtState({ clientId, debtId }) };
      },
    }),
  ];
}
