import { isUtf8 } from 'node:buffer';

const LINE_FEED = 0x0a;
/** Line ends, blanks and the mark with which old programs end a file. */
const isEnd = (byte: number | undefined): boolean =>
  byte === LINE_FEED || byte === 0x0d || byte === 0x20 || byte === 0x1a;

const BYTE_ORDER_MARK = Buffer.from('\uFEFF');

/** Returns the bytes without a byte order mark. */
export function withoutMark(bytes: Uint8Array): Buffer {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return buffer.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)
    ? buffer.subarray(BYTE_ORDER_MARK.length)
    : buffer;
}

/** Yields the lines up to the last one that is not blank. Positions count characters, so each line is decoded first. */
export function* linesOf(bytes: Buffer): Generator<string> {
  const encoding = isUtf8(bytes) ? 'utf8' : 'latin1';
  let end = bytes.length;
  // The blanks of the last line belong to it.
  for (let at = end; at > 0 && isEnd(bytes[at - 1]); at -= 1) if (bytes[at - 1] !== 0x20) end = at - 1;
  for (let from = 0; from < end; ) {
    const found = bytes.indexOf(LINE_FEED, from);
    const to = found === -1 || found > end ? end : found;
    const line = bytes.toString(encoding, from, to);
    yield line.endsWith('\r') ? line.slice(0, -1) : line;
    from = to + 1;
  }
}
