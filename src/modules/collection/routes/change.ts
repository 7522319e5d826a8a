import { z } from 'zod';
import { DAY, parseMoment } from '../../../kernel/calendar.ts';
import { defineRoute, type Route } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';
import { booleanQuery, idParams } from '../../../platform/http/fields.ts';
import { sourceOf } from '../../../platform/http/origin.ts';
import { debtStateSchema } from '../../debts/routes/schemas.ts';
import { requiredStaffText } from '../../debts/routes/staff-text.ts';

const tags = ['Debts'];

const MAX_REASON = 500;
const MAX_SNOOZE_DAYS = 366;

export const withdrawalReason = requiredStaffText(MAX_REASON)
  .nullish()
  .describe('For your staff: it stands on the timeline, and the debtor never sees it');

/** The whole body may be absent, as it was before reasons existed. */
const withdrawal = z.object({ reason: withdrawalReason }).optional();

const MIN_NOTE = 10;
const MAX_NOTE = 1_000;

export const resumeNote = requiredStaffText(MAX_NOTE, MIN_NOTE)
  .nullish()
  .describe(
    'What your staff checked, 10 to 1,000 characters. Required for a disputed debt and for one whose debtor says to have paid. It stands on the timeline, and the debtor never sees it',
  );
const resumption = z.object({ note: resumeNote }).optional();

export const snoozeUntil = (now: () => Date) =>
  z
    .string()
    .transform((text, context) => {
      const at = parseMoment(text.slice(0, 40));
      const ahead = at === null ? Number.NaN : at - now().getTime();
      if (at !== null && ahead > 0 && ahead <= MAX_SNOOZE_DAYS * DAY) return new Date(at);
      const message = 'An ISO 8601 moment with an offset, in the future and at most a year ahead';
      context.addIssue({ code: 'custom', params: { code: 'date_invalid' }, message });
      return z.NEVER;
    })
    .nullable()
    .meta({ description: 'Until when, such as `2026-11-25T09:00:00-03:00`; null shows the items again' });

const facts = { tags, auth: 'bearer', params: idParams } as const;

export function debtActionRoutes({ services, now }: Pick<HttpDeps, 'services' | 'now'>): Route[] {
  const changed = {
    200: { description: 'The debt as it is now, without its timeline', schema: debtStateSchema },
  } as const;
  return [
    defineRoute({
      ...facts,
      method: 'POST',
      path: '/api/debts/:id/resume',
      operationId: 'resumeDebt',
      right: 'work',
      summary: 'Continue a debt that was disputed, put on hold, or ended without a payment',
      description:
        'An EXHAUSTED or UNREACHABLE debt gets a new sequence: from 30 days after its last contact, and once in 90 days, except after a correction that removed what had ended it.',
      body: resumption,
      responses: changed,
      errors: ['debt_state'],
      handler: async ({ caller, params: { id: debtId }, body, request }) => {
        const { clientId } = caller;
        const source = sourceOf(caller, request);
        await services.resumeDebt({ clientId, debtId, source, reason: body?.note });
        return { status: 200, body: await services.readDebtState({ clientId, debtId }) };
      },
    }),
    defineRoute({
      ...facts,
      method: 'POST',
      path: '/api/debts/:id/withdraw',
      operationId: 'withdrawDebt',
      right: 'work',
      summary: 'Stop collecting a debt: it becomes STOPPED',
      body: withdrawal,
      responses: changed,
      errors: ['debt_state'],
      handler: async ({ caller, params: { id: debtId }, body, request }) => {
        const { clientId } = caller;
        const source = sourceOf(caller, request);
        await services.withdrawDebt({ clientId, debtId, source, reason: body?.reason });
        return { status: 200, body: await services.readDebtState({ clientId, debtId }) };
      },
    }),
    defineRoute({
      ...facts,
      method: 'POST',
      path: '/api/debts/:id/snooze',
      operationId: 'snoozeDebt',
      right: 'work',
      summary: 'Hide a debt from the inbox until a moment',
      description:
        'Hides what the debt waits for now, in the inbox and in the mails about it. What comes up later is shown at once, also when the debtor asks for the same again. It does not change when the debtor is contacted. 409 when the debt waits for nothing.',
      body: z.object({ until: snoozeUntil(now) }),
      responses: changed,
      errors: ['debt_state'],
      handler: async ({ caller, params: { id: debtId }, body: { until }, request }) => {
        const { clientId } = caller;
        await services.snoozeDebt({ clientId, debtId, until, source: sourceOf(caller, request) });
        return { status: 200, body: await services.readDebtState({ clientId, debtId }) };
      },
    }),
    defineRoute({
      ...facts,
      method: 'GET',
      path: '/api/debts/:id/contact-eligibility',
      operationId: 'getContactEligibility',
      right: 'read',
      summary: 'Whether the debtor may be contacted now, and from when',
      description:
        'Asks the contact policy without a reservation. Only your own contacts are counted here. `resumed=true` asks as if you had resumed the debt and given the conversation back, so that you know the moment before you decide.',
      query: z.object({ resumed: booleanQuery.default(false) }),
      responses: {
        200: {
          description: 'The verdict',
          schema: z.object({
            allowed: z.boolean(),
            rules: z.array(z.string()).readonly().describe('The rules that allow the contact, or those that forbid it'),
            ruleIds: z.array(z.string()).readonly().describe('The rules of the policy pack behind them'),
            pack: z
              .object({ id: z.string(), version: z.string(), ownVersion: z.int().optional() })
              .describe(
                'The pack that contains the rules: see `GET /api/policy`. `ownVersion` is the version of your own rules.',
              ),
            notBefore: z.iso.datetime().nullable().describe('The earliest moment that is allowed in the present state'),
          }),
        },
      },
      errors: [],
      handler: async ({ caller: { clientId }, params: { id: debtId }, query: { resumed } }) => ({
        status: 200,
        body: await services.checkEligibility({ clientId, debtId, resumed }),
      }),
    }),
  ];
}
