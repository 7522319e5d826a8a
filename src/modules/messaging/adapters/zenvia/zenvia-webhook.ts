import { z } from 'zod';
import {
  ChannelBodyError,
  type ChannelEvent,
  type ChannelRequest,
  type ChannelWebhook,
} from '../../ports/channel-webhook.ts';
import type { MessagingErrorKind } from '../../ports/messaging-channel.ts';
import { isSameSecret } from '../sms/same-secret.ts';

/** The codes of Zenvia's SMS service, which its support pages still name; API v2 documents none. */
const KINDS: ReadonlyMap<string, MessagingErrorKind> = new Map([
  ['010', 'rejected'], // There is no text.
  ['011', 'rejected'],
  ['012', 'rejected'], // The text is too long.
  ['013', 'undeliverable'], // The number is incomplete.
  ['014', 'undeliverable'],
  ['080', 'unknown_outcome'], // The message was sent by an earlier attempt.
  ['130', 'undeliverable'], // The number is blocked.
  ['131', 'undeliverable'],
  ['134', 'rejected'], // The text contains something forbidden.
  ['136', 'retryable'], // The message expired before it was sent.
  ['140', 'undeliverable'], // No carrier covers the number.
  ['141', 'undeliverable'],
  ['145', 'undeliverable'], // The number is inactive.
  ['150', 'undeliverable'], // The phone was off until the carrier gave up.
  ['160', 'retryable'], // The carrier's network failed.
  ['161', 'undeliverable'],
  ['162', 'undeliverable'],
  ['170', 'rejected'],
  ['171', 'undeliverable'], // The number is wrong.
  ['210', 'suspended'], // The account has reached its limit.
  ['900', 'unauthorized'],
  ['901', 'suspended'],
  ['990', 'suspended'],
]);

const cause = z.object({
  channelErrorCode: z.union([z.string(), z.number()]).transform(String).nullish().catch(null),
  reason: z.string().nullish().catch(null),
  details: z.string().nullish().catch(null),
});
const MAX_CAUSES = 10;

/** A cause may say `140` or `140 - Mobile number not covered`, in any of its members. */
const codesIn = (causes: unknown): string[] =>
  (Array.isArray(causes) ? causes.slice(0, MAX_CAUSES) : []).flatMap((one) => {
    const read = cause.safeParse(one);
    if (!read.success) return [];
    const { channelErrorCode, reason, details } = read.data;
    return [channelErrorCode, reason, details].flatMap((text) => /^\s?(\d{3})\b/.exec(text ?? '')?.[1] ?? []);
  });

/** Only codes leave this function, because the texts may repeat the recipient's number. */
function failureOfStatusEvent(
  status: string,
  causes: unknown,
): { readonly kind: MessagingErrorKind; readonly channelCode: string } {
  const code = codesIn(causes).find((one) => KINDS.has(one));
  if (code !== undefined) return { kind: KINDS.get(code)!, channelCode: code };
  // `REJECTED` never reached a carrier, so nothing is known about the recipient.
  return { kind: status === 'REJECTED' ? 'rejected' : 'undeliverable', channelCode: status };
}

/**
 * Zenvia signs nothing: it can send fixed headers, or a token that it fetches from an OAuth server of the receiver. A
 * token proves no more than a fixed header does, and a server that fails to give one makes Zenvia drop the events.
 */
export const SECRET_HEADER = 'authorization';
export const secretHeaderValue = (secret: string): string => `Bearer ${secret}`;

const MAX_BYTES = 256 * 1_024;
const short = z.string().min(1).max(100);
const text = z.object({ type: z.literal('text'), text: z.string() });
const messageEvent = z.object({
  type: z.literal('MESSAGE'),
  channel: z.literal('sms'),
  direction: z.literal('IN'),
  id: short.nullish().catch(null),
  message: z.object({
    id: short.nullish().catch(null),
    from: short,
    to: short,
    contents: z.array(z.unknown()),
    idRef: short.nullish().catch(null),
  }),
});
const statusEvent = z.object({
  type: z.literal('MESSAGE_STATUS'),
  channel: z.literal('sms'),
  messageId: short.nullish().catch(null),
  message: z
    .object({
      id: short.nullish().catch(null),
      from: short.nullish().catch(null),
      externalId: short.nullish().catch(null),
    })
    .nullish()
    .catch(null),
  messageStatus: z.object({ code: short, causes: z.unknown().optional() }),
});

/** Other states, such as `CLICKED`, change nothing. */
const DELIVERIES: ReadonlyMap<string, 'sent' | 'delivered' | 'read' | 'failed'> = new Map([
  ['SENT', 'sent'],
  ['DELIVERED', 'delivered'],
  ['READ', 'read'],
  ['NOT_DELIVERED', 'failed'],
  ['REJECTED', 'failed'],
]);

const SENDER = 'sender';

/** Zenvia need not name the sender in a delivery state, so the address of the subscription names it. */
export const addressOf = (webhookUrl: string, senderId: string): string => {
  const url = new URL(webhookUrl);
  url.searchParams.set(SENDER, senderId);
  return url.href;
};

/**
 * Every request holds one event. Zenvia's specification requires few members of an event, and events of its published
 * examples have no others.
 */
export const zenviaWebhook = {
  channel: 'zenvia',

  mayBeSigned: ({ [SECRET_HEADER]: given = '' }) => given !== '',

  senders(request) {
    const body = parse(request);
    const named = [
      new URL(request.url).searchParams.get(SENDER),
      messageEvent.safeParse(body).data?.message.to,
      statusEvent.safeParse(body).data?.message?.from,
    ];
    return [...new Set(named.filter((name) => short.safeParse(name).success))] as string[];
  },

  verify({ headers }, secrets) {
    const given = headers[SECRET_HEADER] ?? '';
    let matches = false;
    // The loop goes on after a match, so that the time does not reveal which secret matched.
    for (const secret of secrets) {
      if (isSameSecret(secretHeaderValue(secret), given) && secret !== '') matches = true;
    }
    return matches;
  },

  read(request) {
    const body = parse(request);
    if (typeof body !== 'object' || body === null) throw new ChannelBodyError('The body is no event of Zenvia');
    const received = messageEvent.safeParse(body);
    if (received.success) return messageOf(received.data);
    const state = statusEvent.safeParse(body);
    return state.success ? deliveryOf(state.data) : [];
  },
} satisfies ChannelWebhook;

function parse({ body }: ChannelRequest): unknown {
  if (body.byteLength > MAX_BYTES) return undefined;
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'));
  } catch {
    return undefined;
  }
}

/** Without an id of the message, the one of the event tells a repeated request. */
function messageOf({ id, message }: z.infer<typeof messageEvent>): ChannelEvent[] {
  const channelMessageId = message.id ?? id;
  if (channelMessageId == null) return [];
  const texts = message.contents.flatMap((content) => {
    const read = text.safeParse(content);
    return read.success ? [read.data.text] : [];
  });
  return [
    {
      kind: 'message',
      senderId: message.to,
      channelMessageId,
      fromPhone: message.from,
      fromEmail: null,
      channelUserId: null,
      text: texts.join('\n'),
      button: null,
      attachment:
        texts.length === message.contents.length
          ? null
          : { kind: 'other', attachmentId: null, contentType: null, filename: null },
      inReplyTo: message.idRef ?? null,
    },
  ];
}

function deliveryOf({ messageId, message, messageStatus }: z.infer<typeof statusEvent>): ChannelEvent[] {
  const delivery = DELIVERIES.get(messageStatus.code);
  const channelMessageId = message?.id ?? messageId;
  if (delivery === undefined || channelMessageId == null) return [];
  return [
    {
      kind: 'delivery',
      senderId: message?.from ?? null,
      channelMessageId,
      messageId: message?.externalId ?? null,
      delivery,
      channelUserId: null,
      failure: delivery === 'failed' ? failureOfStatusEvent(messageStatus.code, messageStatus.causes) : null,
    },
  ];
}
