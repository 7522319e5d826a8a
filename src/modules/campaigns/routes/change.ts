import { z } from 'zod';
import { defineRoute, type Route } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';
import { booleanQuery, idParams } from '../../../platform/http/fields.ts';
import { sourceOf } from '../../../platform/http/origin.ts';
import { requireStepUp } from '../../../platform/http/step-up.ts';
import { campaignSchema } from '../../debts/routes/schemas.ts';

const tags = ['Campaigns'];

const CHANGES = [
  ['pause', 'pauseCampaign', 'Stop all contacts of this campaign until it is resumed'],
  ['resume', 'resumeCampaign', 'Continue a paused campaign'],
  ['archive', 'archiveCampaign', 'End a campaign permanently; its unpaid debts become STOPPED'],
] as const;

export function campaignActionRoutes({ services }: Pick<HttpDeps, 'services'>): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/api/campaigns/:id/launch',
      operationId: 'launchCampaign',
      right: 'manage',
      summary: 'Start collecting every debt of a draft',
      description:
        'Cannot be undone. With `sandbox=true` the campaign runs to its end with simulated debtors, bank and time; nothing leaves the machine. An example is always launched so.',
      tags,
      auth: 'bearer',
      stepUp: 'by_handler',
      idempotent: true,
      params: idParams,
      query: z.object({ sandbox: booleanQuery.default(false) }),
      responses: {
        200: {
          description: 'The campaign runs',
          schema: z.object({
            queued: z.int().describe('The number of debts of the campaign'),
            campaignId: z.uuid(),
            status: z.literal('RUNNING'),
            sandbox: z.boolean(),
            workflowId: z.string(),
          }),
        },
      },
      errors: [
        'campaign_not_draft',
        'campaign_empty',
        'email_not_confirmed',
        'client_not_verified',
        'creditor_incomplete',
        'channel_not_ready',
      ],
      handler: async ({ caller, params, query: { sandbox }, request }) => {
        const { clientId } = caller;
        const source = sourceOf(caller, request);
        return {
          status: 200,
          body: await services.launchCampaign({
            clientId,
            campaignId: params.id,
            sandbox,
            source,
            beforeReal: () => requireStepUp(caller),
          }),
        };
      },
    }),
    ...CHANGES.map(([change, operationId, summary]) =>
      defineRoute({
        method: 'POST',
        path: `/api/campaigns/:id/${change}`,
        operationId,
        right: 'manage',
        summary,
        tags,
        auth: 'bearer',
        params: idParams,
        responses: { 200: { description: 'The campaign as it is now', schema: campaignSchema } },
        errors: ['campaign_state'],
        handler: async ({ caller, params: { id: campaignId }, request }) => {
          const { clientId } = caller;
          await services.changeCampaign({ clientId, campaignId, change, source: sourceOf(caller, request) });
          return { status: 200, body: await services.readCampaign({ clientId, campaignId }) };
        },
      }),
    ),
  ];
}
