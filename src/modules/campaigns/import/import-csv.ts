import type { FieldProblem } from '../../../kernel/errors.ts';
import { MAX_COLUMNS } from '../rules/spreadsheet/header-names.ts';
import type { SheetRows } from '../rules/spreadsheet/sheet-row.ts';
import { type Batch, checkDebts } from './check-debts.ts';
import { CSV_CELLS, elementOf } from './csv/cells.ts';
import { type Columns, columnsOf, delimiterOf, missingColumns } from './csv/columns.ts';
import type { ImportDebts, ImportResult, ImportTarget } from './import-debts.ts';
import { refuse } from './import-problem.ts';
import { MAX_DEBTS } from './limits.ts';
import { openCsv, type Spreadsheets } from './open-spreadsheet.ts';

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

/** Yields batches of elements in the form of the JSON import. */
export async function* readCsv(sheet: SheetRows): AsyncGenerator<Batch> {
  let columns: Columns | undefined;
  let count = 0;
  for await (const batch of sheet) {
    const rows = batch.map(({ row, cells }) => ({ row, cells: cells as readonly string[] }));
    columns ??= requireColumns(rows.shift()?.cells ?? []);
    const imported = columns;
    count += rows.length;
    if (count > MAX_DEBTS) throw refuse(ofDebts('too_long', `At most ${MAX_DEBTS} debts are taken in one call`));
    yield {
      elements: rows.map(({ cells }) => elementOf(cells, imported, CSV_CELLS)),
      rows: rows.map(({ row }) => row),
    };
  }
  if (count === 0) throw refuse(ofDebts('too_short', 'At least one debt is expected below a header'));
}

export const importCsv =
  (run: ImportDebts, reader: Spreadsheets) =>
  ({ bytes, ...target }: ImportTarget & { readonly bytes: Uint8Array }): Promise<ImportResult> =>
    run(target, async (now) => {
      const { rows } = await openCsv(reader, { clientId: target.clientId, bytes }, delimiterOf);
      return checkDebts(readCsv(rows), now);
    });
