import { isIP } from 'node:net';
import { isLoopbackAddress, isPublicAddress } from './address-guard.ts';

const MAX_URL_LENGTH = 2_048;
/** Ports below belong to services of the system, such as mail and remote shells, which no receiver of events uses. */
const LOWEST_FREE_PORT = 1_024;
const HTTPS_PORT = 443;

export interface ReceiverUrl {
  readonly url: URL;
  /** The host without the brackets of an IPv6 address. */
  readonly host: string;
}

export interface UrlRules {
  /** Outside production a receiver may listen on this machine, and without TLS. */
  readonly allowLoopback: boolean;
}

export const mayConnectTo = (address: string, { allowLoopback }: UrlRules): boolean =>
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
