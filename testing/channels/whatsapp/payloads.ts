/** What WhatsApp posts to a webhook, in the form that Meta documents. */
import { createHash, createHmac } from 'node:crypto';
import type { ChannelRequest } from '../../../src/modules/messaging/ports/channel-webhook.ts';

export interface Sender {
  readonly phoneNumberId: string;
  readonly accountId: string;
  readonly displayNumber: string;
}

export interface Change {
  readonly field: string;
  readonly value: unknown;
}

const secondsNow = (): number => Math.floor(Date.now() / 1_000);

export const webhookBody = (accountId: string, ...changes: readonly Change[]) =>
  webhookBodyAt(secondsNow(), accountId, ...changes);

/** The same made at another moment, as a repetition is. */
export const webhookBodyAt = (time: number, accountId: string, ...changes: readonly Change[]) => ({
  object: 'whatsapp_business_account',
  entry: [{ id: accountId, time, changes }],
});

export function signed(url: string, body: unknown, secret: string): ChannelRequest {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const signature = createHmac('sha256', secret).update(bytes).digest('hex');
  return {
    url,
    headers: { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${signature}` },
    body: bytes,
  };
}

/** WhatsApp's id of a person for one business: two letters, a point, and up to 128 characters. */
export const userIdOf = (phone: string): string =>
  `BR.${BigInt(`0x${createHash('sha256').update(phone).digest('hex').slice(0, 14)}`)}`;

/** In these area codes WhatsApp writes mobile numbers with the ninth digit, in all others without. */
const WITH_NINTH_DIGIT = /^55(?:1[1-9]|2[12478])9\d{8}$/;

/** How WhatsApp names the owner of a number, for example `556198765432` for `+5561998765432`. */
export function waIdOf(phone: string): string {
  const digits = phone.replace(/\D/g, '');
  return WITH_NINTH_DIGIT.test(digits) || !/^55\d{2}9\d{8}$/.test(digits)
    ? digits
    : digits.slice(0, 4) + digits.slice(5);
}

const metadata = ({ phoneNumberId, displayNumber }: Sender) => ({
  display_phone_number: displayNumber,
  phone_number_id: phoneNumberId,
});

export interface Inbound {
  readonly id: string;
  /** The phone, or null when the person hides it behind a user name. */
  readonly from: string | null;
  readonly userId?: string;
  /** The members that depend on the kind of message, for example `{ type: 'text', text: { body: 'oi' } }`. */
  readonly content: Readonly<Record<string, unknown>>;
  readonly inReplyTo?: string;
  /** When it was written, in seconds. */
  readonly at?: number;
}

export const messagesChange = (sender: Sender, ...messages: readonly Inbound[]): Change => ({
  field: 'messages',
  value: {
    messaging_product: 'whatsapp',
    metadata: metadata(sender),
    contacts: messages.map(({ from, userId }) => ({
      profile: { name: 'Ana', ...(from === null ? { username: 'ana.souza' } : {}) },
      ...(from === null ? {} : { wa_id: from }),
      ...(userId === undefined ? {} : { user_id: userId }),
    })),
    messages: messages.map(({ id, from, userId, content, inReplyTo, at = secondsNow() }) => ({
      ...(from === null ? {} : { from }),
      ...(userId === undefined ? {} : { from_user_id: userId }),
      id,
      timestamp: String(at),
      ...(inReplyTo === undefined ? {} : { context: { from: sender.displayNumber, id: inReplyTo } }),
      ...content,
    })),
  },
});

export interface Status {
  readonly id: string;
  readonly status: string;
  readonly to: string;
  readonly callback: string | null;
  /** Why the message failed. */
  readonly code?: number;
  readonly at?: Date;
  readonly category?: string;
  /** `regular`, or `free_entry_point` for what an advertisement has led to. */
  readonly priceType?: string;
}

export const statusChange = (sender: Sender, ...statuses: readonly Status[]): Change => ({
  field: 'messages',
  value: {
    messaging_product: 'whatsapp',
    metadata: metadata(sender),
    statuses: statuses.map(({ id, status, to, callback, code, at = new Date(), category, priceType = 'regular' }) => ({
      id,
      status,
      timestamp: String(Math.floor(at.getTime() / 1000)),
      ...(to.startsWith('BR.') ? {} : { recipient_id: waIdOf(to) }),
      // A failed message to a phone number does not name the person's id.
      ...(status === 'failed' && !to.startsWith('BR.')
        ? {}
        : { recipient_user_id: to.startsWith('BR.') ? to : userIdOf(to) }),
      ...(callback === null ? {} : { biz_opaque_callback_data: callback }),
      ...(status === 'failed'
        ? { errors: [{ code: code ?? 131026, title: 'Failed', message: 'Failed', error_data: { details: '…' } }] }
        : {
            pricing: {
              billable: priceType === 'regular',
              pricing_model: 'PMP',
              type: priceType,
              category: category ?? 'utility',
            },
          }),
    })),
  },
});

export interface Moved {
  readonly id: string;
  /** The phone before, where the person does not hide it. */
  readonly from?: string;
  readonly fromUserId?: string;
  readonly toUserId?: string;
  /** The new phone, where the person does not hide it. */
  readonly to?: string;
  readonly at?: number;
}

/** A person has changed the number. Unlike other messages it comes without `contacts`. */
export const movedChange = (sender: Sender, ...people: readonly Moved[]): Change => ({
  field: 'messages',
  value: {
    messaging_product: 'whatsapp',
    metadata: metadata(sender),
    messages: people.map(({ id, from, fromUserId, toUserId, to, at = secondsNow() }) => ({
      ...(from === undefined ? {} : { from }),
      ...(fromUserId === undefined ? {} : { from_user_id: fromUserId }),
      id,
      timestamp: String(at),
      type: 'system',
      system: {
        body: 'User Ana changed',
        type: to === undefined ? 'user_changed_user_id' : 'user_changed_number',
        ...(to === undefined ? {} : { wa_id: to }),
        ...(toUserId === undefined ? {} : { user_id: toUserId }),
        ...(fromUserId === undefined ? {} : { previous_user_id: fromUserId }),
      },
    })),
  },
});

export interface CategoryNews {
  readonly name: string;
  readonly from: string;
  readonly to: string;
  /** When the change comes, in seconds; without it the change has come. */
  readonly later?: number;
}

export const categoryChange = ({ name, from, to, later }: CategoryNews): Change => ({
  field: 'template_category_update',
  value: {
    message_template_id: 278_077_987_957_091,
    message_template_name: name,
    message_template_language: 'pt-BR',
    ...(later === undefined
      ? { previous_category: from, new_category: to }
      : { new_category: from, correct_category: to, category_update_timestamp: later }),
  },
});

export interface TemplateNews {
  readonly name: string;
  readonly event: string;
  readonly reason?: string | null;
  readonly category?: string;
}

export const templateChange = ({ name, event, reason = 'NONE', category = 'UTILITY' }: TemplateNews): Change => ({
  field: 'message_template_status_update',
  value: {
    event,
    message_template_id: 1_689_556_908_129_832,
    message_template_name: name,
    message_template_language: 'pt-BR',
    reason,
    message_template_category: category,
  },
});

export const qualityChange = (sender: Sender, event: string, limit: string): Change => ({
  field: 'phone_number_quality_update',
  value: { display_phone_number: sender.displayNumber, event, max_daily_conversations_per_business: limit },
});
