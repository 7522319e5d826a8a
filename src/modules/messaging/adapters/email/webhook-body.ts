import { z } from 'zod';
import { ChannelBodyError } from '../../ports/channel-webhook.ts';

const MOST_EVENTS = 100;
const address = z.string().max(1_000).optional();

/** The documented form of one event: `docs/channels-email.md`. Members that it does not name are ignored. */
const eventSchema = z.union([
  z.object({ raw: z.string(), to: address }),
  z.object({
    raw: z.undefined().optional(),
    type: z.literal('inbound'),
    id: z.string().min(1).max(1_000),
    to: z.string().max(1_000),
    from: address,
    subject: z.string().max(1_000).optional(),
    text: z.string(),
    automatic: z.boolean().optional(),
  }),
  z.object({
    raw: z.undefined().optional(),
    type: z.enum(['bounce', 'complaint', 'delivered']),
    /** The address of the envelope's sender, or the `Message-ID`, of the mail that this is about. */
    message: z.string().max(2_000),
    status: z
      .string()
      .regex(/^[245]\.\d{1,3}\.\d{1,3}$/)
      .optional(),
  }),
]);

export type EmailEvent = z.infer<typeof eventSchema>;

/** Returns the events of a body, which is one event or a list of them; malformed ones are left out. */
export function eventsOf(body: Uint8Array): EmailEvent[] {
  const value = parsed(body);
  const elements: unknown[] = Array.isArray(value) ? value.slice(0, MOST_EVENTS) : [value];
  if (!elements.every((element) => typeof element === 'object' && element !== null)) {
    throw new ChannelBodyError('the body is neither an event nor a list of events');
  }
  return elements.flatMap((element) => eventSchema.safeParse(element).data ?? []);
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'));
  } catch {
    throw new ChannelBodyError('the body is not JSON');
  }
}
