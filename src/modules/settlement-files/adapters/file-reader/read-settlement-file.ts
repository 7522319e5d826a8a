import { signatureOf } from '../../../../platform/spreadsheets/received-file.ts';
import type { SettlementFileReader } from '../../ports/settlement-file-reader.ts';
import { MAX_SETTLEMENT_BYTES } from '../../rules/limits.ts';
import type { FileColumns, ReadFile } from '../../rules/received-row.ts';
import { readPieces, unreadable } from './batches.ts';
import { linesOf, withoutMark } from './lines.ts';
import { createCnab240Reader } from './read-cnab240.ts';
import { createCnab400Reader } from './read-cnab400.ts';
import { createOfxReader, ofxTags } from './read-ofx.ts';
import { readSheet, type SheetDeps } from './read-sheet.ts';

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
