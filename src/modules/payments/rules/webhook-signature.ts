/** The header of Mercado Pago's notification signature. */
export interface SignatureHeader {
  /** The timestamp as sent; the provider sends seconds or milliseconds. */
  readonly ts: string;
  /** Lower-case hexadecimal; one match is enough. */
  readonly hashes: readonly string[];
}

export interface SignedNotification {
  /** Header `x-signature`. */
  readonly signature: string | undefined;
  /** Header `x-request-id`. */
  readonly requestId: string | undefined;
  /** `data.id` of the query; a list when the query contains it more than once. */
  readonly queryDataId: string | readonly string[] | undefined;
  /** `data.id` of the body, of any type. */
  readonly bodyDataId: unknown;
}

export interface SignatureCandidate {
  readonly dataId: string | null;
  readonly manifest: string;
}

export interface SignatureQuestion {
  readonly hashes: readonly string[];
  readonly candidates: readonly SignatureCandidate[];
}

const TS = /^\d{1,16}$/;
const SHA256_HEX = /^[0-9a-f]{64}$/;
// A `;` inside a value would allow one signed text to be read as another.
const DATA_ID = /^[A-Za-z0-9_-]{1,128}$/;
const REQUEST_ID = /^[\x21-\x3a\x3c-\x7e]{1,256}$/;

/** Reads `ts=…,v1=…[,v1=…]` in any order; returns `null` when a part is missing or malformed, or `ts` is repeated. */
export function parseSignatureHeader(header: string | undefined): SignatureHeader | null {
  let ts: string | null = null;
  const hashes: string[] = [];
  for (const part of (header ?? '').split(',')) {
    const equals = part.indexOf('=');
    const name = part.slice(0, Math.max(equals, 0)).trim();
    const value = part.slice(equals + 1).trim();
    if (name === 'ts') {
      if (ts !== null) return null;
      ts = value;
    } else if (name === 'v1') {
      hashes.push(value.toLowerCase());
    }
  }
  if (ts === null || !TS.test(ts) || hashes.length === 0 || !hashes.every((hash) => SHA256_HEX.test(hash))) return null;
  return { ts, hashes };
}

/** Builds the signed text; an absent part is left out together with its `;`. */
export function signatureManifest(parts: { dataId: string | null; requestId: string | null; ts: string }): string {
  const id = parts.dataId === null ? '' : `id:${parts.dataId};`;
  const requestId = parts.requestId === null ? '' : `request-id:${parts.requestId};`;
  return `${id}${requestId}ts:${parts.ts};`;
}

/** Returns the texts that may have been signed and the hashes to compare, or `null` when no signature can be right. */
export function signatureQuestion(notification: SignedNotification): SignatureQuestion | null {
  const header = parseSignatureHeader(notification.signature);
  const requestId = notification.requestId ?? '';
  const dataId = signedDataId(notification);
  if (header === null || dataId === undefined || (requestId !== '' && !REQUEST_ID.test(requestId))) return null;
  const { ts, hashes } = header;
  const candidates = casings(dataId).map((id) => ({
    dataId: id,
    manifest: signatureManifest({ dataId: id, requestId: requestId === '' ? null : requestId, ts }),
  }));
  return { hashes, candidates };
}

/**
 * Identifies one delivery of a notification: a second request with the same `x-request-id` and `ts` is the same
 * delivery. Neither value contains a `;`, and both are bounded. Returns `null` without a request id, because nothing
 * then distinguishes the delivery from the next one.
 */
export function signedRequestOf({ signature, requestId }: SignedNotification): string | null {
  const header = parseSignatureHeader(signature);
  return header === null || requestId === undefined || !REQUEST_ID.test(requestId) ? null : `${requestId};${header.ts}`;
}

/** Returns the id of the query, or else of the body; `undefined` when it is unusable. */
function signedDataId({ queryDataId, bodyDataId }: SignedNotification): string | null | undefined {
  const given = queryDataId === undefined || queryDataId === '' ? bodyDataId : queryDataId;
  if (given === undefined || given === null || given === '') return null;
  // A larger number has already lost digits in JSON.parse.
  const id = typeof given === 'number' && Number.isSafeInteger(given) ? String(given) : given;
  return typeof id === 'string' && DATA_ID.test(id) ? id : undefined;
}

/** The provider's documentation signs the id in lower case, its libraries sign it as sent, so both are tried. */
function casings(dataId: string | null): readonly (string | null)[] {
  const lower = dataId?.toLowerCase() ?? null;
  return lower === dataId ? [dataId] : [dataId, lower];
}
