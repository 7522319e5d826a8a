/** Mercado Pago's notification signature: which texts may have been signed, and by which hashes. */
export interface SignatureHeader {
  /** As sent: seconds or milliseconds, both occur. */
  readonly ts: string;
  /** Lower-case hexadecimal; any of them may match. */
  readonly hashes: readonly string[];
}

export interface SignedNotification {
  /** Header `x-signature`. */
  readonly signature: string | undefined;
  /** Header `x-request-id`. */
  readonly requestId: string | undefined;
  /** `data.id` of the query; a list when it was sent more than once. */
  readonly queryDataId: string | readonly string[] | undefined;
  /** `data.id` of the body, whatever it is. */
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
// A `;` inside a value would let one signed text be read as another.
const DATA_ID = /^[A-Za-z0-9_-]{1,128}$/;
const REQUEST_ID = /^[\x21-\x3a\x3c-\x7e]{1,256}$/;

/** `ts=…,v1=…[,v1=…]` in any order; `null` when a part is missing, doubled or not what it should be. */
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

/** Absent parts are left out together with their `;`. */
export function signatureManifest(parts: { dataId: string | null; requestId: string | null; ts: string }): string {
  const id = parts.dataId === null ? '' : `id:${parts.dataId};`;
  const requestId = parts.requestId === null ? '' : `request-id:${parts.requestId};`;
  return `${id}${requestId}ts:${parts.ts};`;
}

/** `null` when no signature of this notification could be right. */
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
 * What one sending of a notification is known by: the same `x-request-id` and `ts` again is the same notification. A `;`
 * stands in neither, and both are bounded. `null` for one without a request id, which nothing tells from the next.
 */
export function signedRequestOf({ signature, requestId }: SignedNotification): string | null {
  const header = parseSignatureHeader(signature);
  return header === null || requestId === undefined || !REQUEST_ID.test(requestId) ? null : `${requestId};${header.ts}`;
}

/** The query's id, or else the body's; `undefined` when it is unusable. */
function signedDataId({ queryDataId, bodyDataId }: SignedNotification): string | null | undefined {
  const given = queryDataId === undefined || queryDataId === '' ? bodyDataId : queryDataId;
  if (given === undefined || given === null || given === '') return null;
  // A larger number has already lost digits in JSON.parse.
  const id = typeof given === 'number' && Number.isSafeInteger(given) ? String(given) : given;
  return typeof id === 'string' && DATA_ID.test(id) ? id : undefined;
}

/** The provider's pages say lower-case, its libraries say as sent. */
function casings(dataId: string | null): readonly (string | null)[] {
  const lower = dataId?.toLowerCase() ?? null;
  return lower === dataId ? [dataId] : [dataId, lower];
}
