import { Readable } from 'node:stream';
import { CsvError, type Parser, parse } from 'csv-parse';
import { AppError, type FieldProblem } from '../../../domain/errors.ts';
import { BATCH_ELEMENTS, type Batch } from '../batch.ts';
import { MAX_DEBTS } from '../limits.ts';
import { type DebtElement, elementOf } from './cells.ts';
import { type Columns, columnsOf, delimiterOf, MAX_COLUMNS, missingColumns } from './columns.ts';
import { decodeText } from './decode.ts';

/** The largest length of a row in characters. No spreadsheet of debts has a longer one. */
const MAX_ROW = 64 * 1024;

const refuse = (...errors: readonly FieldProblem[]): AppError => new AppError('validation_failed', { errors });

const ofFile = (code: string, message: string): FieldProblem => ({ pointer: '/file', code, message });
/** Uses the pointer of the JSON import. */
const ofDebts = (code: string, message: string): FieldProblem => ({ pointer: '/debts', code, message });

function requireColumns(header: readonly string[]): Columns {
  if (header.length > MAX_COLUMNS) throw refuse(ofFile('too_long', `A file may have at most ${MAX_COLUMNS} columns`));
  const columns = columnsOf(header);
  const missing = missingColumns(columns);
  if (missing.length === 0) return columns;
  throw refuse(...missing.map((name) => ofFile('required', `The column "${name}" is missing`)));
}

const isBlank = (cells: readonly string[]): boolean => cells.every((cell) => cell.trim() === '');

/** The parser's own message is replaced, because it may quote personal data from the file. */
const unreadable = (error: CsvError): AppError =>
  error.code === 'CSV_MAX_RECORD_SIZE'
    ? refuse(ofFile('too_long', `A row has more than ${MAX_ROW} characters`))
    : refuse(ofFile('invalid_format', 'The file is not well-formed CSV: a quote is opened and never closed'));

/**
 * For each row whose length differs from the first one, the parser creates an error with a copy of the row and a stack,
 * which `relax_column_count` then discards: that takes a second for a file of 40 kB. The parser compares lengths only
 * after it has counted a row, so its counter is fixed at 0.
 */
function disableRowCount(parser: Parser): void {
  Object.defineProperty(parser.info, 'records', { get: () => 0, set: () => undefined });
}

async function* rowsOf(bytes: Uint8Array): AsyncGenerator<readonly string[]> {
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

/**
 * Yields batches of elements in the form of the JSON import. Problems of the file are thrown while it is read, so the
 * caller must store nothing before the end.
 */
export async function* readCsv(bytes: Uint8Array): AsyncGenerator<Batch> {
  let elements: DebtElement[] = [];
  let rows: number[] = [];
  let columns: Columns | undefined;
  let row = 0;
  let count = 0;
  for await (const cells of rowsOf(bytes)) {
    row += 1;
    if (isBlank(cells)) continue;
    if (columns === undefined) {
      columns = requireColumns(cells);
      continue;
    }
    if (count === MAX_DEBTS) throw refuse(ofDebts('too_long', `At most ${MAX_DEBTS} debts are taken in one call`));
    count += 1;
    elements.push(elementOf(cells, columns));
    rows.push(row);
    if (elements.length < BATCH_ELEMENTS) continue;
    yield { elements, rows };
    elements = [];
    rows = [];
  }
  if (count === 0) throw refuse(ofDebts('too_short', 'At least one debt is expected below a header'));
  yield { elements, rows };
}
