import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { ChannelRequest } from '../../ports/channel-webhook.ts';

/** Twilio's requests are far smaller: a text has at most 1,600 characters. */
const MAX_BYTES = 64 * 1_024;
const MAX_FIELDS = 200;

/** The fields of a form or of a JSON object. A repeated field of a form has several values. */
export type TwilioFields = ReadonlyMap<string, readonly string[]>;

/** Returns null for a body that is none of Twilio's. */
export function readFields({ headers, body }: ChannelRequest): TwilioFields | null {
  if (body.byteLength > MAX_BYTES) return null;
  const text = Buffer.from(body).toString('utf8');
  const fields = /^application\/json\b/i.test(headers['content-type'] ?? '')
    ? jsonFields(text)
    : [...new URLSearchParams(text)];
  if (fields === null || fields.length > MAX_FIELDS) return null;
  const byName = new Map<string, string[]>();
  for (const [name, value] of fields) byName.set(name, [...(byName.get(name) ?? []), value]);
  return byName;
}

function jsonFields(text: string): [string, string][] | null {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return null;
    return Object.entries(body).flatMap(([name, value]): [string, string][] =>
      typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : [],
    );
  } catch {
    return null;
  }
}

/**
 * States name the service's own id of the message in their address. A state may come before Twilio has answered the
 * sending, and the answer may be lost, so Twilio's id alone does not find the message.
 */
const MESSAGE_ID = 'message';

export const callbackOf = (url: string, messageId: string): string =>
  `${url}?${MESSAGE_ID}=${encodeURIComponent(messageId)}`;

export function messageIdOf({ url }: ChannelRequest): string | null {
  const id = URL.parse(url)?.searchParams.get(MESSAGE_ID) ?? null;
  return id === null || id === '' || id.length > 100 ? null : id;
}

const signatureOf = (headers: ChannelRequest['headers']): Buffer =>
  Buffer.from(headers['x-twilio-signature'] ?? '', 'base64');

export const mayBeSigned = (headers: ChannelRequest['headers']): boolean => signatureOf(headers).byteLength === 20;

/**
 * Compares `X-Twilio-Signature`: an HMAC-SHA1, under the account's token, of the address and the sorted fields. A body
 * that is no form is signed by its hash in the address instead.
 */
export function isSigned(request: ChannelRequest, secrets: readonly string[]): boolean {
  const given = signatureOf(request.headers);
  const addresses = addressesOf(request.url);
  const signed = signedFields(request);
  if (given.byteLength !== 20 || signed === null) return false;
  let matches = false;
  // The loop goes on after a match, so that the time does not reveal which token or spelling matched.
  for (const secret of secrets) {
    for (const address of addresses) {
      const expected = createHmac('sha1', secret)
        .update(address + signed)
        .digest();
      if (timingSafeEqual(expected, given) && secret !== '') matches = true;
    }
  }
  return matches;
}

/** Returns the text behind the address, or null when the body cannot be signed or is not the one that was signed. */
function signedFields(request: ChannelRequest): string | null {
  const hash = URL.parse(request.url)?.searchParams.get('bodySHA256');
  if (hash !== null && hash !== undefined) {
    const given = Buffer.from(hash, 'hex');
    const expected = createHash('sha256').update(request.body).digest();
    return given.byteLength === expected.byteLength && timingSafeEqual(given, expected) ? '' : null;
  }
  const fields = readFields(request);
  if (fields === null) return null;
  return [...fields]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([name, values]) => [...new Set(values)].sort().map((value) => name + value))
    .join('');
}

/** Twilio signs the address with its port or without, and as it was configured or as a URL parser writes it. */
function addressesOf(url: string): readonly string[] {
  const parsed = URL.parse(url);
  if (parsed === null) return [];
  return [...new Set([url, parsed.href].flatMap((address) => [address, withPort(address), withoutPort(address)]))];
}

const HOST = /^(https?):\/\/([^/?#:]+|\[[^\]]*\])(:\d+)?/i;
const withoutPort = (url: string): string => url.replace(HOST, '$1://$2');
const withPort = (url: string): string =>
  url.replace(HOST, (_, scheme: string, host: string, port: string | undefined) => {
    const standard = scheme.toLowerCase() === 'https' ? ':443' : ':80';
    return `${scheme}://${host}${port ?? standard}`;
  });
