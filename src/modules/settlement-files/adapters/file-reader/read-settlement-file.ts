import { isUtf8 } from 'node:buffer';
import { signatureOf } from '../../../../platform/spreadsheets/received-file.ts';
import type { SettlementFileReader } from '../../ports/settlement-file-reader.ts';
import { MAX_SETTLEMENT_BYTES } from '../../rules/limits.ts';
import type { FileColumns, ReadFile } from '../../rules/received-row.ts';
import { readPieces, unreadable } from './batches.ts';
import { createCnab240Reader } from './read-cnab240.ts';
import { createCnab400Reader } from './read-cnab400.ts';
import { createOfxReader, ofxTags } from './read-ofx.ts';
import { readSheet, type SheetDeps } from './read-sheet.ts';

const LINE_FEED = 0x0a;
/** Line ends, blanks and the mark with which old programs end a file. */
const isEnd = (byte: number | undefined): boolean =>
  byte === LINE_FEED || byte === 0x0d || byte === 0x20 || byte === 0x1a;

const BYTE_ORDER_MARK = Buffer.from('\uFEFF');

/** Returns the bytes without a byte order mark. */
function withoutMark(bytes: Uint8Array): Buffer {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return buffer.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)
    ? buffer.subarray(BYTE_ORDER_MARK.length)
    : buffer;
}

/** Yields the lines up to the last one that is not blank. Positions count characters, so each line is decoded first. */
function* linesOf(bytes: Buffer): Generator<string> {
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

const LOOKED_THROUGH = 4_096;
const START_BYTES = 64 * 1024;
/** Old programs end a file with this mark. */
const END_MARK = '\u001A';

type Format = 'xlsx' | 'ofx' | 'cnab240' | 'cnab400' | 'csv';

/** Tells the format by the content, never by the name. Null is a format that is not read. */
function formatOf(bytes: Buffer): Format | null {
  const signature = signatureOf(bytes);
  if (signature === 'xlsx') return 'xlsx';
  const start = bytes.toString('latin1', 0, LOOKED_THROUGH).trimStart();
  if (/^OFXHEADER/i.test(start) || (start.startsWith('<') && /<\??OFX\b/i.test(start))) return 'ofx';
  if (signature !== 'text') return null;
  // A return file or one that is sent to a bank; the reader refuses the second.
  if (/^0[12](?:RETORNO|REMESSA)/i.test(start)) return 'cnab400';
  if (/^\d{3}00000/.test(start) && (start.split(/\r?\n/, 1)[0]?.length ?? 0) > 140) return 'cnab240';
  return 'csv';
}

const isBlank = (bytes: Buffer): boolean =>
  bytes.toString('latin1', 0, START_BYTES).replaceAll(END_MARK, ' ').trim() === '';

/**
 * Reads the payments of a file. Only a `SheetDeps` reader that is not available makes it throw: whatever is wrong with
 * the file is told by a code. `unknown_header` is about `columns`, all other codes about the file.
 */
export async function readSettlementFile(
  deps: SheetDeps,
  { bytes: received, columns }: { readonly bytes: Uint8Array; readonly columns: FileColumns },
): Promise<ReadFile> {
  if (received.length > MAX_SETTLEMENT_BYTES) return unreadable('too_long');
  const bytes = withoutMark(received);
  if (isBlank(bytes)) return unreadable('too_short');
  const format = formatOf(bytes);
  if (format === null) return unreadable('unsupported_format');
  if (format === 'ofx') return readPieces(ofxTags(bytes), createOfxReader());
  if (format === 'cnab240') return readPieces(linesOf(bytes), createCnab240Reader());
  if (format === 'cnab400') return readPieces(linesOf(bytes), createCnab400Reader());
  return readSheet(deps, format, received, columns);
}

export const createSettlementFileReader = (spreadsheets: SheetDeps['spreadsheets']): SettlementFileReader => ({
  read: ({ clientId, bytes, columns }) => readSettlementFile({ spreadsheets, clientId }, { bytes, columns }),
});
