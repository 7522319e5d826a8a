import { z } from 'zod';
import { defineRoute, type Route } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';
import { idParams } from '../../../platform/http/fields.ts';
import { sourceOf } from '../../../platform/http/origin.ts';
import { campaignName, campaignSchema, campaignSettings } from '../../debts/routes/schemas.ts';

const tags = ['Campaigns'];

export const campaignSettingRoutes = ({ services }: Pick<HttpDeps, 'services'>): Route[] => [
  defineRoute({
    method: 'PATCH',
    path: '/api/campaigns/:id',
    operationId: 'changeCampaignSettings',
    summary: 'Change name, channels, sequence, hours or sender of a campaign',
    description:
      'Only the members that are sent change; `null` returns to the default. What has not happened yet follows the new settings: debts that wait for their next contact plan it again. Of a campaign that has ended only the name may change.',
    tags,
    auth: 'bearer',
    params: idParams,
    body: z.object({ name: campaignName, ...campaignSettings }).partial(),
    responses: { 200: { description: 'The campaign as it is now', schema: campaignSchema } },
    errors: ['campaign_state'],
    handler: async ({ caller, params: { id: campaignId }, body, request }) => {
      const { name, channels, sequence, hours, sender } = body;
      const change = { name, channels, sequence, hours, sender };
      const source = sourceOf(caller, request);
      return {
        status: 200,
        body: await services.changeSettings({ clientId: caller.clientId, campaignId, change, source }),
      };
    },
  }),
];
