import { Readable } from 'node:stream';
import { CsvError, type Parser, parse } from 'csv-parse';
import { AppError, type FieldProblem } from '../../../domain/errors.ts';
import { decodeText } from './decode.ts';

/** The largest length of a row in characters. No spreadsheet of debts has a longer one. */
const MAX_ROW = 64 * 1024;

const refuse = (error: FieldProblem): AppError => new AppError('validation_failed', { errors: [error] });

/** The parser's own message is replaced, because it may quote personal data from the file. */
const unreadable = (error: CsvError): AppError =>
  error.code === 'CSV_MAX_RECORD_SIZE'
    ? refuse({ pointer: '/file', code: 'too_long', message: `A row has more than ${MAX_ROW} characters` })
    : refuse({
        pointer: '/file',
        code: 'invalid_format',
        message: 'The file is not well-formed CSV: a quote is opened and never closed',
      });

/**
 * For each row whose length differs from the first one, the parser creates an error with a copy of the row and a stack,
 * which `relax_column_count` then discards: that takes a second for a file of 40 kB. The parser compares lengths only
 * after it has counted a row, so its counter is fixed at 0.
 */
function disableRowCount(parser: Parser): void {
  Object.defineProperty(parser.info, 'records', { get: () => 0, set: () => undefined });
}

/** Chooses the delimiter by the first characters of a file. */
type DelimiterOf = (start: string) => string;

/** Yields the cells of each row as they are, blank rows too. */
export async function* csvRows(bytes: Uint8Array, delimiterOf: DelimiterOf): AsyncGenerator<readonly string[]> {
  const chunks = decodeText(bytes);
  const start = (await chunks.next()).value ?? '';
  const text = async function* () {
    yield start;
    yield* chunks;
  };
  // A row may be blank, have too few or too many cells, or contain a quote within a cell. It still counts as one row.
  const parser = parse({
    delimiter: delimiterOf(start),
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_quotes: true,
    relax_column_count: true,
    max_record_size: MAX_ROW,
  });
  disableRowCount(parser);
  const source = Readable.from(text());
  source.once('error', (error) => parser.destroy(error));
  try {
    yield* source.pipe(parser) as AsyncIterable<readonly string[]>;
  } catch (error) {
    throw error instanceof CsvError ? unreadable(error) : error;
  } finally {
    source.destroy();
  }
}
