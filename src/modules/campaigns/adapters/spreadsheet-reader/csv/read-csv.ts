import { Readable } from 'node:stream';
import { CsvError, type Parser, parse } from 'csv-parse';
import { type SheetFormat, type SheetLimits, SpreadsheetError } from '../../../ports/spreadsheet-reader.ts';
import { createRowEncoder, MAX_ROW, tooLong } from '../encode-rows.ts';

const CHUNK_BYTES = 64 * 1024;
const BYTE_ORDER_MARK = '\uFEFF';

/** The parser's own message is replaced, because it may quote personal data from the file. */
const unreadable = (error: CsvError): SpreadsheetError =>
  error.code === 'CSV_MAX_RECORD_SIZE'
    ? tooLong(`A row has more than ${MAX_ROW} characters`)
    : new SpreadsheetError('invalid_format', 'The file is not well-formed CSV: a quote is opened and never closed');

/**
 * For each row whose length differs from the first one, the parser creates an error with a copy of the row and a stack,
 * which `relax_column_count` then discards: that takes a second for a file of 40 kB. The parser compares lengths only
 * after it has counted a row, so its counter is fixed at 0.
 */
function disableRowCount(parser: Parser): void {
  Object.defineProperty(parser.info, 'records', { get: () => 0, set: () => undefined });
}

/** Yields the text of a file in chunks, without its byte order mark. */
function* textOf(bytes: Uint8Array, encoding: string): Generator<string> {
  const decoder = new TextDecoder(encoding, { ignoreBOM: true });
  for (let from = 0; from < bytes.length; from += CHUNK_BYTES) {
    const text = decoder.decode(bytes.subarray(from, from + CHUNK_BYTES), { stream: true });
    yield from === 0 && text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
  }
}

/** Yields the cells of each row as they are, blank rows too. */
async function* csvRows(
  bytes: Uint8Array,
  { encoding, delimiter }: Extract<SheetFormat, { kind: 'csv' }>,
): AsyncGenerator<readonly string[]> {
  // A row may be blank, have too few or too many cells, or contain a quote within a cell. It still counts as one row.
  const parser = parse({
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_quotes: true,
    relax_column_count: true,
    max_record_size: MAX_ROW,
  });
  disableRowCount(parser);
  const source = Readable.from(textOf(bytes, encoding));
  source.once('error', (error) => parser.destroy(error));
  try {
    yield* source.pipe(parser) as AsyncIterable<readonly string[]>;
  } catch (error) {
    throw error instanceof CsvError ? unreadable(error) : error;
  } finally {
    source.destroy();
  }
}

/** The most rows with the blank ones, which take time too. */
const MAX_LINES = 100_000;

/**
 * Reads the filled rows up to the limit. They count as the spreadsheet counts them, the blank ones too. What stands
 * behind the last row that the caller takes is not read.
 */
export async function readCsv(
  bytes: Uint8Array,
  format: Extract<SheetFormat, { kind: 'csv' }>,
  limits: SheetLimits,
): Promise<readonly Uint8Array[]> {
  const encoder = createRowEncoder(limits);
  let row = 0;
  let left = limits.maxRows;
  for await (const cells of csvRows(bytes, format)) {
    row += 1;
    if (row > MAX_LINES) throw tooLong(`A file may have at most ${MAX_LINES} rows, the blank ones too`);
    const filled = cells.slice(0, cells.findLastIndex((cell) => cell.trim() !== '') + 1);
    if (filled.length === 0) continue;
    encoder.add({ row, cells: filled });
    left -= 1;
    if (left === 0) break;
  }
  return encoder.finish();
}
