/** What the person corrected on the page. Everything is sent along with the file; nothing of it is stored. */
export interface Edits {
  /** The new texts of a row by the headers of its columns. */
  readonly cells: ReadonlyMap<number, ReadonlyMap<string, string>>;
  readonly leftOut: ReadonlySet<number>;
}

export const NO_EDITS: Edits = { cells: new Map(), leftOut: new Set() };
/** The server takes no more rows. */
export const MAX_ROWS = 1_000;
/** The server takes no longer cell. */
export const MAX_CELL_LENGTH = 500;
/** The server sends no more characters of a cell, so that a longer one cannot be corrected here. */
export const MAX_SHOWN_LENGTH = 100;

export interface EditedCell {
  readonly row: number;
  readonly header: string;
  /** The cell as the last check showed it. */
  readonly value: string | null;
}

const rowsOf = ({ cells, leftOut }: Edits): ReadonlySet<number> => new Set([...cells.keys(), ...leftOut]);
export const isFull = (edits: Edits): boolean => rowsOf(edits).size >= MAX_ROWS;

/** Takes a new text for a cell. The text that was checked last is no change since then. */
export function editCell(edits: Edits, checked: Edits, { row, header, value }: EditedCell, text: string): Edits {
  const isBack = text === (value ?? '');
  const before = checked.cells.get(row)?.get(header);
  const next = isBack ? before : text;
  const ofRow = new Map(edits.cells.get(row));
  if (next === undefined) ofRow.delete(header);
  else ofRow.set(header, next);
  const cells = new Map(edits.cells);
  if (ofRow.size === 0) cells.delete(row);
  else cells.set(row, ofRow);
  return { ...edits, cells };
}

export function leaveOut(edits: Edits, row: number, isOut: boolean): Edits {
  const leftOut = new Set(edits.leftOut);
  if (isOut) leftOut.add(row);
  else leftOut.delete(row);
  return { ...edits, leftOut };
}

export const countCells = ({ cells }: Edits): number => [...cells.values()].reduce((sum, { size }) => sum + size, 0);

/** Writes the edits as the server takes them: null leaves a row out. */
export function changesOf({ cells, leftOut }: Edits): string | null {
  const rows: Record<string, Readonly<Record<string, string>> | null> = {};
  for (const [row, ofRow] of cells) rows[row] = Object.fromEntries(ofRow);
  for (const row of leftOut) rows[row] = null;
  return Object.keys(rows).length === 0 ? null : JSON.stringify(rows);
}

/** Whether both would be sent alike. */
export const isSameEdits = (one: Edits, other: Edits): boolean => changesOf(one) === changesOf(other);
