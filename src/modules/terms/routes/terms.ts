import { z } from 'zod';
import { plainText } from '../../../kernel/plain-text.ts';
import { defineRoute, type Route } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';
import { canRead, dateField, issueOf } from '../../../platform/http/fields.ts';
import { sourceOf } from '../../../platform/http/origin.ts';
import {
  CLAUSE_LENGTH,
  CORRECTIONS,
  clauseProblem,
  INTEREST_KINDS,
  interestProblem,
  LEGAL_LIMITS,
  type LegalLimit,
  MAX_GRACE_DAYS,
  percentProblem,
} from '../rules/late-payment-terms.ts';

const tags = ['Terms'];

const clause = z
  .string()
  .trim()
  .refine((text) => plainText(text, CLAUSE_LENGTH.least, CLAUSE_LENGTH.most) !== null, {
    params: { code: 'invalid_value' },
    message: `Readable text in one line, of ${CLAUSE_LENGTH.least} to ${CLAUSE_LENGTH.most} characters`,
  });

/** What is above the limit of the law is refused with the name of the law. */
const percent = (limit: LegalLimit) =>
  z
    .number()
    .min(0, { abort: true })
    .superRefine((value, issues) => {
      const problem = percentProblem(value, limit);
      if (problem !== null) issues.addIssue(issueOf(problem));
    })
    .meta({ maximum: limit.maxPercent });

const terms = {
  effectiveFrom: dateField.describe('Debts that fall due on this day or later take this version'),
  finePercent: percent(LEGAL_LIMITS.fine).describe('Percent of the principal, charged once'),
  interest: z
    .object({
      kind: z.enum(INTEREST_KINDS).describe('`legal` is the Taxa Legal'),
      percent: percent(LEGAL_LIMITS.monthlyInterest).nullable().default(null).describe('A month, for `monthly` alone'),
    })
    .describe('Simple interest for each day of delay'),
  correction: z.enum(CORRECTIONS),
  graceDays: z
    .int()
    .min(0)
    .max(MAX_GRACE_DAYS)
    .describe('So many days nothing is charged; after them, from the due date'),
  businessDayShift: z.boolean().describe('Days count from the next business day after a due date that is none'),
  clause: clause.nullable().default(null).describe('Where the contract with the debtor says what is charged'),
};

export const termsView = z
  .object({
    id: z.uuid(),
    effectiveFrom: z.string(),
    finePercent: z.number(),
    interest: z.object({ kind: z.enum(INTEREST_KINDS), percent: z.number().nullable() }),
    correction: z.enum(CORRECTIONS),
    graceDays: z.int(),
    businessDayShift: z.boolean(),
    clause: z.string().nullable(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'LatePaymentTerms' });

export const newTerms = z
  .object(terms)
  .superRefine(({ interest }, issues) => {
    const problem = interestProblem(interest);
    if (problem !== null) issues.addIssue(issueOf(problem));
  }, canRead('interest'))
  .superRefine(
    (form, issues) => {
      const problem = clauseProblem(form);
      if (problem !== null) issues.addIssue(issueOf(problem));
    },
    canRead('finePercent', 'interest', 'correction', 'clause'),
  );

export const termsRoutes = ({ services }: Pick<HttpDeps, 'services'>): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/api/terms',
    operationId: 'listTerms',
    right: 'read',
    namesNobody: true,
    summary: 'The versions of your terms of late payment',
    tags,
    auth: 'bearer',
    responses: {
      200: { description: 'All versions, the newest first', schema: z.object({ items: z.array(termsView) }) },
    },
    errors: [],
    handler: async ({ caller: { clientId } }) => ({
      status: 200,
      body: { items: await services.readTerms(clientId) },
    }),
  }),
  defineRoute({
    method: 'PUT',
    path: '/api/terms',
    operationId: 'addTerms',
    right: 'manage',
    stepUp: 'always',
    summary: 'State what you charge for late payment',
    description:
      'Stores a new version; versions never change. A debt takes the version with the latest `effectiveFrom` that is not after its due date when it is launched, and keeps it. What is above the limit of the law is refused.',
    tags,
    auth: 'jwt',
    body: newTerms,
    responses: { 201: { description: 'The stored version', schema: termsView } },
    errors: [],
    handler: async ({ caller, body, request }) => {
      const source = sourceOf(caller, request);
      return { status: 201, body: await services.addTerms({ clientId: caller.clientId, terms: body, source }) };
    },
  }),
];
