import type { SheetRow, SheetRows } from '../../../ports/spreadsheet-reader.ts';
import { BATCH_ELEMENTS } from '../batch.ts';
import { DELIMITERS } from '../csv/columns.ts';
import { csvRows } from '../csv/csv-rows.ts';
import { MAX_ROWS_TO_HEADER } from '../limits.ts';
import type { GivenColumns } from './given-columns.ts';
import { guessField } from './guess-field.ts';

const LOOKED_THROUGH = 16 * 1024;
const MOST_CELLS = 200;

/** The first one wins when all tell the same: amounts contain commas, so that a comma tells least. */
const IN_ORDER: readonly string[] = [';', '\t', ...DELIMITERS.filter((delimiter) => delimiter === ',')];

/**
 * Returns the delimiter with which one of the first lines has most known or given headers, or that stands in most of
 * the lines.
 */
export function delimiterOf(start: string, given: GivenColumns): string {
  const lines = start
    .slice(0, LOOKED_THROUGH)
    .split(/[\r\n]+/, MAX_ROWS_TO_HEADER + 1)
    .filter((line) => line.trim() !== '');
  const isKnown = (cell: string): boolean => {
    const header = cell.replaceAll('"', '').trim();
    return given.has(header) || guessField(header) !== null;
  };
  const scored = IN_ORDER.map((delimiter) => ({
    delimiter,
    known: Math.max(0, ...lines.map((line) => line.split(delimiter, MOST_CELLS).filter(isKnown).length)),
    lines: lines.filter((line) => line.includes(delimiter)).length,
  }));
  return scored.sort((one, other) => other.known - one.known || other.lines - one.lines)[0]!.delimiter;
}

/** A rejected row is written with an apostrophe before a cell that looks like a formula. It is no part of the cell. */
const withoutApostrophe = (cell: string): string => (/^'[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell);

const filledCells = (cells: readonly string[]): readonly string[] =>
  cells.slice(0, cells.findLastIndex((cell) => cell.trim() !== '') + 1);

/** Yields the filled rows of a CSV. The rows count as the spreadsheet counts them, the blank ones too. */
export async function* csvSheet(bytes: Uint8Array, given: GivenColumns): SheetRows {
  let batch: SheetRow[] = [];
  let row = 0;
  for await (const cells of csvRows(bytes, (start) => delimiterOf(start, given))) {
    row += 1;
    const filled = filledCells(cells).map((cell) => withoutApostrophe(cell.trim()));
    if (filled.length === 0) continue;
    batch.push({ row, cells: filled });
    if (batch.length < BATCH_ELEMENTS) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}
