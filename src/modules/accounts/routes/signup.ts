import { z } from 'zod';
import { UNCONFIRMED_ACCOUNT_DAYS } from '../../../kernel/retention-periods.ts';
import { defineRoute, type Route } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';
import { originOf } from '../../../platform/http/origin.ts';
import { TRIAL_DAYS } from '../rules/pricing-plan.ts';
import {
  clientSummary,
  cnpjField,
  corporateEmailField,
  namingLine,
  newPasswordField,
  segmentField,
} from './account-fields.ts';

export const signUpRoute = ({ services }: Pick<HttpDeps, 'services'>): Route =>
  defineRoute({
    method: 'POST',
    path: '/api/onboarding/signup',
    operationId: 'signUp',
    summary: `Open an account, with a trial of ${TRIAL_DAYS} days`,
    description: `Mails a link that confirms the address. Until it is opened, everything works except a launch that contacts real people; an account that is not confirmed in ${UNCONFIRMED_ACCOUNT_DAYS} days and has no campaign is deleted.`,
    tags: ['Onboarding'],
    auth: 'none',
    rate: 'signup',
    body: z.object({
      name: namingLine(200).describe('Company name'),
      email: corporateEmailField(services),
      password: newPasswordField,
      cnpj: cnpjField.optional(),
      segment: segmentField.optional(),
    }),
    responses: {
      201: {
        description: 'The account, and an access token',
        schema: z.object({ ...clientSummary.shape, token: z.string() }),
      },
    },
    errors: ['email_taken'],
    handler: async ({ body, request }) => {
      const { name, email, password, cnpj = null, segment = null } = body;
      const origin = originOf(request);
      return { status: 201, body: await services.signUp({ name, email, password, cnpj, segment, origin }) };
    },
  });
