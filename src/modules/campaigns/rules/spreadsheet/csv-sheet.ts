import { MAX_ROWS_TO_HEADER } from './find-header.ts';
import type { SheetCell, SheetRows } from './sheet-row.ts';

const LOOKED_THROUGH = 16 * 1024;
const MAX_CELLS = 200;

/** The first one wins when all tell the same: amounts contain commas, so that a comma tells least. */
const IN_ORDER: readonly string[] = [';', '\t', ','];

/** Returns the delimiter with which one of the first lines has most known headers, or that stands in most of the lines. */
export function delimiterOf(start: string, isHeader: (name: string) => boolean): string {
  const lines = start
    .slice(0, LOOKED_THROUGH)
    .split(/[\r\n]+/, MAX_ROWS_TO_HEADER + 1)
    .filter((line) => line.trim() !== '');
  const isKnown = (cell: string): boolean => isHeader(cell.replaceAll('"', '').trim());
  const scored = IN_ORDER.map((delimiter) => ({
    delimiter,
    known: Math.max(0, ...lines.map((line) => line.split(delimiter, MAX_CELLS).filter(isKnown).length)),
    lines: lines.filter((line) => line.includes(delimiter)).length,
  }));
  return scored.sort((one, other) => other.known - one.known || other.lines - one.lines)[0]!.delimiter;
}

/** A rejected row is written with an apostrophe before a cell that looks like a formula. It is no part of the cell. */
const withoutApostrophe = (cell: string): string => (/^'[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell);

const readCell = (cell: SheetCell): SheetCell => (typeof cell === 'string' ? withoutApostrophe(cell.trim()) : cell);

/** Yields the rows of a CSV as those of a workbook. */
export async function* csvSheet(sheet: SheetRows): SheetRows {
  for await (const batch of sheet) yield batch.map(({ row, cells }) => ({ row, cells: cells.map(readCell) }));
}
