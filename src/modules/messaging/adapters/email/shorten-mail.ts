/** What is read of one mail. The parts behind a long attachment are read too, because the attachment is shortened. */
const MAX_BYTES = 1_000_000;
/** The parser takes time for each line: 20,000 of them took it a quarter of a second. */
const MAX_LINES = 20_000;
/** About 57 kB of an attachment, or of a text in base64. */
const MAX_ENCODED_LINES = 1_000;

const LINE_FEED = 0x0a;
const SHORTEST_ENCODED_LINE = 60;

/**
 * Leaves out the rest of long attachments, and then what exceeds the bounds. A debtor's words may stand behind a picture
 * of several megabytes, while of the picture only its existence is reported.
 */
export function shortenMail(raw: Uint8Array): Uint8Array {
  const kept = new Uint8Array(Math.min(raw.length, MAX_BYTES));
  let length = 0;
  let encoded = 0;
  let start = 0;
  for (let lines = 0; start < raw.length && lines < MAX_LINES; ) {
    const feed = raw.indexOf(LINE_FEED, start);
    const end = feed === -1 ? raw.length : feed + 1;
    encoded = isEncoded(raw, start, end) ? encoded + 1 : 0;
    if (encoded <= MAX_ENCODED_LINES) {
      const line = raw.subarray(start, Math.min(end, start + MAX_BYTES - length));
      kept.set(line, length);
      length += line.length;
      lines += 1;
      if (length === MAX_BYTES) break;
    }
    start = end;
  }
  return kept.subarray(0, length);
}

/** A long line of base64 has neither a space nor another character outside its alphabet. */
function isEncoded(raw: Uint8Array, start: number, end: number): boolean {
  if (end - start < SHORTEST_ENCODED_LINE) return false;
  for (let at = start; at < end; at += 1) if (!ENCODED[raw[at]!]) return false;
  return true;
}

const ENCODED: readonly boolean[] = Array.from({ length: 256 }, (_, code) =>
  /[A-Za-z0-9+/=\r\n]/.test(String.fromCharCode(code)),
);
