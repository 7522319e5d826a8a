import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { FieldProblem } from '../../kernel/errors.ts';
import type { ReadBody } from './body.ts';

const HEADER = 'Idempotency-Key';
const MAX_LENGTH = 255;

/**
 * Reads the key that a caller chose for its call. The draft of the header writes it in quotation marks, and most callers
 * write it without; both are the same key. Undefined means that the caller sent none.
 */
export function readIdempotencyKey(headers: IncomingHttpHeaders): string | undefined {
  const value = headers['idempotency-key'];
  if (typeof value !== 'string') return undefined;
  const key = value.trim();
  return key.length >= 2 && key.startsWith('"') && key.endsWith('"') ? key.slice(1, -1) : key;
}

/** Returns what is wrong with the key; an empty list for a good one. */
export function idempotencyKeyProblems(key: string | undefined): FieldProblem[] {
  if (key === undefined || /^[\x20-\x7e]{1,255}$/.test(key)) return [];
  const code = key === '' ? 'too_short' : key.length > MAX_LENGTH ? 'too_long' : 'invalid_value';
  return [{ parameter: HEADER, code, message: `1 to ${MAX_LENGTH} printable ASCII characters` }];
}

/** Digests bytes outside of the event loop; the text of a body is small. */
async function digestOf(content: string | Uint8Array): Promise<string> {
  if (typeof content === 'string') return hash('sha256', content, 'base64url');
  return Buffer.from(await crypto.subtle.digest('SHA-256', content as Uint8Array<ArrayBuffer>)).toString('base64url');
}

/** What the caller sent, before it was checked: a checked value may depend on the moment of the call. */
export interface SentRequest {
  readonly params: unknown;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: ReadBody['sent'];
  /** The type of the answer that the caller prefers, when it is not JSON. */
  readonly accepted?: string | undefined;
}

/** Digests what the caller sent, byte by byte. The boundary of a multipart body makes no difference. */
export async function requestHash({ params, query, body, accepted }: SentRequest): Promise<string> {
  const parts = [...body].map(async ([name, content]) => [name, await digestOf(content)]);
  const sorted = Object.entries(query).sort(([one], [other]) => (one < other ? -1 : 1));
  return hash('sha256', JSON.stringify([params, sorted, await Promise.all(parts), accepted]), 'base64url');
}
