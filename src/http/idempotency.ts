import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { FieldProblem } from '../domain/errors.ts';

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

/** Digests large bodies outside of the event loop. */
const digestOf = async (bytes: Uint8Array): Promise<string> =>
  Buffer.from(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)).toString('base64url');

/** The recursion is safe because input nests at most 32 levels. */
async function digestible(value: unknown): Promise<unknown> {
  if (value instanceof Uint8Array) return digestOf(value);
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return Promise.all(value.map(digestible));
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Promise.all(members.map(async ([name, member]) => [name, await digestible(member)]));
}

/** What the caller sent, before it was checked: a checked value may depend on the moment of the call. */
export interface SentRequest {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  /** The type of the answer that the caller prefers, when it is not JSON. */
  readonly accepted?: string | undefined;
}

/** Digests what the caller sent. The order of members and the boundary of a multipart body make no difference. */
export const requestHash = async (request: SentRequest): Promise<string> =>
  hash('sha256', JSON.stringify(await digestible(request)), 'base64url');
