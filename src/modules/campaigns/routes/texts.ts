import { z } from 'zod';
import { defineRoute, type Route } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';
import { idParams, integerQuery } from '../../../platform/http/fields.ts';
import { sourceOf } from '../../../platform/http/origin.ts';
import { PRODUCT_WORDINGS, WORDING_PLACEHOLDERS } from '../../messaging/texts/own-wording.ts';
import { MAX_SEQUENCE_STEPS } from '../../policy/rules/collection-sequence.ts';

const tags = ['Campaigns'];
const PLACEHOLDERS = Object.keys(WORDING_PLACEHOLDERS).map((name) => `{{${name}}}`);

const MAX_TEXT_LENGTH = 1_000;
const MAX_SHORT_LENGTH = 200;
const wordingBody = {
  text: z
    .string()
    .trim()
    .min(1)
    .max(MAX_TEXT_LENGTH)
    .describe(`May contain ${PLACEHOLDERS.join(', ')}`),
  short: z
    .string()
    .trim()
    .min(1)
    .max(MAX_SHORT_LENGTH)
    .nullable()
    .default(null)
    .describe('For SMS; without it the product’s short text is sent'),
};
const stepParams = idParams.extend({
  step: integerQuery(1, MAX_SEQUENCE_STEPS).describe('The number of the step, from 1'),
});

const ownText = z
  .object({
    step: z.int(),
    version: z.int(),
    text: z.string(),
    short: z.string().nullable(),
    since: z.iso.datetime(),
  })
  .meta({ id: 'MessageText' });

const fieldProblem = z.object({ pointer: z.string().optional(), code: z.string(), message: z.string() });

export const messageTextRoutes = ({ services }: Pick<HttpDeps, 'services'>): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/api/campaigns/:id/texts',
    operationId: 'listMessageTexts',
    right: 'read',
    namesNobody: true,
    summary: 'Your own wording of the steps of a campaign',
    description:
      'Steps that are not listed have the product’s wording. WhatsApp carries approved templates, so messages there keep the product’s wording.',
    tags,
    auth: 'bearer',
    params: idParams,
    responses: {
      200: {
        description: 'The steps with own wording, and what may stand between double braces',
        schema: z.object({ items: z.array(ownText), placeholders: z.array(z.string()) }),
      },
    },
    errors: [],
    handler: async ({ caller: { clientId }, params: { id: campaignId } }) => ({
      status: 200,
      body: { items: await services.readTexts({ clientId, campaignId }), placeholders: PLACEHOLDERS },
    }),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/message-texts',
    operationId: 'listProductTexts',
    right: 'read',
    namesNobody: true,
    summary: 'The product’s wording of each kind and tone of step, to begin your own from',
    tags,
    auth: 'bearer',
    responses: {
      200: {
        description: 'The wording to a person with one debt',
        schema: z.object({ items: z.array(z.object({ kind: z.string(), tone: z.string(), text: z.string() })) }),
      },
    },
    errors: [],
    handler: async () => ({ status: 200, body: { items: PRODUCT_WORDINGS.map((one) => ({ ...one })) } }),
  }),
  defineRoute({
    method: 'PUT',
    path: '/api/campaigns/:id/texts/:step',
    operationId: 'changeMessageText',
    right: 'manage',
    summary: 'Write a step of a campaign in your own words',
    description:
      'The creditor’s identity and the line about silence are added to every message. The text is checked as every message is; what the law forbids is refused. Each change is a version, which the timeline names (`textVersion`).',
    tags,
    auth: 'bearer',
    params: stepParams,
    body: z.object(wordingBody),
    responses: { 204: { description: 'The next messages of the step have these words' } },
    errors: ['campaign_state'],
    handler: async ({ caller, params: { id: campaignId, step }, body: wording, request }) => {
      const source = sourceOf(caller, request);
      await services.changeText({ clientId: caller.clientId, campaignId, step, wording, source });
      return { status: 204 };
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/api/campaigns/:id/texts/:step',
    operationId: 'deleteMessageText',
    right: 'manage',
    summary: 'Return to the product’s wording of a step',
    tags,
    auth: 'bearer',
    params: stepParams,
    responses: { 204: { description: 'The next messages of the step have the product’s words' } },
    errors: ['campaign_state'],
    handler: async ({ caller, params: { id: campaignId, step }, request }) => {
      const source = sourceOf(caller, request);
      await services.changeText({ clientId: caller.clientId, campaignId, step, wording: null, source });
      return { status: 204 };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/campaigns/:id/texts/preview',
    operationId: 'previewMessageText',
    right: 'manage',
    summary: 'See your own wording as debtors would read it',
    description: 'Nothing is saved or sent. The debtors of the examples are invented.',
    tags,
    auth: 'bearer',
    params: idParams,
    body: z.object(wordingBody),
    responses: {
      200: {
        description: 'The examples, and what speaks against the words',
        schema: z.object({
          examples: z
            .array(z.object({ debtorName: z.string(), text: z.string(), short: z.string().nullable() }))
            .readonly(),
          problems: z.array(fieldProblem).readonly(),
        }),
      },
    },
    errors: [],
    handler: async ({ caller: { clientId }, params: { id: campaignId }, body: wording }) => ({
      status: 200,
      body: await services.previewWording({ clientId, campaignId, wording }),
    }),
  }),
];
