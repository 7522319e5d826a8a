import { z } from 'zod';
import type { AttachmentKind } from '../../../debts/rules/attachment-kinds.ts';
import type { ChannelEvent, ReceivedAttachment } from '../../ports/channel-webhook.ts';
import { intentOf } from './button-payloads.ts';

type Content = Pick<Extract<ChannelEvent, { kind: 'message' }>, 'text' | 'button' | 'attachment'>;

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
export function receivedContent(type: string, message: Readonly<Record<string, unknown>>): Content {
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
  return { text: file?.caption ?? '', button: null, attachment };
}
