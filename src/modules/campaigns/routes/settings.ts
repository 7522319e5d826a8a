import { z } from 'zod';
import { defineRoute, type Route } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';
import { idParams } from '../../../platform/http/fields.ts';
import { sourceOf } from '../../../platform/http/origin.ts';
import { campaignName, campaignSchema, campaignSettings } from '../../debts/routes/schemas.ts';
import { ON_PARTIAL } from '../../debts/rules/debt-payments.ts';

const tags = ['Campaigns'];

const onPartial = z
  .enum(ON_PARTIAL)
  .describe('After a part payment: `hold` waits for your decision, `continue` goes on for the rest');

export const campaignSettingRoutes = ({ services }: Pick<HttpDeps, 'services'>): Route[] => [
  defineRoute({
    method: 'PATCH',
    path: '/api/campaigns/:id',
    operationId: 'changeCampaignSettings',
    right: 'manage',
    summary: 'Change name, channels, sequence, hours, reminders, sender or treatment of part payments of a campaign',
    description:
      'Only the members that are sent change; `null` returns to the default. What has not happened yet follows the new settings: debts that wait for their next contact plan it again. Of a campaign that has ended only the name may change. Reminders of one that contacts real people need their own approved templates (`channel_not_ready`).',
    tags,
    auth: 'bearer',
    params: idParams,
    body: z.object({ name: campaignName, ...campaignSettings, onPartial }).partial(),
    responses: { 200: { description: 'The campaign as it is now', schema: campaignSchema } },
    errors: ['campaign_state', 'channel_not_ready'],
    handler: async ({ caller, params: { id: campaignId }, body, request }) => {
      const { name, channels, sequence, hours, reminders, sender, onPartial } = body;
      const change = { name, channels, sequence, hours, reminders, sender, onPartial };
      const source = sourceOf(caller, request);
      return {
        status: 200,
        body: await services.changeSettings({ clientId: caller.clientId, campaignId, change, source }),
      };
    },
  }),
];
