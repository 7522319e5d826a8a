import { z } from 'zod';
import { parseLocalDate } from '../../../kernel/calendar.ts';
import { defineRoute, type Route } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';
import { amount, idParams } from '../../../platform/http/fields.ts';
import { sourceOf } from '../../../platform/http/origin.ts';
import { normaliseEmail } from '../../accounts/rules/corporate-email.ts';
import { debtStateSchema } from '../../debts/routes/schemas.ts';
import { dueDatesAround } from '../../debts/rules/due-dates.ts';
import { parsePhone } from '../../debts/use-cases/parse-phone.ts';

/** A text that an import would take too. */
const parsed = (parse: (text: string) => string | null, code: string, message: string) =>
  z.string().transform((text, context) => {
    const value = parse(text);
    if (value !== null) return value;
    context.addIssue({ code: 'custom', params: { code }, message });
    return z.NEVER;
  });

const phone = parsed(parsePhone, 'phone_invalid', 'A valid Brazilian phone number with area code is expected').meta({
  description: 'Replaces the phone in use',
});
const email = parsed((text) => normaliseEmail(text.trim()), 'email_invalid', 'A valid e-mail address is expected').meta(
  {
    description: 'Replaces the address in use; `null` removes every address',
  },
);
const dueDate = (now: () => Date) =>
  parsed(
    (text) => {
      const date = parseLocalDate(text);
      const { earliest, latest } = dueDatesAround(now());
      return date === null || date < earliest || date > latest ? null : date;
    },
    'date_invalid',
    'A real date is expected, as YYYY-MM-DD, at most 30 years ago and 10 years ahead',
  ).meta({ format: 'date' });

/** What a client may correct of a debt. */
export const correctionFields = (now: () => Date) => ({
  debtorPhone: phone.optional(),
  debtorEmail: email.nullable().optional(),
  dueDate: dueDate(now).optional(),
  originalAmount: amount.optional(),
});

export const correctionRoutes = ({ services, now }: Pick<HttpDeps, 'services' | 'now'>): Route[] => [
  defineRoute({
    method: 'PATCH',
    path: '/api/debts/:id',
    operationId: 'correctDebt',
    right: 'manage',
    summary: 'Correct phone, e-mail, due date or amount before the first payment',
    description:
      'Only the members that are sent change. A changed amount or due date replaces the open Pix code; an old code that was paid in the same moment counts like any payment. The debt stays at its step of the sequence. Refused once any payment has come in, for a stopped debt (import it again) and for an erased debtor.',
    tags: ['Debts'],
    auth: 'bearer',
    params: idParams,
    body: z.object(correctionFields(now)),
    responses: { 200: { description: 'The debt as it is now, without its timeline', schema: debtStateSchema } },
    errors: ['debt_state'],
    handler: async ({ caller, params: { id: debtId }, body, request }) => {
      const { clientId } = caller;
      const { debtorPhone, debtorEmail, dueDate, originalAmount: amountCentavos } = body;
      const correction = { debtorPhone, debtorEmail, dueDate, amountCentavos };
      await services.correctDebt({ clientId, debtId, correction, source: sourceOf(caller, request) });
      return { status: 200, body: await services.readDebtState({ clientId, debtId }) };
    },
  }),
];
