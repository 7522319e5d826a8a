import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { cellText } from '../../rules/spreadsheet/cell-text.ts';
import type { SheetCell, SheetRow } from '../../rules/spreadsheet/sheet-row.ts';
import { isTitleOrTotal, type KnownColumns } from '../../rules/spreadsheet/title-rows.ts';
import { cut } from './read-cell.ts';
import { changedRow, type RowChanges } from './row-changes.ts';

/** How many cells are looked at before the event loop gets its turn: about 10 ms of the slowest ones. */
export const CELLS_AT_ONCE = 5_000;
const SAMPLES = 3;

export interface DebtRows {
  readonly rows: readonly SheetRow[];
  /** The numbers of the rows that are titles or sums. */
  readonly ignored: readonly number[];
  readonly leftOut: number;
  /** Up to three texts of each column. */
  readonly samples: readonly (readonly string[])[];
  /** The first filled cells of each column. */
  readonly values: readonly (readonly SheetCell[])[];
}

export interface RowChoice {
  readonly changes: RowChanges;
  readonly positions: ReadonlyMap<string, number>;
  readonly known: KnownColumns;
  /** The most `values` of a column. */
  readonly values: number;
}

/** Applies the changes and leaves titles and sums out. A row that the caller changed is a debt, whatever it looks like. */
export async function debtRows(
  all: readonly SheetRow[],
  { changes, positions, known, values: mostValues }: RowChoice,
): Promise<DebtRows> {
  const rows: SheetRow[] = [];
  const ignored: number[] = [];
  const samples: string[][] = [];
  const values: SheetCell[][] = [];
  let leftOut = 0;
  const collect = (cells: readonly SheetCell[]): void => {
    for (const [at, cell] of cells.entries()) {
      values[at] ??= [];
      samples[at] ??= [];
      if (values[at].length >= mostValues) continue;
      const text = cut(cellText(cell));
      if (text === '') continue;
      values[at].push(typeof cell === 'string' ? text : cell);
      if (samples[at].length < SAMPLES) samples[at].push(text);
    }
  };
  const take = (row: SheetRow): void => {
    rows.push(row);
    collect(row.cells);
  };
  let looked = 0;
  for (const row of all) {
    looked += row.cells.length;
    if (looked >= CELLS_AT_ONCE) {
      looked = 0;
      await yieldToEventLoop();
    }
    const change = changes.get(row.row);
    if (change === null) leftOut += 1;
    else if (change !== undefined) take(changedRow(row, change, positions));
    else if (isTitleOrTotal(row.cells, known)) ignored.push(row.row);
    else take(row);
  }
  return { rows, ignored, leftOut, samples, values };
}
