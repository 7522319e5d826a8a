import { createHmac, timingSafeEqual } from 'node:crypto';
import type { ChannelRequest } from '../../ports/channel-webhook.ts';

export const SIGNATURE_HEADER = 'x-quita-signature';
/** How far the time of a signature may differ from now; a copied request is useless after it. */
const TOLERANCE_SECONDS = 300;
/** A caller that changes its secret may send one signature for each. */
const MAX_SIGNATURES = 5;

/**
 * The header is `t=<unix seconds>,v1=<hex>`, the hex being HMAC-SHA256 over `<t>.<raw body>`. Every pair is compared, so
 * that the time does not tell which secret matched.
 */
export function isSigned({ headers, body }: ChannelRequest, secrets: readonly string[], now: Date): boolean {
  const header = currentHeader(headers, now);
  if (header === null) return false;
  const given = header.signatures.map((hex) => Buffer.from(hex, 'hex'));
  return secrets
    .map((secret) => createHmac('sha256', secret).update(`${header.seconds}.`).update(body).digest())
    .flatMap((expected) => given.map((signature) => timingSafeEqual(expected, signature)))
    .some((equal) => equal);
}

export const mayBeSigned = (headers: ChannelRequest['headers'], now: Date): boolean =>
  currentHeader(headers, now) !== null;

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
