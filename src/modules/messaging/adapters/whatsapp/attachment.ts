import { z } from 'zod';
import { type MessagingChannel, MessagingError } from '../../ports/messaging-channel.ts';
import { type GraphClient, usable } from './graph-client.ts';

/** Meta's own hosts; today every attachment is at `lookaside.fbsbx.com`. The request to them carries the token. */
const META_HOSTS = ['facebook.com', 'fbsbx.com', 'fbcdn.net', 'whatsapp.net'];
const ATTACHMENT_ID = /^[\w-]{1,128}$/;
const MEDIA_TYPE = /^[a-z0-9]{1,40}\/[a-z0-9.+-]{1,100}$/;

const mediaAnswer = z.object({
  url: z.string().max(4_096),
  mime_type: z.string().max(200).nullish().catch(null),
  file_size: z.coerce.number().nullish().catch(null),
});

/** Asks where the attachment is, and reads it from there if that is a place of Meta. */
export function createAttachmentReader(
  graph: GraphClient,
  baseUrl: string,
): NonNullable<MessagingChannel['readAttachment']> {
  const base = new URL(baseUrl);
  return async (attachmentId, given, maxBytes) => {
    const { accessToken: token, senderId } = usable(given);
    if (!ATTACHMENT_ID.test(attachmentId)) throw new MessagingError('rejected', 'WhatsApp: this is no attachment id');
    const media = await graph.call({
      what: 'asking about an attachment',
      method: 'GET',
      path: attachmentId,
      query: { phone_number_id: senderId },
      token,
      read: (answer) => mediaAnswer.parse(answer),
    });
    if ((media.file_size ?? 0) > maxBytes) {
      throw new MessagingError('rejected', `the attachment is larger than ${maxBytes} bytes`);
    }
    const url = placeOf(media.url, base);
    if (url === null)
      throw new MessagingError('rejected', 'WhatsApp: the attachment is at a place that is not allowed');
    return { contentType: contentTypeOf(media.mime_type ?? ''), content: await graph.download(url, token, maxBytes) };
  };
}

/** Returns null for an address that must not be called, and that must not see the token. */
function placeOf(text: string, base: URL): URL | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return null;
  if (url.origin === base.origin) return url;
  const ofMeta = META_HOSTS.some((host) => url.hostname === host || url.hostname.endsWith(`.${host}`));
  return ofMeta && url.protocol === 'https:' && url.port === '' ? url : null;
}

function contentTypeOf(mimeType: string): string {
  const type = mimeType.split(';', 1)[0]!.trim().toLowerCase();
  return MEDIA_TYPE.test(type) ? type : 'application/octet-stream';
}
