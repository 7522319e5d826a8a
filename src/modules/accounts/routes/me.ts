import { z } from 'zod';
import { defineRoute, type Route } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';
import { sourceOf } from '../../../platform/http/origin.ts';
import { requireStepUp } from '../../../platform/http/step-up.ts';
import {
  account,
  addressField,
  autoRefundExcessField,
  cnpjField,
  collectsForField,
  emailField,
  lawfulGroundField,
  namingLine,
  requireSecondFactorField,
  segmentField,
} from './account-fields.ts';

const responses = { 200: { description: 'The account', schema: account } } as const;
const PATH = '/api/onboarding/me';

export function meRoutes({ services }: Pick<HttpDeps, 'services'>): Route[] {
  const read = defineRoute({
    method: 'GET',
    path: PATH,
    operationId: 'readAccount',
    right: 'read',
    namesNobody: true,
    summary: 'The caller’s account',
    tags: ['Onboarding'],
    auth: 'bearer',
    responses,
    errors: [],
    handler: async ({ caller }) => ({ status: 200, body: await services.readAccount(caller.clientId) }),
  });

  const change = defineRoute({
    method: 'PATCH',
    path: PATH,
    operationId: 'changeAccount',
    right: 'administer',
    summary:
      'Change name, CNPJ, segment, address, contact e-mail, lawful ground, whose debts you collect, what becomes of excess, or whether members need a second factor',
    description:
      'Only the members that are sent change; `null` removes a value; a lawful ground that was stated can be changed and not removed. Another name, CNPJ, address or `collectsFor` ends the operator’s check. A member with a second factor proves it again before `requireSecondFactor` changes.',
    tags: ['Onboarding'],
    auth: 'jwt',
    stepUp: 'by_handler',
    body: z.object({
      name: namingLine(200).optional(),
      cnpj: cnpjField.nullable().optional(),
      segment: segmentField.nullable().optional(),
      address: addressField.nullable().optional(),
      contactEmail: emailField.describe('The only e-mail that debtors see').nullable().optional(),
      lawfulGround: lawfulGroundField.optional(),
      collectsFor: collectsForField.optional(),
      autoRefundExcess: autoRefundExcessField.optional(),
      requireSecondFactor: requireSecondFactorField.optional(),
    }),
    responses,
    errors: [],
    handler: async ({ caller, body, request }) => {
      // The schema drops what the body has besides, so that it holds the members of a change alone.
      const change = body;
      if (change.requireSecondFactor !== undefined) requireStepUp(caller);
      return {
        status: 200,
        body: await services.changeAccount({ clientId: caller.clientId, change, source: sourceOf(caller, request) }),
      };
    },
  });
  const confirm = defineRoute({
    method: 'POST',
    path: `${PATH}/confirm-company`,
    operationId: 'confirmCompany',
    right: 'administer',
    stepUp: 'always',
    namesNobody: true,
    summary: 'Confirm that the company is the one of its CNPJ',
    description:
      'Only where the deployment serves one company (`SINGLE_CLIENT=true`), and so has no operator who would check it; elsewhere 404. It has the effect of the operator’s check, and another name, CNPJ or address ends it likewise. Who confirms answers for it: every message of collection names the creditor (Consumer Code, art. 42-A).',
    tags: ['Onboarding'],
    auth: 'jwt',
    body: z.object({ confirm: z.literal(true) }),
    responses,
    errors: ['not_found', 'already_verified', 'creditor_incomplete'],
    handler: async ({ caller, request }) => ({
      status: 200,
      body: await services.confirmCompany({ clientId: caller.clientId, source: sourceOf(caller, request) }),
    }),
  });
  const ask = defineRoute({
    method: 'POST',
    path: `${PATH}/ask-for-verification`,
    operationId: 'askForVerification',
    right: 'administer',
    namesNobody: true,
    summary: 'Ask the operator by mail to verify the company',
    description:
      'At most once a day. 404 where the operator has named no address (`OPERATOR_EMAIL`), or where the company confirms itself.',
    tags: ['Onboarding'],
    auth: 'jwt',
    idempotent: true,
    responses: { 204: { description: 'The mail is on its way' } },
    errors: ['not_found', 'already_verified', 'creditor_incomplete', 'rate_limited'],
    handler: async ({ caller, request }) => {
      await services.askForVerification({ clientId: caller.clientId, source: sourceOf(caller, request) });
      return { status: 204 };
    },
  });
  return [read, change, confirm, ask];
}
