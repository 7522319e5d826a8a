import { z } from 'zod';
import { REAL_CHANNELS } from '../../../kernel/messaging-channels.ts';
import { defineRoute, type Route } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';

const channel = z
  .object({
    channel: z.enum(REAL_CHANNELS),
    state: z
      .enum(['ready', 'paused', 'failing', 'not_connected'])
      .describe(
        '`paused`: the channel lets the sender send nothing for a time, and it is tried again hourly. `failing`: the channel refuses the credentials, and somebody has to act. `not_connected`: you have no sender there, or this service does not use the channel',
      ),
    reason: z.string().nullable().describe('The kind of problem and the code of the channel; null without a problem'),
    sender: z.string().nullable().describe('The number, word or address that debtors see'),
  })
  .meta({ id: 'Channel' });

export const channelRoutes = ({ services }: Pick<HttpDeps, 'services'>): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/api/channels',
    operationId: 'listChannels',
    right: 'read',
    namesNobody: true,
    summary: 'The channels to real people, and whether your senders on them work',
    description:
      'Those that this service uses come first, in the order in which they are tried. The operator connects your senders. A sandbox needs none of them.',
    tags: ['Channels'],
    auth: 'bearer',
    responses: { 200: { description: 'All channels', schema: z.object({ items: z.array(channel) }) } },
    errors: [],
    handler: async ({ caller: { clientId } }) => ({
      status: 200,
      body: { items: await services.readChannels(clientId) },
    }),
  }),
];
