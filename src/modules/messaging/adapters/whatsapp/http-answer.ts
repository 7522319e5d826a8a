import { isTimeout, networkCodeOf } from '../../../../platform/network/network-code.ts';

const MAX_WAIT_SECONDS = 24 * 3_600;
/** No connection was established, so the other side has received nothing. */
const NEVER_SENT = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'];

/** Reads a body of at most `maxBytes`. Returns null when it is longer, and ends the transfer then. */
export async function readAtMost(response: Response, maxBytes: number): Promise<Buffer | null> {
  if (Number(response.headers.get('content-length') ?? 0) > maxBytes) {
    await response.body?.cancel();
    return null;
  }
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.byteLength;
    // Leaving the loop cancels the stream.
    if (size > maxBytes) return null;
    parts.push(part);
  }
  return Buffer.concat(parts, size);
}

/** Reads seconds or an HTTP date; a very long wait is limited, and an unreadable value is ignored. */
export function retryAfterSeconds(header: string | null, nowMs: number): number | undefined {
  const text = header?.trim() ?? '';
  if (text === '') return undefined;
  const seconds = /^\d+$/.test(text) ? Number(text) : Math.ceil((Date.parse(text) - nowMs) / 1_000);
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 0), MAX_WAIT_SECONDS);
}

/**
 * Reads `X-Business-Use-Case-Usage`, by which the Graph API says in how many minutes an account that has made too many
 * calls may call again.
 */
export function regainAccessSeconds(header: string | null): number | undefined {
  if (header === null || header.length > 10_000) return undefined;
  let minutes = 0;
  try {
    const usage: unknown = JSON.parse(header, (key, value: unknown) => {
      if (key === 'estimated_time_to_regain_access' && typeof value === 'number') minutes = Math.max(minutes, value);
      return value;
    });
    if (usage === null) return undefined;
  } catch {
    return undefined;
  }
  return minutes > 0 ? Math.min(Math.ceil(minutes * 60), MAX_WAIT_SECONDS) : undefined;
}

export interface NetworkFailure {
  readonly neverSent: boolean;
  readonly summary: string;
}

export function networkFailure(error: unknown): NetworkFailure {
  const code = networkCodeOf(error) ?? '';
  if (isTimeout(error)) return { neverSent: false, summary: 'was not answered in time' };
  return { neverSent: NEVER_SENT.includes(code), summary: `did not reach WhatsApp${code && ` (${code})`}` };
}
