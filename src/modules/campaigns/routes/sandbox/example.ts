import { randomUUID } from 'node:crypto';
import { defineRoute, type Route } from '../../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../../platform/http/deps.ts';
import { sourceOf } from '../../../../platform/http/origin.ts';
import { campaignSchema } from '../../../debts/routes/schemas.ts';

export const exampleRoutes = ({ services }: Pick<HttpDeps, 'services'>): Route[] => [
  defineRoute({
    method: 'POST',
    path: '/api/sandbox/example',
    operationId: 'createExample',
    right: 'manage',
    summary: 'Create a draft with fifteen invented debtors, at least one of each behaviour of the sandbox',
    description:
      'It belongs to the sandbox from the start: every launch of it is a sandbox launch, with or without `sandbox=true`, and nobody is contacted. Each call creates another example.',
    tags: ['Sandbox'],
    auth: 'bearer',
    idempotent: true,
    responses: { 201: { description: 'The draft', schema: campaignSchema } },
    errors: [],
    handler: async ({ caller, request }) => {
      const { clientId } = caller;
      const campaignId = request.workId ?? randomUUID();
      await services.createExample({ clientId, campaignId, source: sourceOf(caller, request) });
      return { status: 201, body: await services.readCampaign({ clientId, campaignId }) };
    },
  }),
];
