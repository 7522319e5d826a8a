import { cellText } from './cell-text.ts';
import type { SheetRow } from './sheet-row.ts';

/** Title, blank and group rows above the header are looked through up to this number of filled rows. */
export const MAX_ROWS_TO_HEADER = 20;

const filled = ({ cells }: SheetRow): number => cells.filter((cell) => cellText(cell) !== '').length;

/**
 * Returns the position of the header among the first filled rows: the row with most known names. Titles stand above it.
 * Without any known name it is the first row with two filled cells, because a title has one.
 */
export function findHeader(rows: readonly SheetRow[], scoreOf: (row: SheetRow) => number): number {
  const scores = rows.map(scoreOf);
  const best = Math.max(0, ...scores);
  if (best > 0) return scores.indexOf(best);
  return Math.max(
    0,
    rows.findIndex((row) => filled(row) > 1),
  );
}
