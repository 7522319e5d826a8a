import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { setImmediate as afterOthers } from 'node:timers/promises';
import { MAX_JSON_DEPTH } from '../../../../kernel/json-limits.ts';
import {
  ChannelBodyError,
  type ChannelEvent,
  type ChannelRequest,
  type ChannelWebhook,
} from '../../ports/channel-webhook.ts';
import { accountEvents } from './account-events.ts';
import { messageEvents } from './message-events.ts';

const MAX_NAMES = 100;
/** A thousand updates have about a tenth of these. More would keep the parser busy for longer than 50 ms. */
const MAX_VALUES = 200_000;
/** Where Meta names an account or a phone: in an entry, and one level below the value of a change. */
const NAMES: ReadonlyMap<number, readonly string[]> = new Map([
  [3, ['id']],
  [7, ['phone_number_id', 'waba_id']],
]);
/** The process does other work after these bytes. */
const SCANNED_AT_ONCE = 256 * 1024;
/** Longer than a name with its member and some blanks. */
const LOOKED_AT = 100;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;

interface ScannedBody {
  /** The accounts and phones that the body names. It may name more than it has events of. */
  readonly names: readonly string[];
}

/** Returns null for a body that is nested too deeply or has too many values to be one of Meta's. */
function scanBody(body: Uint8Array): ScannedBody | null {
  const scan = scanInPieces(body);
  for (;;) {
    const { done, value } = scan.next();
    if (done === true) return value;
  }
}

/** Scans a body that anybody may have sent, and lets the process do other work meanwhile. */
async function scanUnsignedBody(body: Uint8Array): Promise<ScannedBody | null> {
  const scan = scanInPieces(body);
  for (;;) {
    const { done, value } = scan.next();
    if (done === true) return value;
    await afterOthers();
  }
}

/** Goes through the body once and parses nothing of it. */
function* scanInPieces(body: Uint8Array): Generator<undefined, ScannedBody | null> {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const names = new Set<string>();
  let depth = 0;
  let values = 0;
  let pauseAt = SCANNED_AT_ONCE;
  for (let at = 0; at < bytes.length; at++) {
    if (at >= pauseAt) {
      pauseAt = at + SCANNED_AT_ONCE;
      yield;
    }
    const byte = bytes[at];
    if (byte === QUOTE) {
      const end = endOfText(bytes, at);
      const members = NAMES.get(depth);
      const member = members?.find(({ length }) => length === end - at - 1);
      if (member !== undefined && names.size < MAX_NAMES) {
        const text = bytes.toString('latin1', at + 1, end + LOOKED_AT);
        const name = text.startsWith(member) ? /^"\s*:\s*"(\d{1,32})"/.exec(text.slice(member.length))?.[1] : undefined;
        if (name !== undefined) names.add(name);
      }
      at = end;
    } else if (byte === 0x5b || byte === 0x7b) {
      depth += 1;
      values += 1;
    } else if (byte === 0x5d || byte === 0x7d) {
      depth -= 1;
    } else if (byte === COMMA) {
      values += 1;
    }
    if (depth > MAX_JSON_DEPTH || values > MAX_VALUES) return null;
  }
  return { names: [...names] };
}

/** Returns the position of the closing quotation mark, or the length of the body. */
function endOfText(bytes: Buffer, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return Math.min(at, bytes.length);
}

/** Meta promises at most 3 MB, and puts at most 1,000 updates into one request. */
const MAX_BODY_BYTES = 3 * 1024 * 1024;
/** Entries, changes and what they list: an update may come with a contact. More would cost too much time. */
const MAX_ELEMENTS = 3_000;
const SIGNATURE_HEADER = 'x-hub-signature-256';
const SIGNATURE = /^sha256=([0-9a-f]{64})$/i;

/** Reads what Meta posts to the service, https://developers.facebook.com/documentation/business-messaging/whatsapp/webhooks. */
export const whatsAppWebhook = {
  channel: 'whatsapp',

  mayBeSigned: ({ [SIGNATURE_HEADER]: given = '' }) => SIGNATURE.test(given),

  async senders({ body }) {
    return body.byteLength > MAX_BODY_BYTES ? [] : ((await scanUnsignedBody(body))?.names ?? []);
  },

  verify({ headers, body }, secrets) {
    const [, hex] = SIGNATURE.exec(headers[SIGNATURE_HEADER] ?? '') ?? [];
    if (hex === undefined) return false;
    const given = Buffer.from(hex, 'hex');
    let verified = false;
    // The loop goes on after a match, so that the time does not reveal which secret matched.
    for (const secret of secrets) {
      const expected = createHmac('sha256', secret).update(body).digest();
      // Anybody can sign with an empty secret.
      if (timingSafeEqual(expected, given) && secret !== '') verified = true;
    }
    return verified;
  },

  read(request) {
    const changes = changesOf(request);
    if (changes === null) throw new ChannelBodyError('The body is not one that WhatsApp sends.');
    return changes.flatMap(eventsOf).map(withoutNul);
  },
} satisfies ChannelWebhook;

/** Fields that the service has not asked for are ignored. */
function eventsOf({ field, value, ...entry }: Change): readonly ChannelEvent[] {
  const senderId = metadataOf(value);
  if (field === 'messages' || field === 'user_preferences') return messageEvents(senderId, value);
  return accountEvents(field, entry, value);
}

interface Change {
  readonly account: string | null;
  /** When Meta made the entry. */
  readonly time: unknown;
  readonly field: string;
  readonly value: unknown;
}

const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
const textMember = (value: unknown, name: string): string | null => {
  const found = member(value, name);
  return typeof found === 'string' && found.length <= 200 ? found : null;
};
const listMember = (value: unknown, name: string): readonly unknown[] => {
  const found = member(value, name);
  return Array.isArray(found) ? found : [];
};

const metadataOf = (value: unknown): string | null => textMember(member(value, 'metadata'), 'phone_number_id');

/** Returns null for a body that WhatsApp would not send. Nothing is looked at closely before it is counted. */
function changesOf({ body }: ChannelRequest): Change[] | null {
  const whole = parse(body);
  if (member(whole, 'object') !== 'whatsapp_business_account' || !Array.isArray(member(whole, 'entry'))) return null;
  const found: Change[] = [];
  let elements = 0;
  for (const entry of listMember(whole, 'entry')) {
    const changes = listMember(entry, 'changes');
    elements += 1 + changes.length;
    if (elements > MAX_ELEMENTS) return null;
    for (const change of changes) {
      const field = textMember(change, 'field');
      const value = member(change, 'value');
      elements += listedIn(value);
      if (field !== null) found.push({ account: textMember(entry, 'id'), time: member(entry, 'time'), field, value });
    }
  }
  return elements > MAX_ELEMENTS ? null : found;
}

const listedIn = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce((sum: number, one) => sum + (Array.isArray(one) ? one.length : 0), 0)
    : 0;

/** Only signed bodies are parsed, and none that would keep the process from other work. */
function parse(bytes: Uint8Array): unknown {
  if (bytes.byteLength > MAX_BODY_BYTES || scanBody(bytes) === null) return undefined;
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

/** PostgreSQL stores no NUL, and one text with it must not keep a whole batch from being stored. */
const withoutNul = (event: ChannelEvent): ChannelEvent =>
  Object.fromEntries(
    Object.entries(event).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.replaceAll('\0', '') : value,
    ]),
  ) as unknown as ChannelEvent;

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * Answers the question by which Meta checks a webhook address: returns the text to answer with, or null when the
 * question does not come with the token that the operator has entered at Meta.
 */
export function answerToSubscription(
  query: Readonly<Record<string, string | undefined>>,
  verifyToken: string,
): string | null {
  const { 'hub.mode': mode, 'hub.verify_token': token = '', 'hub.challenge': challenge = '' } = query;
  // Hashes have the same length, which the comparison in constant time needs.
  const known = timingSafeEqual(sha256(token), sha256(verifyToken)) && verifyToken !== '';
  return known && mode === 'subscribe' && /^[\w-]{1,200}$/.test(challenge) ? challenge : null;
}
