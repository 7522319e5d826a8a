import { createHash } from 'node:crypto';
import { z } from 'zod';
import { LOWER_CASE_UUID } from '../../../../kernel/uuid.ts';
import type { AttachmentKind } from '../../../debts/rules/attachment-kinds.ts';
import type { ChannelEvent, ReceivedAttachment } from '../../ports/channel-webhook.ts';
import { reportedPrice } from '../../rules/counted-kinds.ts';
import { intentOf } from './button-payloads.ts';
import { phoneOfCard } from './contact-card.ts';
import { kindOfFailedDelivery } from './failures.ts';
import { CHANNEL_USER_ID } from './message-body.ts';
import { momentOf } from './moments.ts';

type Content = Pick<Extract<ChannelEvent, { kind: 'message' }>, 'text' | 'button' | 'attachment' | 'card'>;

const shortText = z
  .string()
  .min(1)
  .nullish()
  .catch(null)
  .transform((value) => value?.slice(0, 255) ?? null);
const anyText = z.string().catch('');

const withText = z.object({ text: z.object({ body: z.string() }) });
const withButton = z.object({ button: z.object({ payload: shortText, text: anyText }) });
const reply = z.object({ id: shortText, title: anyText });
const withReply = z.object({
  interactive: z.union([
    z.object({ button_reply: reply }).transform(({ button_reply: button }) => button),
    z.object({ list_reply: reply }).transform(({ list_reply: row }) => row),
  ]),
});
const media = z.object({ id: shortText, mime_type: shortText, filename: shortText, caption: anyText });

/**
 * What each kind of message brings. A sticker is `other`, because a picture may be the proof of a payment and a sticker
 * never is.
 */
const ATTACHMENTS: ReadonlyMap<string, AttachmentKind> = new Map([
  ['image', 'image'],
  ['audio', 'audio'],
  ['voice', 'audio'],
  ['video', 'video'],
  ['document', 'document'],
  ['location', 'location'],
  ['contacts', 'contact'],
]);

/** A kind that is not known, or that WhatsApp does not pass on, is shown as an attachment that cannot be read. */
function receivedContent(type: string, message: Readonly<Record<string, unknown>>): Content {
  const written = withText.safeParse(message).data;
  if (type === 'text' && written !== undefined) return { text: written.text.body, button: null, attachment: null };
  const pressed =
    type === 'button' ? withButton.safeParse(message).data?.button : withReply.safeParse(message).data?.interactive;
  if (pressed !== undefined) {
    const payload = 'payload' in pressed ? pressed.payload : pressed.id;
    return { text: 'text' in pressed ? pressed.text : pressed.title, button: intentOf(payload), attachment: null };
  }
  const kind = ATTACHMENTS.get(type) ?? 'other';
  const file = media.safeParse(message[type]).data;
  const attachment: ReceivedAttachment = {
    kind,
    attachmentId: file?.id ?? null,
    contentType: file?.mime_type ?? null,
    filename: file?.filename ?? null,
  };
  const card = kind === 'contact' ? { card: { phone: phoneOfCard(message[type]) } } : {};
  return { text: file?.caption ?? '', button: null, attachment, ...card };
}

type Message = Extract<ChannelEvent, { kind: 'message' }>;
type Move = Extract<ChannelEvent, { kind: 'person_moved' }>;
type Delivery = Extract<ChannelEvent, { kind: 'delivery' }>;
type OptOut = Extract<ChannelEvent, { kind: 'opt_out' }>;

const id = z.string().min(1).max(512);
const optional = z
  .string()
  .min(1)
  .max(200)
  .nullish()
  .catch(null)
  .transform((value) => value ?? null);
const elements = z.array(z.unknown()).nullish().catch(null);
const value = z.object({
  contacts: elements,
  messages: elements,
  statuses: elements,
  errors: elements,
  user_preferences: elements,
});

/** Returns the events of one change. What is malformed is left out, and the rest is read. */
export function messageEvents(senderId: string | null, change: unknown): readonly ChannelEvent[] {
  const { data } = value.safeParse(change);
  if (data === undefined) return [];
  const people = peopleOf(data.contacts);
  return [
    ...(senderId === null ? [] : (data.user_preferences ?? []).flatMap((one) => optOutOf(senderId, one))),
    ...(data.statuses ?? []).flatMap((one) => deliveryOf(senderId, one)),
    ...(senderId === null ? [] : (data.messages ?? []).flatMap((one) => moveOf(senderId, one))),
    ...(senderId === null ? [] : (data.messages ?? []).flatMap((one) => messageOf(senderId, people, one))),
    ...(senderId === null ? [] : (data.errors ?? []).flatMap((one) => senderErrorOf(senderId, one))),
  ];
}

interface Person {
  readonly wa_id: string | null;
  readonly user_id: string | null;
}
const person = z.object({ wa_id: optional, user_id: optional });

/** Each person by the phone number and by the id. */
function peopleOf(contacts: readonly unknown[] | null | undefined): ReadonlyMap<string, Person> {
  const people = new Map<string, Person>();
  for (const one of contacts ?? []) {
    const { data } = person.safeParse(one);
    for (const name of [data?.wa_id, data?.user_id]) if (data !== undefined && name) people.set(name, data);
  }
  return people;
}

const message = z.looseObject({
  id,
  from: optional,
  from_user_id: optional,
  group_id: optional,
  timestamp: z.unknown().optional(),
  type: z.string().max(64),
  context: z.object({ id }).nullish().catch(null),
});

/**
 * Notices of WhatsApp itself, marks on messages, and messages that the person has deleted: the person has written
 * nothing. What was received before a deletion stays, because the answer may already be on its way.
 */
const NO_MESSAGES = ['system', 'reaction', 'request_welcome', 'revoke'];

const userId = z.string().regex(CHANNEL_USER_ID).nullish().catch(null);
const digitsOnly = z
  .string()
  .regex(/^\+?\d{8,15}$/)
  .nullish()
  .catch(null);
const system = z.object({
  from: digitsOnly,
  timestamp: z.unknown().optional(),
  type: z.literal('system'),
  system: z.object({
    type: z.enum(['user_changed_user_id', 'user_changed_number']),
    user_id: userId,
    previous_user_id: userId,
    wa_id: digitsOnly,
  }),
});

/**
 * Reads that a person has changed the number, which changes WhatsApp's id of the person too. WhatsApp tells the new
 * number only when the person does not hide it.
 */
function moveOf(senderId: string, element: unknown): Move[] {
  const { data } = system.safeParse(element);
  if (data === undefined) return [];
  const { user_id: toUserId = null, previous_user_id: fromUserId = null, wa_id: newPhone = null } = data.system;
  const fromPhone = data.from ?? null;
  const toPhone = data.system.type === 'user_changed_number' && newPhone !== fromPhone ? newPhone : null;
  const saysFrom = fromUserId !== null || fromPhone !== null;
  const saysTo = (toUserId !== null && toUserId !== fromUserId) || toPhone !== null;
  if (!saysFrom || !saysTo) return [];
  const at = momentOf(data.timestamp);
  return [{ kind: 'person_moved', senderId, fromUserId, toUserId, fromPhone, toPhone, at }];
}

const edited = z.object({ edit: z.object({ message: z.looseObject({ type: z.string().max(64).optional() }) }) });

/** An edited message comes as a message of its own, with an id of its own: it may be the person's PARAR. */
function contentOf(data: z.infer<typeof message>): ReturnType<typeof receivedContent> | null {
  if (data.type !== 'edit') return receivedContent(data.type, data);
  const inner = edited.safeParse(data).data?.edit.message;
  if (inner === undefined) return null;
  const type = inner.type ?? Object.keys(inner).find((name) => name !== 'context') ?? '';
  return receivedContent(type, inner);
}

function messageOf(senderId: string, people: ReadonlyMap<string, Person>, element: unknown): Message[] {
  const { data } = message.safeParse(element);
  // What a group reads is no conversation with the debtor.
  if (data === undefined || data.group_id !== null || NO_MESSAGES.includes(data.type)) return [];
  const content = contentOf(data);
  if (content === null) return [];
  const { from, from_user_id: userId } = data;
  const known = people.get(from ?? userId ?? '');
  const at = momentOf(data.timestamp);
  return [
    {
      kind: 'message',
      senderId,
      channelMessageId: data.id,
      fromPhone: from ?? known?.wa_id ?? null,
      fromEmail: null,
      channelUserId: userId ?? known?.user_id ?? null,
      ...content,
      inReplyTo: data.context?.id ?? null,
      ...(at === null ? {} : { at }),
    },
  ];
}

const digits = z.string().regex(/^\d{1,9}$/);
// Meta writes codes as numbers, and some as texts.
const code = z.union([z.int(), digits.transform(Number)]);
const pricing = z.object({
  category: optional,
  type: optional,
  billable: z.boolean().nullish().catch(null),
});
const status = z.object({
  id,
  status: z.string(),
  recipient_id: optional,
  recipient_user_id: optional,
  biz_opaque_callback_data: optional,
  timestamp: z.unknown().optional(),
  pricing: pricing.nullish().catch(null),
  errors: z
    .array(z.object({ code: code.nullish().catch(null) }))
    .nullish()
    .catch(null),
});
const DELIVERIES: ReadonlyMap<string, Delivery['delivery']> = new Map([
  ['sent', 'sent'],
  ['delivered', 'delivered'],
  ['read', 'read'],
  ['played', 'read'],
  ['failed', 'failed'],
]);

function deliveryOf(senderId: string | null, element: unknown): (Delivery | OptOut)[] {
  const { data } = status.safeParse(element);
  const delivery = data === undefined ? undefined : DELIVERIES.get(data.status);
  if (data === undefined || delivery === undefined) return [];
  const { recipient_id: fromPhone, recipient_user_id: channelUserId, biz_opaque_callback_data: callback } = data;
  const reason = delivery === 'failed' ? (data.errors?.[0]?.code ?? null) : null;
  const failed = { kind: kindOfFailedDelivery(reason), channelCode: String(reason ?? 'none') };
  const at = momentOf(data.timestamp);
  const event: Delivery = {
    kind: 'delivery',
    senderId,
    channelMessageId: data.id,
    messageId: callback !== null && LOWER_CASE_UUID.test(callback) ? callback : null,
    delivery,
    channelUserId,
    failure: delivery === 'failed' ? failed : null,
    ...(at === null ? {} : { at }),
    ...(data.pricing == null
      ? {}
      : { price: reportedPrice(data.pricing.category, data.pricing.type, data.pricing.billable ?? null) }),
  };
  if (event.failure?.kind !== 'opted_out' || senderId === null) return [event];
  return [optOut(senderId, fromPhone, channelUserId, data.id), event];
}

const preference = z.object({
  wa_id: optional,
  user_id: optional,
  value: z.literal('stop'),
  timestamp: z
    .union([z.int(), z.string().max(40)])
    .nullish()
    .catch(null),
});

/** WhatsApp offers its users to stop the messages of a business that it takes for advertising. */
function optOutOf(senderId: string, element: unknown): OptOut[] {
  const { data } = preference.safeParse(element);
  return data === undefined || (data.wa_id === null && data.user_id === null)
    ? []
    : [optOut(senderId, data.wa_id, data.user_id, String(data.timestamp ?? ''))];
}

/** The wish comes without an id of its own. The one made here is the same each time, and hides the phone number. */
function optOut(senderId: string, fromPhone: string | null, userId: string | null, occasion: string): OptOut {
  const parts = JSON.stringify([senderId, fromPhone, userId, occasion]);
  const channelMessageId = `stop.${createHash('sha256').update(parts).digest('hex').slice(0, 32)}`;
  const channelUserId = userId === null ? {} : { channelUserId: userId };
  return { kind: 'opt_out', senderId, channelMessageId, fromPhone, fromEmail: null, ...channelUserId };
}

const senderError = z.object({ code });

/** Errors beside messages and states are about the number itself. */
function senderErrorOf(senderId: string, element: unknown): ChannelEvent[] {
  const { data } = senderError.safeParse(element);
  return data !== undefined && kindOfFailedDelivery(data.code) === 'suspended'
    ? [{ kind: 'sender', senderId, accountId: null, quality: 'blocked', peoplePerDay: null }]
    : [];
}
