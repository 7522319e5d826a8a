import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { hasRight } from '../../../kernel/member-rights.ts';
import { defineRoute, type Route } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';
import { dateField, idParams, reais } from '../../../platform/http/fields.ts';
import { sourceOf } from '../../../platform/http/origin.ts';
import { by } from '../../accounts/routes/author.ts';
import { staffText } from '../../debts/routes/staff-text.ts';
import { basisPoints } from '../../terms/rules/late-payment-terms.ts';
import { NO_OFFER_REASONS } from '../rules/offered-debts.ts';
import { OFFER_KINDS } from '../rules/offers.ts';
import { MAX_INSTALMENTS } from '../rules/offers-policy.ts';
import { agreementSchema } from './agreements.ts';

const tags = ['Agreements'];
const MAX_NOTE = 1_000;

/** A percentage of an input. */
export const percent = z
  .number()
  .max(100)
  .refine((value) => basisPoints(value) !== null, {
    params: { code: 'invalid_value' },
    message: 'A percentage is 0 to 100 and has at most two decimals',
  })
  .meta({ minimum: 0 });

/** What an offer asks for and until when. */
export const offeredTermsSchema = z.object({
  number: z.int().describe('The number by which the debtor accepts it in words'),
  kind: z.enum(OFFER_KINDS),
  total: z.number(),
  discount: z.number(),
  entry: reais.describe('The first instalment'),
  instalments: z.array(z.object({ number: z.int(), dueDate: z.string(), amount: reais })).readonly(),
  validUntil: z.string().describe('The last day on which it can be accepted'),
});

const offer = offeredTermsSchema
  .extend({
    id: z.uuid(),
    debtIds: z.array(z.uuid()).readonly().describe('In the order in which money is credited to them'),
    acceptedAt: z.iso.datetime().nullable(),
    by: by.describe('The member who made it; absent for an offer of your policy'),
    text: z.string().describe('What the debtor reads and accepts, in Portuguese'),
  })
  .meta({ id: 'Offer' });

export const offerRoutes = ({ services }: Pick<HttpDeps, 'services'>): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/api/debts/:id/offers',
    operationId: 'listOffers',
    right: 'read',
    summary: 'What is offered to the person of a debt',
    description:
      'About all debts of the person that may be offered together. The offers of your policy are made when they are first asked for, and are the same until they end; then new ones are made. An offer never changes. It ends after `validUntil`, when one of its debts may not be offered any more or money came, when you correct a debt, and when you remove your policy.',
    tags,
    auth: 'bearer',
    params: idParams,
    responses: {
      200: {
        description: 'The offers that can be accepted, or why there are none',
        schema: z.object({
          items: z.array(offer).readonly(),
          reason: z
            .enum(NO_OFFER_REASONS)
            .nullable()
            .describe('Null when there are offers. `needs_person`: your staff may make one'),
        }),
      },
    },
    errors: [],
    handler: async ({ caller: { clientId }, params }) => ({
      status: 200,
      body: await services.readOffers({ clientId, debtId: params.id }),
    }),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/debts/:id/offers',
    operationId: 'makeOffer',
    right: 'work',
    summary: 'Make an offer of your staff',
    description:
      'About all debts of the person that may be offered together, also above `personAbove`. What your policy does not allow is 409 `offer_outside_policy` with each limit in `errors`, unless an owner of the account confirms it. A first due date that is no business day is moved to the next one.',
    tags,
    auth: 'jwt',
    idempotent: true,
    params: idParams,
    body: z.object({
      discountPercent: percent.describe('Of what your policy gives discounts on'),
      instalments: z.int().min(1).max(MAX_INSTALMENTS).describe('The entry is one of them'),
      entryPercent: percent.describe('0 for equal instalments'),
      firstDueDate: dateField.describe('From today to 366 days ahead'),
      confirm: z.boolean().default(false).describe('Make the offer also outside the policy'),
    }),
    responses: { 201: { description: 'The offer', schema: offer } },
    errors: ['debt_state', 'offer_outside_policy'],
    handler: async ({ caller, params, body: { confirm, ...terms }, request }) => ({
      status: 201,
      body: await services.addStaffOffer({
        clientId: caller.clientId,
        debtId: params.id,
        offerId: request.workId ?? randomUUID(),
        terms,
        isConfirmed: confirm && hasRight(caller.role, 'administer'),
        source: sourceOf(caller, request),
      }),
    }),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/debts/:id/offers/:offerId/accept',
    operationId: 'recordAcceptance',
    right: 'work',
    summary: 'Record that the debtor accepted an offer elsewhere',
    description:
      'For an acceptance by phone or in person: read `text` of the offer to the debtor before. 409 `offer_ended` when the offer has ended, was taken back, or was accepted by another call.',
    tags,
    auth: 'jwt',
    idempotent: true,
    params: idParams.extend({ offerId: z.uuid() }),
    body: z
      .object({
        note: staffText(MAX_NOTE)
          .nullable()
          .default(null)
          .describe('How the debtor accepted it; a note of your staff on the timeline, which the debtor never sees'),
      })
      .optional(),
    responses: { 201: { description: 'The agreement', schema: agreementSchema } },
    errors: ['offer_ended'],
    handler: async ({ caller, params, body, request }) => ({
      status: 201,
      body: await services.recordAcceptance({
        clientId: caller.clientId,
        debtId: params.id,
        offerId: params.offerId,
        note: body?.note || null,
        source: sourceOf(caller, request),
      }),
    }),
  }),
];
