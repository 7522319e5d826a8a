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

const startsWith = (bytes: Uint8Array, ...start: readonly number[]): boolean =>
  start.every((byte, at) => bytes[at] === byte);

/** No text contains this byte. */
const LOOKED_THROUGH = 4_096;
const isBinary = (bytes: Uint8Array): boolean => bytes.subarray(0, LOOKED_THROUGH).includes(0);
const isMarkup = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.subarray(0, LOOKED_THROUGH)).toString('latin1').replace(/^ï»¿/, '').trimStart().startsWith('<');

/**
 * Tells the kind of a file by its content, never by its name. Some programs call a page of HTML `.xls`, and a workbook
 * with a password is an OLE file as an old `.xls` is.
 */
export function signatureOf(bytes: Uint8Array): 'xlsx' | 'ole' | 'pdf' | 'markup' | 'binary' | 'text' {
  if (startsWith(bytes, 0x50, 0x4b, 0x03, 0x04)) return 'xlsx';
  if (startsWith(bytes, 0xd0, 0xcf, 0x11, 0xe0)) return 'ole';
  if (startsWith(bytes, 0x25, 0x50, 0x44, 0x46)) return 'pdf';
  if (isMarkup(bytes)) return 'markup';
  return isBinary(bytes) ? 'binary' : 'text';
}
