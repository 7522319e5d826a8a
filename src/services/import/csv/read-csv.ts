import { AppError, type FieldProblem } from '../../../domain/errors.ts';
import { BATCH_ELEMENTS, type Batch } from '../batch.ts';
import { MAX_DEBTS } from '../limits.ts';
import { CSV_CELLS, type DebtElement, elementOf } from './cells.ts';
import { type Columns, columnsOf, delimiterOf, MAX_COLUMNS, missingColumns } from './columns.ts';
import { csvRows } from './csv-rows.ts';

const refuse = (...errors: readonly FieldProblem[]): AppError => new AppError('validation_failed', { errors });

const ofFile = (code: string, message: string): FieldProblem => ({ pointer: '/file', code, message });
/** Uses the pointer of the JSON import. */
const ofDebts = (code: string, message: string): FieldProblem => ({ pointer: '/debts', code, message });

function requireColumns(header: readonly string[]): Columns {
  if (header.length > MAX_COLUMNS) throw refuse(ofFile('too_long', `A file may have at most ${MAX_COLUMNS} columns`));
  const columns = columnsOf(header);
  const missing = missingColumns(columns);
  if (missing.length === 0) return columns;
  throw refuse(...missing.map(({ name }) => ofFile('required', `The column "${name}" is missing`)));
}

const isBlank = (cells: readonly string[]): boolean => cells.every((cell) => cell.trim() === '');

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
  for await (const cells of csvRows(bytes, delimiterOf)) {
    row += 1;
    if (isBlank(cells)) continue;
    if (columns === undefined) {
      columns = requireColumns(cells);
      continue;
    }
    if (count === MAX_DEBTS) throw refuse(ofDebts('too_long', `At most ${MAX_DEBTS} debts are taken in one call`));
    count += 1;
    elements.push(elementOf(cells, columns, CSV_CELLS));
    rows.push(row);
    if (elements.length < BATCH_ELEMENTS) continue;
    yield { elements, rows };
    elements = [];
    rows = [];
  }
  if (count === 0) throw refuse(ofDebts('too_short', 'At least one debt is expected below a header'));
  yield { elements, rows };
}
