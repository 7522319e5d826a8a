import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import {
  ChannelBodyError,
  type ChannelEvent,
  type ChannelRequest,
  type ChannelWebhook,
} from '../../ports/channel-webhook.ts';
import type { MessagingErrorKind } from '../../ports/messaging-channel.ts';
import type { EmailAddresses, SignedAddress } from './addresses.ts';
import { isAboutAddress } from './failure-status.ts';
import type { MailFacts } from './mail-facts.ts';
import { ownWords } from './own-words.ts';
import type { MailReader } from './threads/mail-reader.ts';

const SIGNATURE_HEADER = 'x-quita-signature';
/** How far the time of a signature may differ from now; a copied request is useless after it. */
const TOLERANCE_SECONDS = 300;
/** A caller that changes its secret may send one signature for each. */
const MAX_SIGNATURES = 5;

/**
 * The header is `t=<unix seconds>,v1=<hex>`, the hex being HMAC-SHA256 over `<t>.<raw body>`. Every pair is compared, so
 * that the time does not tell which secret matched.
 */
function isSigned({ headers, body }: ChannelRequest, secrets: readonly string[], now: Date): boolean {
  const header = currentHeader(headers, now);
  if (header === null) return false;
  const given = header.signatures.map((hex) => Buffer.from(hex, 'hex'));
  return secrets
    .map((secret) => createHmac('sha256', secret).update(`${header.seconds}.`).update(body).digest())
    .flatMap((expected) => given.map((signature) => timingSafeEqual(expected, signature)))
    .some((equal) => equal);
}

const mayBeSigned = (headers: ChannelRequest['headers'], now: Date): boolean => currentHeader(headers, now) !== null;

function currentHeader(headers: ChannelRequest['headers'], now: Date): ReturnType<typeof parse> {
  const header = parse(headers[SIGNATURE_HEADER]);
  if (header === null) return null;
  return Math.abs(now.getTime() / 1_000 - Number(header.seconds)) > TOLERANCE_SECONDS ? null : header;
}

function parse(header: string | undefined): { readonly seconds: string; readonly signatures: string[] } | null {
  const parts = (header ?? '').split(',').map((part) => part.trim());
  const valuesOf = (name: string): string[] =>
    parts.filter((part) => part.startsWith(`${name}=`)).map((part) => part.slice(name.length + 1));
  const [seconds, ...more] = valuesOf('t');
  const signatures = valuesOf('v1');
  if (seconds === undefined || more.length > 0 || !/^\d{1,12}$/.test(seconds)) return null;
  if (signatures.length === 0 || signatures.length > MAX_SIGNATURES) return null;
  return signatures.every((hex) => /^[0-9a-f]{64}$/i.test(hex)) ? { seconds, signatures } : null;
}

const MAX_EVENTS = 100;
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

type EmailEvent = z.infer<typeof eventSchema>;

/** Returns the events of a body, which is one event or a list of them; malformed ones are left out. */
function eventsOf(body: Uint8Array): EmailEvent[] {
  const value = parsed(body);
  const elements: unknown[] = Array.isArray(value) ? value.slice(0, MAX_EVENTS) : [value];
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

export interface EmailWebhookOptions {
  readonly addresses: EmailAddresses;
  readonly reader: MailReader;
  /** The address that debtors see as the sender; every client of the deployment has this one. */
  readonly fromAddress: string;
  readonly now: () => Date;
}

/** Reads what the deployment's mail server or provider posts. The deployment's own secrets sign it. */
export function createEmailWebhook(options: EmailWebhookOptions): ChannelWebhook {
  return {
    channel: 'email',
    mayBeSigned: (headers) => mayBeSigned(headers, options.now()),
    // No secret belongs to a client.
    senders: () => [],
    verify: (request, secrets) => isSigned(request, secrets, options.now()),
    async read({ body }) {
      const read: ChannelEvent[] = [];
      for (const event of eventsOf(body)) read.push(...(await channelEvents(event, options)));
      return read;
    },
  };
}

async function channelEvents(event: EmailEvent, options: EmailWebhookOptions): Promise<readonly ChannelEvent[]> {
  const { addresses, fromAddress, reader } = options;
  if (event.raw !== undefined) {
    const raw = Buffer.from(event.raw, 'base64');
    const mail = await reader.read(raw);
    return mail === null ? [] : eventsOfMail(mail, event.to ?? '', idOf(mail.messageId, raw), options);
  }
  if (event.type === 'inbound') {
    const mail: MailFacts = {
      from: event.from ?? null,
      messageId: event.id,
      addressed: '',
      returned: '',
      automatic: event.automatic ?? false,
      report: null,
      words: ownWords(event.text) || (event.subject ?? ''),
      attachments: [],
    };
    return eventsOfMail(mail, event.to, idOf(event.id, Buffer.from(event.id)), options);
  }
  const [about] = addresses.find(event.message);
  if (about === undefined) return [];
  if (event.type === 'complaint') return [optOut(about, fromAddress, null, `${about.messageId}:complaint`)];
  return [delivery(about, event.type === 'delivered' ? 'delivered' : 'failed', event.status ?? '5.0.0')];
}

/** What the mail is about is found by signed addresses alone: everything else in a mail can be invented. */
function eventsOfMail(
  mail: MailFacts,
  envelopeTo: string,
  channelMessageId: string,
  { addresses, fromAddress }: EmailWebhookOptions,
): readonly ChannelEvent[] {
  const addressed = addresses.find(`${envelopeTo}\n${mail.addressed}`);
  const [about] = [...addressed, ...addresses.find(mail.returned)];
  if (about !== undefined && addressed.some(({ kind }) => kind === 'stop') && mail.report === null) {
    return [optOut(about, fromAddress, mail.from, channelMessageId)];
  }
  if (mail.report !== null)
    return about === undefined ? [] : eventsOfReport(mail, about, fromAddress, channelMessageId);
  // Servers alone write to the address for bounces, so what is no report is one that is not understood.
  if (addressed.some(({ kind }) => kind === 'bounce')) return [];
  if (mail.automatic || (mail.words === '' && mail.attachments.length === 0)) return [];
  const [first = null, ...more] = mail.attachments;
  // A message has one attachment, as in the channels of phones, so each further one is a message of its own.
  return [{ words: mail.words, attachment: first }, ...more.map((attachment) => ({ words: '', attachment }))].map(
    ({ words, attachment }, index): ChannelEvent => ({
      kind: 'message',
      senderId: fromAddress,
      channelMessageId: index === 0 ? channelMessageId : `${channelMessageId}#${index + 1}`,
      fromPhone: null,
      fromEmail: mail.from,
      channelUserId: null,
      text: words,
      button: null,
      attachment: attachment === null ? null : { ...attachment, attachmentId: null },
      inReplyTo: about?.messageId ?? null,
    }),
  );
}

function eventsOfReport(
  { report }: MailFacts,
  about: SignedAddress,
  fromAddress: string,
  channelMessageId: string,
): readonly ChannelEvent[] {
  if (report?.kind === 'complaint') return [optOut(about, fromAddress, null, channelMessageId)];
  return report?.kind === 'delivery' ? [delivery(about, report.delivery, report.status)] : [];
}

const optOut = (
  { messageId }: SignedAddress,
  senderId: string,
  fromEmail: string | null,
  channelMessageId: string,
): ChannelEvent => ({ kind: 'opt_out', senderId, channelMessageId, fromPhone: null, fromEmail, inReplyTo: messageId });

const delivery = ({ messageId }: SignedAddress, state: 'delivered' | 'failed', status: string): ChannelEvent => ({
  kind: 'delivery',
  senderId: null,
  channelMessageId: messageId,
  messageId,
  delivery: state,
  channelUserId: null,
  failure: state === 'failed' ? { kind: failureOf(status), channelCode: status } : null,
});

/**
 * A failure with a temporary status, and a full mailbox, say nothing about a later mail. Any other failure that is not
 * about the address concerns this mail: its content, its size, or a policy.
 */
function failureOf(status: string): MessagingErrorKind {
  if (status.startsWith('4.') || status === '5.2.2') return 'retryable';
  return isAboutAddress(status) ? 'undeliverable' : 'rejected';
}

const MAX_ID_LENGTH = 200;

/** A mail that arrives twice has one id. Its own one is used where it is short enough to be stored. */
function idOf(own: string | null, content: Uint8Array): string {
  return own !== null && own !== '' && own.length <= MAX_ID_LENGTH
    ? own
    : `sha256:${createHash('sha256').update(content).digest('hex')}`;
}
