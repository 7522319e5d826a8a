import { lookup as lookupName } from 'node:dns/promises';
import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isLoopbackAddress, isPublicAddress } from '../../../../../platform/network/address-guard.ts';
import { networkCodeOf } from '../../../../../platform/network/network-code.ts';
import {
  KEPT_RESPONSE_CHARACTERS,
  type WebhookAnswer,
  type WebhookFailure,
  type WebhookPost,
  type WebhookSender,
} from '../../../ports/webhook-sender.ts';

const MAX_URL_LENGTH = 2_048;
/** Ports below belong to services of the system, such as mail and remote shells, which no receiver of events uses. */
const LOWEST_FREE_PORT = 1_024;
const HTTPS_PORT = 443;

interface ReceiverUrl {
  readonly url: URL;
  /** The host without the brackets of an IPv6 address. */
  readonly host: string;
}

interface UrlRules {
  /** Outside production a receiver may listen on this machine, and without TLS. */
  readonly allowLoopback: boolean;
}

const mayConnectTo = (address: string, { allowLoopback }: UrlRules): boolean =>
  isPublicAddress(address) || (allowLoopback && isLoopbackAddress(address));

/** Reads what can be known of an address without a question to the network; returns in words what is wrong with it. */
export function readReceiverUrl(text: string, rules: UrlRules): ReceiverUrl | string {
  if (text.length > MAX_URL_LENGTH) return `At most ${MAX_URL_LENGTH} characters`;
  if (!URL.canParse(text)) return 'This is not an absolute URL';
  const url = new URL(text);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isLocal = host === 'localhost' || isLoopbackAddress(host);
  const isPlain = url.protocol === 'http:' && isLocal && rules.allowLoopback;
  if (url.protocol !== 'https:' && !isPlain) return 'The address must begin with https://';
  if (url.username !== '' || url.password !== '') return 'The address must not contain credentials';
  if (host === '') return 'The address has no host';
  if (isIP(host) !== 0 && !mayConnectTo(host, rules)) return 'The address is private or reserved';
  const port = url.port === '' ? HTTPS_PORT : Number(url.port);
  if (port !== HTTPS_PORT && port < LOWEST_FREE_PORT)
    return `The port must be ${HTTPS_PORT}, or ${LOWEST_FREE_PORT} or above`;
  return { url, host };
}

/** From the question for the name to the last byte of the answer. */
const WHOLE_TIME_MS = 15_000;
const MAX_BYTES = 64 * 1_024;
/** How long the check of a new address waits for the name server. */
const CHECK_TIME_MS = 3_000;
const MAX_RETRY_AFTER_SECONDS = 86_400;

export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

export type Resolve = (name: string) => Promise<readonly ResolvedAddress[]>;

export interface HttpWebhookSenderOptions extends UrlRules {
  /** Replaces the name servers, for tests. */
  readonly resolve?: Resolve;
  /** Replaces the time limit of a post, for tests. */
  readonly timeoutMs?: number;
}

class AddressRefused extends Error {
  readonly code = 'ADDRESS_REFUSED';
}

const failed = (failure: WebhookFailure): WebhookAnswer => ({
  failure,
  status: null,
  retryAfterSeconds: null,
  response: null,
});

/**
 * Posts over HTTPS. The name is resolved in the connection itself, and the connection is made to no other address than
 * the ones that were checked: a name that leads to another address a moment later gains nothing.
 */
export function createHttpWebhookSender({
  allowLoopback,
  resolve = (name) => lookupName(name, { all: true }),
  timeoutMs = WHOLE_TIME_MS,
}: HttpWebhookSenderOptions): WebhookSender {
  const rules: UrlRules = { allowLoopback };

  async function resolveAllowed(name: string): Promise<readonly ResolvedAddress[]> {
    const addresses = await resolve(name);
    // One private address among public ones is enough: which of them is used is a matter of chance.
    const refused = addresses.length === 0 || addresses.some(({ address }) => !mayConnectTo(address, rules));
    if (refused) throw new AddressRefused('The name leads to an address that may not be called');
    return addresses;
  }

  const lookup: LookupFunction = (name, options, callback) => {
    resolveAllowed(name).then(
      (addresses) => {
        const [first] = addresses;
        if (options.all === true) callback(null, [...addresses]);
        else callback(null, first?.address ?? '', first?.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, ''),
    );
  };

  return {
    async check(text) {
      const read = readReceiverUrl(text, rules);
      if (typeof read === 'string') return read;
      if (isIP(read.host) !== 0) return null;
      try {
        await within(resolveAllowed(read.host), CHECK_TIME_MS);
        return null;
      } catch (error) {
        return error instanceof AddressRefused ? 'The address leads to a private or reserved address' : null;
      }
    },

    async post({ url: text, headers, body }: WebhookPost) {
      const read = readReceiverUrl(text, rules);
      if (typeof read === 'string') return failed('url_invalid');
      const signal = AbortSignal.timeout(timeoutMs);
      try {
        return await new Promise<WebhookAnswer>((resolveAnswer, reject) => {
          const open = read.url.protocol === 'https:' ? requestHttps : requestHttp;
          const length = String(Buffer.byteLength(body));
          const request: ClientRequest = open(read.url, {
            method: 'POST',
            headers: { 'User-Agent': 'Quita-Webhooks', 'Content-Length': length, ...headers },
            agent: false,
            lookup,
            signal,
          });
          let isAnswered = false;
          request.on('response', (response) => {
            isAnswered = true;
            readAnswer(response).then(resolveAnswer, reject);
          });
          // Once the status has come, it alone decides.
          request.on('error', (error) => {
            if (!isAnswered) reject(error);
          });
          request.end(body);
        });
      } catch (error) {
        return failed(failureOf(error, signal));
      }
    },
  };
}

/** Reads the beginning of the body. What comes after it, or never comes, changes nothing. */
async function readAnswer(response: IncomingMessage): Promise<WebhookAnswer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const part of response as AsyncIterable<Buffer>) {
      parts.push(part);
      bytes += part.length;
      if (bytes >= MAX_BYTES) break;
    }
  } catch {
    // The status has come, and it alone decides.
  }
  response.destroy();
  const status = response.statusCode ?? 0;
  const text = Buffer.concat(parts).toString().replaceAll('\0', '').slice(0, KEPT_RESPONSE_CHARACTERS);
  return {
    failure: failureOfStatus(status),
    status,
    retryAfterSeconds: status === 429 || status === 503 ? readRetryAfter(response.headers['retry-after']) : null,
    response: text === '' ? null : text,
  };
}

function failureOfStatus(status: number): WebhookFailure | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? 'redirected' : 'status';
}

/** Reads the header in either of its forms: seconds, or a date. */
function readRetryAfter(value: string | undefined): number | null {
  if (value === undefined || value.length > 64) return null;
  const seconds = /^\d{1,9}$/.test(value) ? Number(value) : Math.ceil((Date.parse(value) - Date.now()) / 1_000);
  return Number.isFinite(seconds) ? Math.min(Math.max(0, seconds), MAX_RETRY_AFTER_SECONDS) : null;
}

const NAME_CODES: readonly string[] = ['ENOTFOUND', 'EAI_AGAIN', 'ENODATA', 'ESERVFAIL'];

function failureOf(error: unknown, signal: AbortSignal): WebhookFailure {
  if (signal.aborted) return 'timeout';
  const code = networkCodeOf(error) ?? '';
  if (code === 'ADDRESS_REFUSED') return 'address_refused';
  if (NAME_CODES.includes(code)) return 'name_not_resolved';
  const isTls = /CERT|SSL|TLS|SIGNATURE|EPROTO/.test(code);
  return isTls ? 'tls_failed' : 'connection_failed';
}

async function within<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('The name server did not answer in time')), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
