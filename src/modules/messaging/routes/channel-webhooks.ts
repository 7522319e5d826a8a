import type { RealChannel } from '../../../kernel/messaging-channels.ts';
import { defineRoute, type Route, type RouteRequest } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';
import type { ChannelRequest } from '../use-cases/receive-channel-events.ts';

const KIB = 1024;
const MIB = 1024 * KIB;

const STORED =
  'The answer comes when everything is stored. A repeated or unknown event changes nothing. On a deployment that does not use the channel the address does not exist.';

const single = (value: string | string[] | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined;

const singles = (values: Readonly<Record<string, string | string[] | undefined>>) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, single(value)]));

export function channelWebhookRoutes({ services, config }: Pick<HttpDeps, 'services' | 'config'>): Route[] {
  /** The channel has signed the address by which it calls, which a proxy in front of the service may change. */
  const received = (request: RouteRequest, body: unknown): ChannelRequest => ({
    url: `${config.publicUrl}${request.target}`,
    headers: singles(request.headers),
    body: body instanceof Uint8Array ? body : new Uint8Array(),
  });
  const facts = {
    method: 'POST',
    tags: ['Messaging'],
    auth: 'none',
    bodyType: 'raw',
    errors: ['signature_invalid', 'malformed_json', 'unavailable'],
  } as const;
  const checkHead = (channel: RealChannel) => (request: RouteRequest) =>
    services.checkChannelHead(channel, singles(request.headers));
  const webhook = (
    channel: RealChannel,
    { proof, ...route }: Pick<Route, 'path' | 'operationId' | 'summary'> & WebhookFacts,
  ): Route =>
    defineRoute({
      ...facts,
      ...route,
      signed: checkHead(channel),
      description: `${proof} ${STORED}`,
      responses: { 200: { description: 'Stored' } },
      handler: async ({ request, body }) => {
        await services.receiveChannelEvents(channel, received(request, body));
        return { status: 200 };
      },
    });

  return [
    defineRoute({
      method: 'GET',
      path: '/api/messaging/whatsapp',
      operationId: 'answerWhatsAppSubscription',
      summary: 'Answer the question by which WhatsApp checks this address',
      description: 'Returns `hub.challenge` when `hub.verify_token` is `WHATSAPP_VERIFY_TOKEN`.',
      tags: ['Messaging'],
      auth: 'none',
      responses: { 200: { description: 'The challenge', contentType: 'text/plain; charset=utf-8' } },
      errors: ['signature_invalid'],
      handler: async ({ request }) => ({ status: 200, body: services.answerSubscription(singles(request.query)) }),
    }),
    webhook('whatsapp', {
      path: '/api/messaging/whatsapp',
      operationId: 'receiveWhatsAppEvents',
      summary: 'Receive messages and states of WhatsApp',
      proof: 'Signed by `X-Hub-Signature-256` over the raw body, with the secret of the app.',
      // Meta sends at most 3 MB.
      bodyLimit: 3 * MIB,
    }),
    defineRoute({
      ...facts,
      path: '/api/messaging/twilio',
      operationId: 'receiveTwilioEvents',
      summary: 'Receive messages and states of Twilio',
      signed: checkHead('twilio'),
      description: `Signed by \`X-Twilio-Signature\` over the address and the fields. ${STORED}`,
      bodyLimit: 256 * KIB,
      responses: { 200: { description: 'Stored; Twilio sends no answer of its own', contentType: 'text/xml' } },
      handler: async ({ request, body }) => {
        await services.receiveChannelEvents('twilio', received(request, body));
        return { status: 200, body: '<Response/>' };
      },
    }),
    webhook('zenvia', {
      path: '/api/messaging/zenvia',
      operationId: 'receiveZenviaEvents',
      summary: 'Receive messages and states of Zenvia',
      proof: 'Proven by the secret in the header `Authorization`, because Zenvia signs nothing.',
      bodyLimit: 256 * KIB,
    }),
    webhook('email', {
      path: '/api/messaging/email-events',
      operationId: 'receiveEmailEvents',
      summary: 'Receive answers, bounces and complaints to e-mails',
      proof: 'Signed by `X-Quita-Signature` over the time and the raw body, with `MESSAGING_WEBHOOK_SECRET`.',
      bodyLimit: 2 * MIB,
    }),
  ];
}

interface WebhookFacts {
  /** How a request proves itself, for the reference. */
  readonly proof: string;
  readonly bodyLimit: number;
}
