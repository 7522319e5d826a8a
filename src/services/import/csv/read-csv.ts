import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { AppError, type FieldProblem } from '../../../domain/errors.ts';
import { MAX_DEBTS } from '../limits.ts';
import { type DebtElement, elementOf } from './cells.ts';
import { type Columns, columnsOf, delimiterOf, missingColumns } from './columns.ts';
import { decodeText } from './decode.ts';

/** Of one row, in characters: what is longer is no spreadsheet of debts. */
const MAX_ROW = 64 * 1024;

export interface CsvDebts {
  readonly elements: DebtElement[];
  /** Of each element: its row as the spreadsheet counts, the header being row 1. */
  readonly rows: readonly number[];
}

const refuse = (...errors: readonly FieldProblem[]): AppError => new AppError('validation_failed', { errors });

const ofFile = (code: string, message: string): FieldProblem => ({ pointer: '/file', code, message });
/** Pointed at as in the JSON import. */
const ofDebts = (code: string, message: string): FieldProblem => ({ pointer: '/debts', code, message });

function understand(header: readonly string[]): Columns {
  const columns = columnsOf(header);
  const missing = missingColumns(columns);
  if (missing.length === 0) return columns;
  throw refuse(...missing.map((name) => ofFile('required', `The column "${name}" is missing`)));
}

const isBlank = (cells: readonly string[]): boolean => cells.every((cell) => cell.trim() === '');

/** The parser's own message may quote the file. */
const unreadable = (error: CsvError): AppError =>
  error.code === 'CSV_MAX_RECORD_SIZE'
    ? refuse(ofFile('too_long', `A row has more than ${MAX_ROW} characters`))
    : refuse(ofFile('invalid_format', 'The file is not well-formed CSV: a quote is opened and never closed'));

async function* rowsOf(bytes: Uint8Array): AsyncGenerator<readonly string[]> {
  const chunks = decodeText(bytes);
  const start = (await chunks.next()).value ?? '';
  const text = async function* () {
    yield start;
    yield* chunks;
  };
  // A row may be blank, ragged, or hold a quote in the middle of a cell: each still counts as one.
  const parser = parse({
    delimiter: delimiterOf(start),
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_quotes: true,
    relax_column_count: true,
    max_record_size: MAX_ROW,
  });
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

export async function readCsv(bytes: Uint8Array): Promise<CsvDebts> {
  const elements: DebtElement[] = [];
  const rows: number[] = [];
  let columns: Columns | undefined;
  let row = 0;
  for await (const cells of rowsOf(bytes)) {
    row += 1;
    if (isBlank(cells)) continue;
    if (columns === undefined) {
      columns = understand(cells);
      continue;
    }
    if (elements.length === MAX_DEBTS)
      throw refuse(ofDebts('too_long', `At most ${MAX_DEBTS} debts are taken in one call`));
    elements.push(elementOf(cells, columns));
    rows.push(row);
  }
  if (elements.length === 0) throw refuse(ofDebts('too_short', 'At least one debt is expected below a header'));
  return { elements, rows };
}
