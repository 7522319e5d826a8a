import type { AttachmentKind } from '../../../debts/rules/attachment-kinds.ts';
import {
  ChannelBodyError,
  type ChannelEvent,
  type ChannelWebhook,
  type ReceivedAttachment,
} from '../../ports/channel-webhook.ts';
import { failureOfCode } from './twilio-errors.ts';
import { isSigned, mayBeSigned, messageIdOf, readFields, type TwilioFields } from './twilio-request.ts';

/** States before `sent`, and those that Twilio may add, change nothing. */
const DELIVERIES: ReadonlyMap<string, 'sent' | 'delivered' | 'read' | 'failed'> = new Map([
  ['sent', 'sent'],
  ['delivered', 'delivered'],
  ['read', 'read'],
  ['undelivered', 'failed'],
  ['failed', 'failed'],
  ['canceled', 'failed'],
]);

/** A status callback is signed like a message, and the reader tells them apart by their fields. */
export const twilioWebhook = {
  channel: 'twilio',

  mayBeSigned,

  /**
   * Names the sender alone, although the account stands in the body too: with the account's secrets a client could sign
   * for the sender of another client.
   */
  senders(request) {
    const fields = readFields(request);
    const sender = fields === null ? null : senderOf(fields);
    return sender === null ? [] : [sender];
  },

  verify: isSigned,

  read(request) {
    const fields = readFields(request);
    if (fields === null) throw new ChannelBodyError('The body is no form of Twilio');
    const messageId = shortField(fields, 'MessageSid') ?? shortField(fields, 'SmsSid');
    const sender = senderOf(fields);
    if (messageId === null || sender === null) return [];
    if (isReceived(fields)) return received(fields, messageId, sender);
    return delivered(fields, { channelMessageId: messageId, messageId: messageIdOf(request) }, sender);
  },
} satisfies ChannelWebhook;

const field = (fields: TwilioFields, name: string): string | null => fields.get(name)?.[0] ?? null;

/** An id or a number. A longer value is none. */
const shortField = (fields: TwilioFields, name: string): string | null => {
  const value = field(fields, name);
  return value === null || value === '' || value.length > 100 ? null : value;
};

const stateOf = (fields: TwilioFields): string | null =>
  shortField(fields, 'MessageStatus') ?? shortField(fields, 'SmsStatus');

const isReceived = (fields: TwilioFields): boolean => stateOf(fields) === 'received';

/** The client's own number or short code: it received a message, and it sent the one that a state is about. */
const senderOf = (fields: TwilioFields): string | null => shortField(fields, isReceived(fields) ? 'To' : 'From');

function received(fields: TwilioFields, channelMessageId: string, senderId: string): ChannelEvent[] {
  const fromPhone = shortField(fields, 'From');
  // Twilio has stopped the sender's messages to this person and has confirmed that; an answer could not be sent.
  if (field(fields, 'OptOutType') === 'STOP') {
    return [{ kind: 'opt_out', senderId, channelMessageId, fromPhone, fromEmail: null }];
  }
  return [
    {
      kind: 'message',
      senderId,
      channelMessageId,
      fromPhone,
      fromEmail: null,
      channelUserId: null,
      text: field(fields, 'Body') ?? '',
      button: null,
      attachment: attachmentOf(fields),
      inReplyTo: null,
    },
  ];
}

function delivered(
  fields: TwilioFields,
  { channelMessageId, messageId }: { readonly channelMessageId: string; readonly messageId: string | null },
  senderId: string,
): ChannelEvent[] {
  const state = stateOf(fields) ?? '';
  const delivery = DELIVERIES.get(state);
  if (delivery === undefined) return [];
  const channelCode = shortField(fields, 'ErrorCode') ?? state;
  const kind = failureOfCode(channelCode)?.kind ?? 'undeliverable';
  const event: ChannelEvent = {
    kind: 'delivery',
    senderId,
    channelMessageId,
    messageId,
    delivery,
    channelUserId: null,
    failure: delivery === 'failed' ? { kind, channelCode } : null,
  };
  if (delivery !== 'failed' || kind !== 'opted_out') return [event];
  // The request for silence itself was lost: this is how the service hears of it.
  const fromPhone = shortField(fields, 'To');
  return [event, { kind: 'opt_out', senderId, channelMessageId, fromPhone, fromEmail: null }];
}

const KINDS: readonly (readonly [string, AttachmentKind])[] = [
  ['image/', 'image'],
  ['audio/', 'audio'],
  ['video/', 'video'],
  ['application/', 'document'],
];

/** Carriers in Brazil transport no attachments, so the service says that one came and does not read it. */
function attachmentOf(fields: TwilioFields): ReceivedAttachment | null {
  const count = Number(field(fields, 'NumMedia') ?? 0);
  if (!(count > 0)) return null;
  const contentType = shortField(fields, 'MediaContentType0');
  const kind = KINDS.find(([start]) => contentType?.startsWith(start))?.[1] ?? 'other';
  return { kind, attachmentId: null, contentType, filename: null };
}
