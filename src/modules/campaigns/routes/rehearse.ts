import { z } from 'zod';
import { defineRoute, type Route } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';
import { booleanQuery, idParams, integerQuery } from '../../../platform/http/fields.ts';
import { CONTACT_PURPOSES } from '../../policy/rules/contact-policy.ts';
import { VERDICT_RULES } from '../../policy/rules/contact-question.ts';
import { MESSAGING_CHANNELS } from '../use-cases/rehearsal-channels.ts';
import { MAX_REHEARSED_DAYS, REHEARSAL_WARNINGS, REHEARSED_DAYS } from '../use-cases/rehearse-campaign.ts';

const channel = z.enum(MESSAGING_CHANNELS);
const debts = z.int().describe('How many debts of the campaign');
const cost = {
  messages: z.int(),
  unit: z.number().nullable().describe('Reais for one message, in fractions of a centavo; null when not known'),
  total: z.number().nullable().describe('Reais; null when the price is not known'),
  answers: z
    .object({
      messages: z
        .int()
        .nullable()
        .describe('As many as your debtors have needed in the last 90 days; null before 100 delivered templates'),
      free: z.int().nullable().describe('How many of them the free messages of this month still cover'),
      unit: z.number().nullable(),
      freeEachMonth: z.int().describe('How many answers a month each number has for nothing'),
      total: z.number().nullable(),
    })
    .optional()
    .describe('WhatsApp only: the messages without a template that the conversations will need. Not part of `total`'),
};

const rehearsalSchema = z
  .object({
    from: z.iso.datetime().describe('The moment of the rehearsal, as if the campaign were launched now'),
    to: z.iso.datetime().describe('The end of the rehearsed days'),
    firstAt: z.iso.datetime().nullable().describe('The first contact; null when nobody is contacted in these days'),
    debts: z.object({
      total: z.int(),
      contacted: z.int().describe('Debts that at least one message speaks of'),
      later: z.int().describe('Debts whose first contact comes after `to`, for example because they are not due yet'),
    }),
    owed: z
      .object({
        principal: z.number(),
        fine: z.number(),
        interest: z.number(),
        correction: z.number(),
        total: z.number(),
      })
      .describe('What is owed of its debts on the day of the launch, with what your terms of late payment add; reais'),
    offered: z
      .object({
        debts: z.int(),
        owed: z.number(),
        withBestDiscount: z.number().describe('What would be paid of it by the offers with the best discount'),
      })
      .nullable()
      .describe(
        'What could be offered about its debts on that day by your policy of offers, in reais; null without one',
      ),
    contacts: z
      .array(
        z.object({
          date: z.string().describe('YYYY-MM-DD at the debtor’s place'),
          hour: z.int().min(0).max(23).describe('The hour at the debtor’s place: 9 is from 09:00 until 10:00'),
          count: z.int().describe('Messages. One speaks of all open debts of the person'),
          reminders: z.int().describe('Those of them that remind of bills before they fall due'),
        }),
      )
      .describe('The messages by hour, in local time of each debtor (by the area code of the phone), in order'),
    people: z.object({
      contacts: z
        .array(z.object({ contacts: z.int(), people: z.int() }))
        .describe('So many people get so many messages in these days'),
      movedByCap: z.int().describe('Messages that come later because of a cap for the person or the phone'),
    }),
    never: z
      .array(z.object({ rule: z.enum(VERDICT_RULES), debts }))
      .describe('Debts that nobody is contacted for, by the rule of the contact policy that forbids it'),
    examples: z
      .array(z.object({ debtId: z.uuid(), channel, purpose: z.enum(CONTACT_PURPOSES), text: z.string() }))
      .describe(
        'Up to three first reminders and three first messages that collect, for each channel. Their links lead nowhere',
      ),
    warnings: z.array(
      z.object({
        code: z
          .enum(REHEARSAL_WARNINGS)
          .describe(
            'The last five are what a real launch needs; `templates_missing` and the four codes of its refusal',
          ),
        debts,
      }),
    ),
    cost: z
      .array(z.object({ channel, ...cost }))
      .describe(
        'An estimate of what the channels charge in these days, by the price list of the deployment. The provider’s bill may differ',
      ),
    onWhatsapp: z
      .object(cost)
      .nullable()
      .describe('What the messages of a test would cost by WhatsApp; null when the rehearsed launch is no test'),
    prices: z.object({ version: z.string().describe('The version of the price list') }),
  })
  .meta({ id: 'CampaignRehearsal' });

export function rehearsalRoutes({ services }: Pick<HttpDeps, 'services'>): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/api/campaigns/:id/rehearse',
      operationId: 'rehearseCampaign',
      right: 'manage',
      summary: 'What the first days of a draft would look like',
      description:
        'Plays the campaign by the rules of the contact policy as if it were launched now and nobody answered. Nothing is sent or changed. Only your own contacts with a person count: those of other companies may move a contact to a later moment. One rehearsal runs at a time; when others wait, the answer is 503 with `Retry-After`.',
      tags: ['Campaigns'],
      auth: 'bearer',
      clientRate: 'rehearsals',
      params: idParams,
      query: z.object({
        sandbox: booleanQuery.default(false).describe('Rehearses a launch with `sandbox=true`'),
        days: integerQuery(1, MAX_REHEARSED_DAYS).default(REHEARSED_DAYS).describe('How many days are rehearsed'),
      }),
      responses: { 200: { description: 'The rehearsal', schema: rehearsalSchema } },
      errors: ['campaign_not_draft', 'campaign_empty'],
      handler: async ({ caller: { clientId }, params: { id: campaignId }, query: { sandbox, days } }) => ({
        status: 200,
        body: await services.rehearseCampaign({ clientId, campaignId, sandbox, days }),
      }),
    }),
  ];
}
