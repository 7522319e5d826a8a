import { createHmac } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { OutgoingDocument } from '../../../../kernel/ports/outgoing.ts';
import {
  type ChannelCredentials,
  type MessagingChannel,
  MessagingError,
  type OutgoingMessage,
  type SentMessage,
  type TemplateText,
} from '../../ports/messaging-channel.ts';
import { PAIR_LIMIT } from './failures.ts';
import { createGraphClient, type GraphClient, type GraphOptions, usable } from './graph-client.ts';
import {
  addressOf,
  CHANNEL_USER_ID,
  messageBody,
  phoneRequestBody,
  readMark,
  refuseBadMessage,
} from './message-body.ts';
import { refuseBadOrder, withRefusalOfPix } from './pix-message.ts';
import { peoplePerDay, qualityOf } from './sender-state.ts';
import { accountHasNumber, createTemplates } from './templates.ts';

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
function createAttachmentReader(graph: GraphClient, baseUrl: string): NonNullable<MessagingChannel['readAttachment']> {
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

const MAX_PAIRS = 10_000;
const FORGET_AFTER_MS = 3_600_000;
const MAX_REFUSALS = 5;

/**
 * Counts how often WhatsApp has refused one pair of sender and recipient in a row. Meta asks its callers to wait 4^n
 * seconds after the refusal number n, counted from 0. Each process counts for itself: the count only stretches a wait.
 */
function createPairWaits() {
  const refusals = new LRUCache<string, number>({ max: MAX_PAIRS, ttl: FORGET_AFTER_MS });
  return {
    refused(pair: string): number {
      const before = refusals.get(pair) ?? 0;
      refusals.set(pair, Math.min(before + 1, MAX_REFUSALS));
      return 4 ** before;
    },
    accepted: (pair: string) => void refusals.delete(pair),
  };
}

type PairWaits = ReturnType<typeof createPairWaits>;

export interface WhatsAppOptions extends GraphOptions {
  /** The product's templates: a template that is sent needs to say what its buttons mean. */
  readonly templates: readonly TemplateText[];
  /** How far the service's clock is ahead of WhatsApp's, which no `CLOCK_OFFSET` shifts. */
  readonly clockOffsetMs?: number;
}

const DAY_MS = 24 * 3_600_000;

/** Sends by Meta's WhatsApp Cloud API, https://developers.facebook.com/documentation/business-messaging/whatsapp. */
export function createWhatsAppChannel(options: WhatsAppOptions): MessagingChannel {
  const graph = createGraphClient(options);
  const templates: ReadonlyMap<string, TemplateText> = new Map(options.templates.map((text) => [text.name, text]));
  const waits = createPairWaits();
  const inRealTime = (message: OutgoingMessage): OutgoingMessage => {
    const { pix } = message;
    if (pix === undefined) return message;
    return {
      ...message,
      pix: { ...pix, shownUntil: new Date(pix.shownUntil.getTime() - (options.clockOffsetMs ?? 0)) },
    };
  };

  return {
    name: 'whatsapp',
    capabilities: {
      policyChannel: 'whatsapp',
      freeTextWindowMs: DAY_MS,
      templates: true,
      documents: true,
      pixCodes: true,
      deliveryStates: true,
      texts: 'full',
      reaches: 'phone',
      pace: { perSecond: 80, secondsPerPerson: 6 },
    },

    async send(given) {
      const message = inRealTime(given);
      const credentials = usable(message.credentials);
      refuseBadMessage(message);
      const { pix, template, text } = message;
      if (pix !== undefined && template === undefined) refuseBadOrder(text, pix, Date.now());
      const pair = `${credentials.senderId} ${Object.values(addressOf(message.to))[0]}`;
      const mediaId = message.document === undefined ? null : await upload(graph, credentials, message.document);
      try {
        const sent = await post(graph, credentials, messageBody(message, mediaId, templates));
        waits.accepted(pair);
        return sent;
      } catch (error) {
        throw withPairWait(pix === undefined ? error : withRefusalOfPix(error), waits, pair);
      }
    },

    async askForPhone(request) {
      const credentials = usable(request.credentials);
      if (!CHANNEL_USER_ID.test(request.channelUserId)) {
        throw new MessagingError('undeliverable', 'WhatsApp: this is no id of a person');
      }
      return post(graph, credentials, phoneRequestBody(request));
    },

    async checkCredentials(given) {
      const credentials = usable(given);
      const number = await readNumber(graph, credentials);
      if (credentials.accountId !== null && !(await accountHasNumber(graph, credentials))) {
        throw new MessagingError('unauthorized', 'WhatsApp: the number does not belong to the business account', {
          channelCode: 'sender_unknown',
        });
      }
      return {
        shownAs: number.display_phone_number,
        peoplePerDay: peoplePerDay(number.whatsapp_business_manager_messaging_limit),
        quality: qualityOf(number.status, number.quality_rating),
      };
    },

    async markRead(channelMessageId, credentials) {
      await mark(graph, credentials, channelMessageId).catch(() => undefined);
    },

    readAttachment: createAttachmentReader(graph, options.baseUrl),
    templates: createTemplates(graph),
  };
}

const uploaded = z.object({ id: z.string().regex(/^[\w-]{1,128}$/) });

/** Nothing has been sent when this fails, however it fails. */
async function upload(graph: GraphClient, credentials: ChannelCredentials, document: OutgoingDocument) {
  const file = new FormData();
  file.set('messaging_product', 'whatsapp');
  file.set('type', document.contentType);
  file.set('file', new Blob([new Uint8Array(document.content)], { type: document.contentType }), document.filename);
  const { id } = await graph.call({
    what: 'uploading a document',
    method: 'POST',
    path: `${credentials.senderId}/media`,
    token: credentials.accessToken,
    file,
    read: (answer) => uploaded.parse(answer),
  });
  return id;
}

const accepted = z.object({
  messages: z.tuple([z.object({ id: z.string().min(1).max(512) })], z.unknown()),
  contacts: z
    .array(z.object({ user_id: z.string().max(200).nullish().catch(null) }))
    .nullish()
    .catch(null),
});

/**
 * A template may be answered with `message_status` `held_for_quality_assessment` or `paused`: WhatsApp has the message
 * and sends it later, or reports it as failed. So it counts as sent, and is never sent a second time.
 */
function post(graph: GraphClient, credentials: ChannelCredentials, json: unknown): Promise<SentMessage> {
  return graph.call({
    what: 'sending a message',
    method: 'POST',
    path: `${credentials.senderId}/messages`,
    token: credentials.accessToken,
    json,
    sends: true,
    read(answer) {
      const { messages, contacts } = accepted.parse(answer);
      return { channelMessageId: messages[0].id, channelUserId: contacts?.[0]?.user_id ?? null };
    },
  });
}

async function mark(graph: GraphClient, given: ChannelCredentials, channelMessageId: string): Promise<void> {
  const { senderId, accessToken: token } = usable(given);
  const json = readMark(channelMessageId);
  const read = () => undefined;
  await graph.call({ what: 'a read mark', method: 'POST', path: `${senderId}/messages`, token, json, read });
}

function withPairWait(error: unknown, waits: PairWaits, pair: string): unknown {
  if (!(error instanceof MessagingError) || error.channelCode !== String(PAIR_LIMIT)) return error;
  const { message, channelCode } = error;
  const retryAfterSeconds = Math.max(error.retryAfterSeconds ?? 0, waits.refused(pair));
  return new MessagingError('retryable', message, { retryAfterSeconds, scope: 'recipient', channelCode });
}

const shortText = z
  .string()
  .max(64)
  .nullish()
  .catch(null)
  .transform((value) => value ?? null);
const numberAnswer = z.object({
  id: z.string(),
  display_phone_number: z.string().min(1).max(64),
  quality_rating: shortText,
  status: shortText,
  whatsapp_business_manager_messaging_limit: z.unknown().optional(),
});
const FIELDS = 'id,display_phone_number,quality_rating,status,whatsapp_business_manager_messaging_limit';

/** Sends a proof of the app secret too, so that a wrong secret is found now and not by the first lost notification. */
function readNumber(graph: GraphClient, { senderId, accessToken, webhookSecret }: ChannelCredentials) {
  const proof = webhookSecret && createHmac('sha256', webhookSecret).update(accessToken).digest('hex');
  return graph.call({
    what: 'asking about the number',
    method: 'GET',
    path: senderId,
    query: { fields: FIELDS, appsecret_proof: proof || null },
    token: accessToken,
    read(answer) {
      const number = numberAnswer.parse(answer);
      if (number.id !== senderId) throw new TypeError('the answer is about another number');
      return number;
    },
  });
}
