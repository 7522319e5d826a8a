import { isUtf8 } from 'node:buffer';

/** A header stands in this part of a file. */
const START_BYTES = 16 * 1024;
const BYTE_ORDER_MARK = '\uFEFF';

export interface TextStart {
  /** A file that is not UTF-8 comes from an older spreadsheet, which writes Windows-1252, a superset of Latin-1. */
  readonly encoding: 'utf-8' | 'windows-1252';
  readonly start: string;
}

/** Returns the encoding of a text file and its first characters, without its byte order mark. */
export function startOfText(bytes: Uint8Array): TextStart {
  const encoding = isUtf8(bytes) ? 'utf-8' : 'windows-1252';
  const decoder = new TextDecoder(encoding, { ignoreBOM: true });
  const start = decoder.decode(bytes.subarray(0, START_BYTES), { stream: true });
  return { encoding, start: start.startsWith(BYTE_ORDER_MARK) ? start.slice(1) : start };
}
