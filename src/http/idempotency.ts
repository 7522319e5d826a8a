import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { FieldProblem } from '../domain/errors.ts';
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

/** Digests bytes outside of the event loop; JSON is small. */
async function digestOf(content: unknown): Promise<string> {
  if (!(content instanceof Uint8Array)) return hash('sha256', canonical(content), 'base64url');
  return Buffer.from(await crypto.subtle.digest('SHA-256', content as Uint8Array<ArrayBuffer>)).toString('base64url');
}

/**
 * Writes JSON with the members of each object in one order. It is synchronous, because a promise for each value takes
 * half a second for 256 KiB. The recursion is safe because input nests at most 32 levels.
 */
function canonical(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`;
}

/** What the caller sent, before it was checked: a checked value may depend on the moment of the call. */
export interface SentRequest {
  readonly params: unknown;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: ReadBody['sent'];
  /** The type of the answer that the caller prefers, when it is not JSON. */
  readonly accepted?: string | undefined;
}

/**
 * Digests what the caller sent: the bytes of files and imports, and JSON by its values. The order of members and the
 * boundary of a multipart body make no difference.
 */
export async function requestHash({ params, query, body, accepted }: SentRequest): Promise<string> {
  const parts = [...body].map(async ([name, content]) => [name, await digestOf(content)]);
  const sorted = Object.entries(query).sort(([one], [other]) => (one < other ? -1 : 1));
  return hash('sha256', JSON.stringify([params, sorted, await Promise.all(parts), accepted]), 'base64url');
}
