import { z } from 'zod';
import { REAL_CHANNELS } from '../../../kernel/messaging-channels.ts';
import { defineRoute, type Route } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';
import { memberOf, sourceOf } from '../../../platform/http/origin.ts';
import { WHATSAPP_KINDS } from '../rules/counted-kinds.ts';
import { MESSAGING_ERROR_KINDS, SENDER_QUALITIES } from '../rules/sender-facts.ts';
import { SHOWN_TEMPLATE_STATES } from '../rules/template-states.ts';
import { givenSender } from './given-sender.ts';
import { testRecipient } from './test-recipient.ts';

const tags = ['Channels'];

const usage = z
  .object({
    month: z.string().describe('Such as `2026-11`, by the time of São Paulo'),
    messages: z.array(
      z.object({
        kind: z
          .enum(WHATSAPP_KINDS)
          .describe('`service`: a message without a template. The others are templates of that category'),
        free: z.int(),
        paid: z.int(),
        unit: z.number().nullable().describe('What one costs by the price list, in reais; null when it is not known'),
        total: z.number().nullable(),
      }),
    ),
    freeMessages: z.object({
      eachMonth: z.int().describe('How many messages of the kind `service` each number has for nothing in a month'),
      used: z.int(),
      isEnding: z.boolean().describe('True from 80 % on'),
    }),
    total: z.number().nullable().describe('Reais; null where a kind that was paid for has no known price'),
  })
  .describe(
    'What your number of WhatsApp has delivered this month, and what that costs by the price list of this service. What others send by the same number is not in it',
  )
  .meta({ id: 'ChannelUsage' });

const channel = z
  .object({
    channel: z.enum(REAL_CHANNELS),
    state: z
      .enum(['ready', 'paused', 'failing', 'not_connected'])
      .describe(
        '`paused`: the channel lets the sender send nothing for a time, and it is tried again hourly. `failing`: the channel refuses the credentials, and somebody has to act. `not_connected`: you have no sender there, or this service does not use the channel',
      ),
    reason: z
      .string()
      .nullable()
      .describe(
        'The kind of problem and the code of the channel; null without a problem. `payment_suspected`: the channel accepts messages that cost, and nothing is heard of them, so the account has probably no payment method',
      ),
    sender: z.string().nullable().describe('The number, word or address that debtors see'),
    usage: usage.optional(),
  })
  .meta({ id: 'Channel' });

const details = channel
  .extend({
    connectedBy: z
      .enum(['company', 'operator', 'nobody'])
      .describe(
        '`operator`: the senders stand in the configuration of this service. `nobody`: it does not use the channel',
      ),
    quality: z.enum(SENDER_QUALITIES).optional().describe('How the channel rates the sender, where it does'),
    peoplePerDay: z.int().optional().describe('How many people the sender may reach in 24 hours'),
    pausedUntil: z.iso.datetime().optional(),
    checkedAt: z.iso.datetime().optional().describe('When the channel last accepted the credentials'),
    pixCodes: z
      .enum(['on', 'off', 'refused'])
      .optional()
      .describe(
        'Whether messages of the sender may carry the Pix code, to be copied there. `refused`: the channel has refused one, and messages have the link alone until you say so again. Absent where the channel has no such messages',
      ),
    pixRefusal: z.string().optional().describe('Why it was refused: the kind of problem and the code of the channel'),
  })
  .meta({ id: 'ChannelDetails' });

const template = z
  .object({
    channel: z.enum(REAL_CHANNELS),
    language: z.literal('pt_BR'),
    name: z.string(),
    state: z
      .enum(SHOWN_TEMPLATE_STATES)
      .describe('`marketing`: the channel takes it for advertising, and it is not sent'),
    reason: z.string().nullable().describe('Why the channel refuses it, in its words'),
    marketingFrom: z.iso
      .datetime()
      .nullable()
      .describe('From when on the channel takes it for advertising, which may be announced before'),
  })
  .meta({ id: 'ChannelTemplate' });
const templates = z.object({ items: z.array(template) });
const params = z.object({ channel: z.enum(REAL_CHANNELS) });

export const channelRoutes = ({ services }: Pick<HttpDeps, 'services'>): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/api/channels',
    operationId: 'listChannels',
    right: 'read',
    namesNobody: true,
    summary: 'The channels to real people, and whether your senders on them work',
    description:
      'Those that this service uses come first, in the order in which they are tried. An owner connects your senders. A sandbox needs none of them.',
    tags,
    auth: 'bearer',
    responses: { 200: { description: 'All channels', schema: z.object({ items: z.array(channel) }) } },
    errors: [],
    handler: async ({ caller: { clientId } }) => ({
      status: 200,
      body: { items: await services.readChannels(clientId) },
    }),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/channels',
    operationId: 'connectChannel',
    right: 'administer',
    stepUp: 'always',
    summary: 'Connect a sender',
    description:
      'The channel is asked at once whether it accepts the credentials. What is wrong is said at its field: `credentials_refused`, `sender_unknown`, `sender_suspended`, or at `/channel`: `not_offered` (this service does not use it) and `set_by_operator` (its configuration names the sender). The sender takes the place of any other on the channel, which still receives.',
    tags,
    auth: 'jwt',
    idempotent: true,
    body: givenSender,
    responses: { 201: { description: 'The connected sender', schema: details } },
    errors: ['unavailable'],
    handler: async ({ caller, body, request }) => {
      await services.connectChannel({
        ...memberOf(caller),
        sessionId: caller.sessionId,
        given: body,
        source: sourceOf(caller, request),
      });
      return { status: 201, body: await services.readChannel(caller.clientId, body.channel) };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/channels/templates',
    operationId: 'listChannelTemplates',
    right: 'read',
    namesNobody: true,
    summary: 'The texts that a channel approves before they are sent, with what it last said about each',
    tags,
    auth: 'bearer',
    responses: { 200: { description: 'The templates of all connected channels that want them', schema: templates } },
    errors: [],
    handler: async ({ caller: { clientId } }) => ({
      status: 200,
      body: { items: await services.readChannelTemplates(clientId) },
    }),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/channels/templates/push',
    operationId: 'pushChannelTemplates',
    right: 'administer',
    stepUp: 'always',
    summary: 'Create the missing templates at the channel, and ask about all',
    description: 'What exists is left as it is, so that the call may be repeated to follow the approval.',
    tags,
    auth: 'jwt',
    idempotent: true,
    responses: { 200: { description: 'The templates afterwards', schema: templates } },
    errors: ['channel_not_ready', 'unavailable'],
    handler: async ({ caller, request }) => ({
      status: 200,
      body: { items: await services.pushChannelTemplates(caller.clientId, sourceOf(caller, request)) },
    }),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/channels/:channel',
    operationId: 'getChannel',
    right: 'read',
    namesNobody: true,
    summary: 'One channel, with what it tells of your sender',
    tags,
    auth: 'bearer',
    params,
    responses: { 200: { description: 'The channel', schema: details } },
    errors: [],
    handler: async ({ caller: { clientId }, params: { channel: name } }) => ({
      status: 200,
      body: await services.readChannel(clientId, name),
    }),
  }),
  defineRoute({
    method: 'PATCH',
    path: '/api/channels/:channel',
    operationId: 'changeChannel',
    right: 'administer',
    stepUp: 'always',
    summary: 'Say whether messages of your sender may carry the Pix code',
    description:
      'Off until you say so, because Meta opens payments in Brazil account by account. A code comes only with an answer to a person who asked to pay, or with a later message to a person who has answered from the same phone; every message keeps its link. When the channel refuses a code, the message goes out without it and the setting is `refused`.',
    tags,
    auth: 'jwt',
    params,
    body: z.object({ pixCodes: z.boolean() }),
    responses: { 200: { description: 'The channel', schema: details } },
    errors: ['not_found'],
    handler: async ({ caller, params: { channel: name }, body, request }) => {
      const { clientId } = caller;
      await services.changeChannel({ clientId, channel: name, ...body, source: sourceOf(caller, request) });
      return { status: 200, body: await services.readChannel(clientId, name) };
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/api/channels/:channel',
    operationId: 'disconnectChannel',
    right: 'administer',
    stepUp: 'always',
    summary: 'Disconnect your sender',
    description: 'Nothing is sent by it any more. What people answer to it is still received.',
    tags,
    auth: 'jwt',
    params,
    responses: { 204: { description: 'Disconnected' } },
    errors: ['not_found'],
    handler: async ({ caller, params: { channel: name }, request }) => {
      await services.disconnectChannel({
        ...memberOf(caller),
        sessionId: caller.sessionId,
        channel: name,
        source: sourceOf(caller, request),
      });
      return { status: 204 };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/channels/:channel/test',
    operationId: 'testChannel',
    right: 'administer',
    stepUp: 'always',
    summary: 'Send one harmless message by your sender',
    description:
      'The text is fixed and asks for nothing. Five an hour; never to a person who asked you for silence (`suppressed` at `/to`). A phone that another company of this service must not contact is refused as `undeliverable`. `accepted` says that the channel took it, and the phone or mailbox shows whether it arrives.',
    tags,
    auth: 'jwt',
    idempotent: true,
    params,
    body: testRecipient,
    responses: {
      200: {
        description: 'What the channel said',
        schema: z.object({
          outcome: z.enum(['accepted', 'refused']),
          kind: z.enum(MESSAGING_ERROR_KINDS).optional().describe('Why; with `unknown_outcome` it may have been sent'),
          code: z.string().optional().describe('The code of the channel'),
        }),
      },
    },
    errors: ['channel_not_ready', 'rate_limited'],
    handler: async ({ caller, params: { channel: name }, body, request }) => {
      const source = sourceOf(caller, request);
      const tested = await services.testChannel({ clientId: caller.clientId, channel: name, to: body, source });
      if (tested.outcome !== 'refused') return { status: 200, body: { outcome: 'accepted' } };
      const { kind, code } = tested;
      return { status: 200, body: { outcome: 'refused', kind, ...(code === null ? {} : { code }) } };
    },
  }),
];
