import { setImmediate as afterOthers } from 'node:timers/promises';
import { MAX_JSON_DEPTH } from '../../../../kernel/json-limits.ts';

const MAX_NAMES = 100;
/** A thousand updates have about a tenth of these. More would keep the parser busy for longer than 50 ms. */
const MAX_VALUES = 200_000;
/** Where Meta names an account or a phone: in an entry, and one level below the value of a change. */
const NAMES: ReadonlyMap<number, readonly string[]> = new Map([
  [3, ['id']],
  [7, ['phone_number_id', 'waba_id']],
]);
/** The process does other work after these bytes. */
const SCANNED_AT_ONCE = 256 * 1024;
/** Longer than a name with its member and some blanks. */
const LOOKED_AT = 100;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;

export interface ScannedBody {
  /** The accounts and phones that the body names. It may name more than it has events of. */
  readonly names: readonly string[];
}

/** Returns null for a body that is nested too deeply or has too many values to be one of Meta's. */
export function scanBody(body: Uint8Array): ScannedBody | null {
  const scan = scanInPieces(body);
  for (;;) {
    const { done, value } = scan.next();
    if (done === true) return value;
  }
}

/** Scans a body that anybody may have sent, and lets the process do other work meanwhile. */
export async function scanUnsignedBody(body: Uint8Array): Promise<ScannedBody | null> {
  const scan = scanInPieces(body);
  for (;;) {
    const { done, value } = scan.next();
    if (done === true) return value;
    await afterOthers();
  }
}

/** Goes through the body once and parses nothing of it. */
function* scanInPieces(body: Uint8Array): Generator<undefined, ScannedBody | null> {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const names = new Set<string>();
  let depth = 0;
  let values = 0;
  let pauseAt = SCANNED_AT_ONCE;
  for (let at = 0; at < bytes.length; at++) {
    if (at >= pauseAt) {
      pauseAt = at + SCANNED_AT_ONCE;
      yield;
    }
    const byte = bytes[at];
    if (byte === QUOTE) {
      const end = endOfText(bytes, at);
      const members = NAMES.get(depth);
      const member = members?.find(({ length }) => length === end - at - 1);
      if (member !== undefined && names.size < MAX_NAMES) {
        const text = bytes.toString('latin1', at + 1, end + LOOKED_AT);
        const name = text.startsWith(member) ? /^"\s*:\s*"(\d{1,32})"/.exec(text.slice(member.length))?.[1] : undefined;
        if (name !== undefined) names.add(name);
      }
      at = end;
    } else if (byte === 0x5b || byte === 0x7b) {
      depth += 1;
      values += 1;
    } else if (byte === 0x5d || byte === 0x7d) {
      depth -= 1;
    } else if (byte === COMMA) {
      values += 1;
    }
    if (depth > MAX_JSON_DEPTH || values > MAX_VALUES) return null;
  }
  return { names: [...names] };
}

/** Returns the position of the closing quotation mark, or the length of the body. */
function endOfText(bytes: Buffer, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return Math.min(at, bytes.length);
}
