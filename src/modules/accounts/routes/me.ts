import { z } from 'zod';
import { defineRoute, type Route } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';
import { sourceOf } from '../../../platform/http/origin.ts';
import {
  account,
  addressField,
  autoRefundExcessField,
  cnpjField,
  collectsForField,
  emailField,
  lawfulGroundField,
  namingLine,
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
      'Change name, CNPJ, segment, address, contact e-mail, lawful ground, whose debts you collect, or what becomes of excess',
    description:
      'Only the members that are sent change; `null` removes a value; a lawful ground that was stated can be changed and not removed. Another name, CNPJ, address or `collectsFor` ends the operator’s check.',
    tags: ['Onboarding'],
    auth: 'jwt',
    body: z.object({
      name: namingLine(200).optional(),
      cnpj: cnpjField.nullable().optional(),
      segment: segmentField.nullable().optional(),
      address: addressField.nullable().optional(),
      contactEmail: emailField.describe('The only e-mail that debtors see').nullable().optional(),
      lawfulGround: lawfulGroundField.optional(),
      collectsFor: collectsForField.optional(),
      autoRefundExcess: autoRefundExcessField.optional(),
    }),
    responses,
    errors: [],
    handler: async ({ caller, body, request }) => {
      const { name, cnpj, segment, address, contactEmail, lawfulGround, collectsFor, autoRefundExcess } = body;
      const change = { name, cnpj, segment, address, contactEmail, lawfulGround, collectsFor, autoRefundExcess };
      return {
        status: 200,
        body: await services.changeAccount({ clientId: caller.clientId, change, source: sourceOf(caller, request) }),
      };
    },
  });
  return [read, change];
}
