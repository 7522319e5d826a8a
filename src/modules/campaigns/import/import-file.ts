import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Workbook } from '../ports/spreadsheet-reader.ts';
import { csvSheet, delimiterOf } from '../rules/spreadsheet/csv-sheet.ts';
import type { CheckedDebt } from './check-debt.ts';
import { BATCH_ELEMENTS, type Batch, type CheckedDebts, checkDebts } from './check-debts.ts';
import { elementOf } from './csv/cells.ts';
import { type ColumnField, missingColumns } from './csv/columns.ts';
import { cellOfProblem, type ProblemCell } from './file/cell-of-problem.ts';
import { type GivenColumns, parseColumns } from './file/given-columns.ts';
import { guessField } from './file/guess-field.ts';
import { SHEET_CELLS } from './file/read-cell.ts';
import { readTable, type Table, type TableColumn } from './file/read-table.ts';
import { parseChanges } from './file/row-changes.ts';
import { type RowWarnings, warningsOf } from './file/row-warnings.ts';
import type { ImportDebts, ImportResult, ImportTarget } from './import-debts.ts';
import { type ImportProblem, refuse } from './import-problem.ts';
import { kindOfFile, openCsv, openWorkbook, type Spreadsheets, unknownSheet } from './open-spreadsheet.ts';

export interface FileImport extends ImportTarget {
  readonly bytes: Uint8Array;
  /** The mapping as JSON text. */
  readonly columns: string | undefined;
  readonly sheet: string | undefined;
  /** The corrected cells and the rows to leave out, as JSON text. */
  readonly changes: string | undefined;
  /** Refuses a check too when a required column is missing, because the answer cannot name it. */
  readonly needsColumns: boolean;
}

export interface FileProblem extends ImportProblem, ProblemCell {}

export interface FileImportResult extends ImportResult, RowWarnings {
  readonly errors: readonly FileProblem[];
  readonly columns: readonly TableColumn[];
  /** The names of the sheets that are not hidden; empty for a CSV. */
  readonly sheets: readonly string[];
  /** The rows below the header, without those that are ignored or left out. */
  readonly rows: number;
  /** The centavos of the debts that are imported. */
  readonly amountCentavos: number;
  /** The fields without a column. Only a check may have any. */
  readonly missing: readonly ColumnField[];
  readonly table: Table;
}

export type ImportFile = (request: FileImport) => Promise<FileImportResult>;

async function openFile(
  reader: Spreadsheets,
  { bytes, sheet, clientId }: Pick<FileImport, 'bytes' | 'sheet' | 'clientId'>,
  given: GivenColumns,
): Promise<Workbook> {
  const wanted = sheet === undefined || sheet.trim() === '' ? null : sheet;
  if (kindOfFile(bytes) === 'xlsx') return openWorkbook(reader, { clientId, bytes }, wanted);
  if (wanted !== null) throw unknownSheet();
  const { sheets, rows } = await openCsv(reader, { clientId, bytes }, (start) =>
    delimiterOf(start, (name) => given.has(name) || guessField(name) !== null),
  );
  return { sheets, rows: csvSheet(rows) };
}

async function* elementsOf({ rows, imported }: Table): AsyncGenerator<Batch> {
  for (let from = 0; from < rows.length; from += BATCH_ELEMENTS) {
    const batch = rows.slice(from, from + BATCH_ELEMENTS);
    yield {
      elements: batch.map(({ cells }) => elementOf(cells, imported, SHEET_CELLS)),
      rows: batch.map(({ row }) => row),
    };
    await yieldToEventLoop();
  }
}

/** Returns the debts that are imported. */
const newDebts = (debts: readonly CheckedDebt[], errors: readonly ImportProblem[]): CheckedDebt[] => {
  const skipped = new Set(errors.map(({ index }) => index));
  return debts.filter(({ index }) => !skipped.has(index));
};

const PROBLEMS_AT_ONCE = 500;

async function addCells(table: Table, problems: readonly ImportProblem[]): Promise<FileProblem[]> {
  const errors: FileProblem[] = [];
  for (const problem of problems) {
    errors.push({ ...problem, ...cellOfProblem(table, problem) });
    if (errors.length % PROBLEMS_AT_ONCE === 0) await yieldToEventLoop();
  }
  return errors;
}

const requireColumns = (missing: readonly ColumnField[]): void => {
  if (missing.length === 0) return;
  const message = (field: ColumnField) => `No column holds ${field}`;
  throw refuse(...missing.map((field) => ({ pointer: '/columns', code: 'required', message: message(field) })));
};

/** Imports a CSV or a workbook whose columns are given or guessed. */
export const importFile =
  (run: ImportDebts, reader: Spreadsheets): ImportFile =>
  async ({ bytes, columns, sheet, changes, needsColumns, ...target }) => {
    const given = parseColumns(columns);
    const changed = parseChanges(changes);
    const workbook = await openFile(reader, { bytes, sheet, clientId: target.clientId }, given);
    const table = await readTable(workbook.rows, given, changed);
    const missing = missingColumns(table.imported).map(({ field }) => field);
    if (!target.checkOnly || needsColumns) requireColumns(missing);

    let checked: CheckedDebts = { sent: table.rows.length, debts: [], problems: [], rows: [] };
    const result = await run(target, async (now) => {
      if (missing.length === 0) checked = await checkDebts(elementsOf(table), now);
      return checked;
    });
    const debts = newDebts(checked.debts, result.errors);
    return {
      ...result,
      ...(await warningsOf(table, debts)),
      errors: await addCells(table, result.errors),
      columns: table.columns,
      sheets: workbook.sheets,
      rows: table.rows.length,
      amountCentavos: debts.reduce((sum, { originalAmountCentavos }) => sum + originalAmountCentavos, 0),
      missing,
      table,
    };
  };
