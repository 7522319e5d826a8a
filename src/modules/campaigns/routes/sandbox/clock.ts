import { z } from 'zod';
import { defineRoute, type Route } from '../../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../../platform/http/deps.ts';
import { sourceOf } from '../../../../platform/http/origin.ts';
import { CLOCK_COMMANDS } from '../../use-cases/sandbox-clock.ts';

const common = {
  path: '/api/sandbox/campaigns/:campaignId/clock',
  tags: ['Sandbox'],
  auth: 'bearer',
  params: z.object({ campaignId: z.uuid() }),
} as const;

export const sandboxClockRoutes = ({ services }: Pick<HttpDeps, 'services'>): Route[] => [
  defineRoute({
    ...common,
    method: 'GET',
    operationId: 'getSandboxClock',
    right: 'read',
    summary: 'Whether the simulated clocks of a campaign are held',
    responses: {
      200: { description: 'The state', schema: z.object({ state: z.enum(['running', 'held']) }) },
    },
    errors: [],
    handler: async ({ caller: { clientId }, params: { campaignId } }) => ({
      status: 200,
      body: await services.readSandboxClock({ clientId, campaignId }),
    }),
  }),
  defineRoute({
    ...common,
    method: 'POST',
    operationId: 'moveSandboxClock',
    right: 'manage',
    summary: 'Hold the simulated clocks of a campaign, let a day pass, or release them',
    description:
      'A held clock runs as real time does, so that there is time to read and to answer. `passDay` lets the clock of each debt go on by one day at most and holds it there. It concerns the debts that are being collected now; 409 `campaign_state` when there is none in the sandbox.',
    idempotent: true,
    clientRate: 'exports',
    body: z.object({ command: z.enum(CLOCK_COMMANDS) }),
    responses: { 202: { description: 'The clocks get the command within a second' } },
    errors: ['campaign_state'],
    handler: async ({ caller, params: { campaignId }, body: { command }, request }) => {
      const source = sourceOf(caller, request);
      await services.moveSandboxClock({ clientId: caller.clientId, campaignId, command, source });
      return { status: 202 };
    },
  }),
];
