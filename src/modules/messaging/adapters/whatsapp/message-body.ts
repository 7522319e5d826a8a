import { canonicalPhone } from '../../../../kernel/phone.ts';
import {
  type ChannelTemplate,
  MAX_TEXT_LENGTH,
  MessagingError,
  type OutgoingMessage,
  type PhoneRequest,
  type Recipient,
  type TemplateText,
} from '../../ports/messaging-channel.ts';
import { payloadOf } from './button-payloads.ts';
import { orderContent, paymentRequest } from './pix-message.ts';

const E164 = /^\+[1-9]\d{7,14}$/;
/** WhatsApp's id of a person for one business ("business-scoped user id"). */
export const CHANNEL_USER_ID = /^[A-Z]{2}\.(?:ENT\.)?[A-Za-z0-9]{1,128}$/;
const MAX_CAPTION_LENGTH = 1_024;
const MAX_FILENAME_LENGTH = 240;

/** Gives `to` when the number is known, because WhatsApp then goes on naming the number in its events. */
export type Address = { readonly to: string } | { readonly recipient: string };

/**
 * Writes the number with `+`, because WhatsApp would otherwise read it as a number without a country code, and with the
 * ninth digit, without which an old spelling of a number could be that of somebody else.
 */
export function addressOf({ phone, channelUserId, hasMoved = false }: Recipient): Address {
  const to = canonicalPhone(phone) ?? phone;
  const hasId = channelUserId !== undefined && CHANNEL_USER_ID.test(channelUserId);
  if (E164.test(to) && !(hasMoved && hasId)) return { to };
  if (hasId) return { recipient: channelUserId };
  throw new MessagingError('undeliverable', 'WhatsApp: the recipient has no phone number and no id');
}

/** Refuses what WhatsApp would refuse, before anything is uploaded. */
export function refuseBadMessage({ text, template, document }: OutgoingMessage): void {
  const limit = template === undefined && document !== undefined ? MAX_CAPTION_LENGTH : MAX_TEXT_LENGTH;
  if (text.trim() === '' || text.length > limit) {
    throw new MessagingError('rejected', `WhatsApp: a text must have 1 to ${limit} characters`);
  }
  if (template?.parameters.some((parameter) => parameter.trim() === '') === true) {
    throw new MessagingError('rejected', 'WhatsApp: a parameter of the template is empty');
  }
}

/** Builds the body of `POST /{phone number id}/messages`. */
export function messageBody(
  message: OutgoingMessage,
  mediaId: string | null,
  templates: ReadonlyMap<string, TemplateText>,
): Record<string, unknown> {
  const { id, text, template, document, pix } = message;
  const file =
    document === undefined || mediaId === null
      ? null
      : { id: mediaId, filename: document.filename.slice(0, MAX_FILENAME_LENGTH) };
  return {
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    ...addressOf(message.to),
    // WhatsApp repeats this value in the delivery states.
    biz_opaque_callback_data: id,
    ...(template === undefined
      ? pix === undefined
        ? freeContent(text, file)
        : orderContent(text, pix)
      : { type: 'template', template: templateContent(template, file, templates.get(template.name), pix) }),
  };
}

/** Asks for the phone by a button that WhatsApp labels itself. */
export const phoneRequestBody = ({ id, channelUserId, text }: PhoneRequest): Record<string, unknown> => ({
  messaging_product: 'whatsapp',
  recipient_type: 'individual',
  recipient: channelUserId,
  biz_opaque_callback_data: id,
  type: 'interactive',
  interactive: { type: 'request_contact_info', body: { text }, action: { name: 'request_contact_info' } },
});

type File = { readonly id: string; readonly filename: string } | null;

const freeContent = (text: string, file: File) =>
  file === null
    ? // A preview would make WhatsApp open the debtor's page before the debtor does.
      { type: 'text', text: { preview_url: false, body: text } }
    : { type: 'document', document: { ...file, caption: text } };

function templateContent(
  { name, language, parameters }: ChannelTemplate,
  file: File,
  text: TemplateText | undefined,
  pix: OutgoingMessage['pix'],
) {
  const components = [
    ...(file === null ? [] : [{ type: 'header', parameters: [{ type: 'document', document: file }] }]),
    ...(parameters.length === 0
      ? []
      : [{ type: 'body', parameters: parameters.map((value) => ({ type: 'text', text: onOneLine(value) })) }]),
    ...(text?.buttons ?? []).map(({ intent }, index) => ({
      type: 'button',
      sub_type: 'quick_reply',
      index: String(index),
      parameters: [{ type: 'payload', payload: payloadOf(intent) }],
    })),
    ...(pix === undefined || text?.pixCode === undefined ? [] : [paymentRequest(pix, text.buttons.length)]),
  ];
  return { name, language: { code: language }, ...(components.length === 0 ? {} : { components }) };
}

/** WhatsApp refuses a parameter with a line break, a tab or more than four spaces in a row. */
const onOneLine = (value: string): string => value.trim().replace(/\s+/g, ' ');

export const readMark = (channelMessageId: string): Record<string, unknown> => ({
  messaging_product: 'whatsapp',
  status: 'read',
  message_id: channelMessageId,
});
