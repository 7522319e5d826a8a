import type { Element, Sheet, TextStyle } from './sheet.ts';

export const ROW_PADDING = 3;
export const COLUMN_GAP = 6;

export interface Column {
  readonly x: number;
  readonly width: number;
  readonly align: 'left' | 'right';
}

/** Lays columns beside each other. The first has names, and the others figures of one line. */
export function columnsOf(left: number, widths: readonly number[]): Column[] {
  let x = left;
  return widths.map((width, at) => {
    const gap = at === 0 ? 0 : COLUMN_GAP;
    const column: Column = { x: x + gap, width: width - gap, align: at === 0 ? 'left' : 'right' };
    x += width;
    return column;
  });
}

interface CellLook {
  readonly tag: 'TH' | 'TD';
  readonly y: number;
  readonly style: TextStyle;
}

/** Writes the cells of one row beside each other and returns the y below the highest. */
export function writeCells(
  sheet: Sheet,
  row: Element,
  columns: readonly Column[],
  texts: readonly string[],
  look: CellLook,
): number {
  return texts.reduce((lowest, text, at) => {
    const { x, width, align } = columns[at]!;
    let below = look.y;
    const fill = (cell: Element): void => {
      if (text !== '') below = sheet.text(cell, 'P', text, { x, y: look.y, width }, { ...look.style, align });
    };
    sheet.group(row, look.tag, fill, look.tag === 'TH' ? { scope: 'Column' } : {});
    return Math.max(lowest, below);
  }, look.y);
}

/** Returns the height of such a row without its padding. */
export const measureCells = (
  sheet: Sheet,
  columns: readonly Column[],
  texts: readonly string[],
  look: TextStyle,
): number => Math.max(...texts.map((text, at) => (text === '' ? 0 : sheet.heightOf(text, columns[at]!.width, look))));
