import { z } from 'zod';
import { parseReais, toReais } from '../../../kernel/money.ts';
import { defineRoute, type Route } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';
import { canRead, amount as debtAmount, issueOf, reais } from '../../../platform/http/fields.ts';
import { sourceOf } from '../../../platform/http/origin.ts';
import {
  AFTER_BREACH,
  BREACH_DAYS,
  DISCOUNTS_ON,
  LIMITS,
  MAX_GRACE_MOVES,
  MAX_INSTALMENTS,
  type OffersPolicy,
  offersPolicyProblems,
} from '../rules/offers-policy.ts';
import { offeredTermsSchema, percent } from './offers.ts';

const tags = ['Agreements'];

const amount = (least: number) =>
  z
    .number()
    .refine((value) => (parseReais(value) ?? 0) >= least * 100, {
      params: { code: 'invalid_value' },
      message: `An amount in reais of at least ${least}, with at most two decimals`,
    })
    .meta({ minimum: least, maximum: 99_999_999.99 });
const days = z.int().min(0).max(LIMITS.days);

const policySchema = z
  .object({
    bands: z
      .array(
        z.object({
          fromDays: days,
          toDays: days.nullable().default(null).describe('Null for a band without an end'),
          maxDiscountPercent: percent,
        }),
      )
      .max(LIMITS.bands)
      .readonly()
      .describe('The largest discount by days late, ends included; a debt in no band gets none'),
    discountOn: z.enum(DISCOUNTS_ON).describe('Fine, interest and correction alone, or the principal too'),
    minEntryPercent: percent,
    minInstalment: amount(1).describe('In reais'),
    maxInstalments: z.int().min(1).max(MAX_INSTALMENTS).describe('The entry is one of them'),
    maxDaysToFirst: z.int().min(0).max(LIMITS.daysToFirst),
    holdDays: z.int().min(0).max(LIMITS.holdDays).describe('For how many days an offer can be accepted'),
    maxOffers: z.int().min(0).max(LIMITS.offers).describe('So many proposals are answered before a person looks'),
    personAbove: amount(0.01).nullable().default(null).describe('Above this amount together a person decides'),
    breach: z.object({
      afterDays: z.int().min(BREACH_DAYS.least).max(BREACH_DAYS.most),
      // biome-ignore lint/suspicious/noThenProperty: the contract names it so, and nobody awaits a schema's member
      then: z.enum(AFTER_BREACH).describe('The debts as they were, or the rest that was agreed'),
    }),
    graceMoves: z
      .int()
      .min(0)
      .max(MAX_GRACE_MOVES)
      .default(0)
      .describe('So often may the debtor move an instalment by up to 10 days'),
  })
  .superRefine(
    (policy, issues) => {
      for (const problem of offersPolicyProblems(policy)) issues.addIssue(issueOf(problem));
    },
    canRead('bands', 'discountOn'),
  )
  .meta({ id: 'OffersPolicy' });

type Shown = z.output<typeof policySchema>;

const stored = ({ minInstalment, personAbove, ...policy }: Shown): OffersPolicy => ({
  ...policy,
  minInstalmentCentavos: parseReais(minInstalment)!,
  personAboveCentavos: personAbove === null ? null : parseReais(personAbove)!,
});

const shown = ({ minInstalmentCentavos, personAboveCentavos, ...policy }: OffersPolicy): Shown => ({
  ...policy,
  minInstalment: toReais(minInstalmentCentavos),
  personAbove: personAboveCentavos === null ? null : toReais(personAboveCentavos),
});

const previewSchema = z
  .object({
    owed: reais.describe('With fine, interest and correction'),
    charges: z.number().describe('Fine, interest and correction'),
    items: z.array(offeredTermsSchema).readonly(),
    reason: z.enum(['needs_person']).nullable().describe('Null when there are offers'),
  })
  .meta({ id: 'OffersPreview' });

const answer = {
  200: { description: 'The policy; `null` when there is none', schema: policySchema.nullable() },
} as const;

export const offersPolicyRoutes = ({ services }: Pick<HttpDeps, 'services'>): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/api/offers/policy',
    operationId: 'getOffersPolicy',
    right: 'read',
    namesNobody: true,
    summary: 'What you offer to your debtors',
    tags,
    auth: 'bearer',
    responses: answer,
    errors: [],
    handler: async ({ caller: { clientId } }) => {
      const policy = await services.readOffersPolicy(clientId);
      return { status: 200, body: policy === null ? null : shown(policy) };
    },
  }),
  defineRoute({
    method: 'PUT',
    path: '/api/offers/policy',
    operationId: 'changeOffersPolicy',
    right: 'manage',
    stepUp: 'always',
    summary: 'State what you offer to your debtors',
    description:
      'Offers that were made before stay as they are until they end. `null` removes the policy: nothing is offered any more, and the offers that were made end.',
    tags,
    auth: 'jwt',
    body: policySchema.nullable(),
    responses: answer,
    errors: [],
    handler: async ({ caller, body, request }) => {
      const policy = await services.changeOffersPolicy({
        clientId: caller.clientId,
        policy: body === null ? null : stored(body),
        source: sourceOf(caller, request),
      });
      return { status: 200, body: policy === null ? null : shown(policy) };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/offers/policy/preview',
    operationId: 'previewOffers',
    right: 'manage',
    summary: 'What a policy would offer of one debt',
    description:
      'Stores nothing. The debt is owed with the charges of your terms of late payment, as it would be if it had been launched by them.',
    tags,
    auth: 'jwt',
    body: policySchema.safeExtend({ example: z.object({ amount: debtAmount, daysLate: z.int().min(1).max(1_826) }) }),
    responses: { 200: { description: 'The offers, or why there are none', schema: previewSchema } },
    errors: [],
    handler: async ({ caller: { clientId }, body: { example, ...policy } }) => ({
      status: 200,
      body: await services.previewOffers({
        clientId,
        policy: stored(policy),
        example: { amountCentavos: example.amount, daysLate: example.daysLate },
      }),
    }),
  }),
];
