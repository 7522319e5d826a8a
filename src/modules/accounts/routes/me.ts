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
  return [read, change];
}
