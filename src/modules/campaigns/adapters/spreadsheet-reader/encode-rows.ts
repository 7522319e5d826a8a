import { type SheetLimits, SpreadsheetError } from '../../ports/spreadsheet-reader.ts';
import type { SheetCell, SheetRow } from '../../rules/spreadsheet/sheet-row.ts';
import { encodeBatch } from './process/messages.ts';

/** The most characters of a row. No spreadsheet of debts has a longer one. */
export const MAX_ROW = 64 * 1024;
/** The most characters of all rows. A workbook stores a repeated text once, so that it may be much smaller. */
const MAX_CHARACTERS = 32 * 1024 * 1024;
/** The most cells of all rows: 50,000 rows of 40 columns. Each takes memory, whatever its length. */
export const MAX_CELLS = 2_000_000;

const BATCH_ROWS = 250;
const BATCH_CHARACTERS = 128 * 1024;

export const tooLong = (message: string): SpreadsheetError => new SpreadsheetError('too_long', message);
export const tooManyCells = (): SpreadsheetError => tooLong(`A sheet may have at most ${MAX_CELLS} cells`);

const lengthOf = (cells: readonly SheetCell[]): number =>
  cells.reduce<number>((sum, cell) => sum + (typeof cell === 'string' ? cell.length : 8), 0);

/** Encodes filled rows in batches and refuses the file when they exceed a limit, because they may be larger than it. */
export function createRowEncoder({ maxRows, maxColumns }: SheetLimits) {
  const batches: Uint8Array[] = [];
  let rows: SheetRow[] = [];
  let [filled, cells, characters, inBatch] = [0, 0, 0, 0];
  const finish = (): void => {
    if (rows.length > 0) batches.push(encodeBatch(rows));
    rows = [];
    inBatch = 0;
  };
  return {
    add(row: SheetRow): void {
      filled += 1;
      cells += row.cells.length;
      const length = lengthOf(row.cells);
      characters += length;
      inBatch += length;
      if (filled > maxRows) throw tooLong(`A sheet may have at most ${maxRows} filled rows`);
      if (row.cells.length > maxColumns) throw tooLong(`A file may have at most ${maxColumns} columns`);
      if (cells > MAX_CELLS) throw tooManyCells();
      if (length > MAX_ROW) throw tooLong(`A row has more than ${MAX_ROW} characters`);
      if (characters > MAX_CHARACTERS) throw tooLong(`A sheet may have at most ${MAX_CHARACTERS} characters`);
      rows.push(row);
      if (rows.length === BATCH_ROWS || inBatch > BATCH_CHARACTERS) finish();
    },
    finish(): readonly Uint8Array[] {
      finish();
      return batches;
    },
  };
}
