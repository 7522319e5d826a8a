import { z } from 'zod';
import type { ChannelCredentials } from '../../ports/messaging-channel.ts';
import { MessagingError } from '../../ports/messaging-channel.ts';
import { createZenviaApi, type ZenviaApiOptions } from './zenvia-api.ts';
import { addressOf, SECRET_HEADER, secretHeaderValue } from './zenvia-webhook.ts';

export interface ZenviaSubscriptionOptions extends ZenviaApiOptions {
  /** The public address to which Zenvia posts its events: `PUBLIC_URL/api/messaging/zenvia`. */
  readonly webhookUrl: string;
}

const subscription = z.object({
  id: z.string().regex(/^[\w-]{1,100}$/),
  eventType: z.string(),
  webhook: z.object({ url: z.string() }),
  criteria: z.object({ channel: z.string().optional(), direction: z.string().optional() }).optional(),
});
const listed = z.array(z.unknown()).transform((all) =>
  all.flatMap((one) => {
    const read = subscription.safeParse(one);
    return read.success ? [read.data] : [];
  }),
);

const WANTED = [
  { eventType: 'MESSAGE', criteria: { channel: 'sms', direction: 'IN' } },
  { eventType: 'MESSAGE_STATUS', criteria: { channel: 'sms' } },
] as const;

/**
 * Makes Zenvia post the client's messages and delivery states to the service, with the client's secret in a header.
 * Called again, it sets the secret and the address anew and turns on what Zenvia has turned off after too many failures.
 */
export const createZenviaSubscriptions = (options: ZenviaSubscriptionOptions) => {
  const call = createZenviaApi(options);
  return async (credentials: ChannelCredentials): Promise<void> => {
    if (credentials.webhookSecret === null) throw new MessagingError('unauthorized', 'there is no webhook secret');
    const webhook = {
      url: addressOf(options.webhookUrl, credentials.senderId),
      headers: { [SECRET_HEADER]: secretHeaderValue(credentials.webhookSecret) },
    };
    const existing = await call({ method: 'GET', path: '/subscriptions', credentials, answer: listed });
    for (const { eventType, criteria } of WANTED) {
      const found = existing.find(
        (one) =>
          one.eventType === eventType && one.criteria?.channel === criteria.channel && one.webhook.url === webhook.url,
      );
      if (found === undefined) {
        const body = { eventType, webhook, criteria, status: 'ACTIVE', version: 'v2' };
        await call({ method: 'POST', path: '/subscriptions', credentials, body, answer: z.unknown() });
      } else {
        const body = { webhook, status: 'ACTIVE' };
        await call({ method: 'PATCH', path: `/subscriptions/${found.id}`, credentials, body, answer: z.unknown() });
      }
    }
  };
};
