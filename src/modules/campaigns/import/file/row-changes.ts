import type { SheetRow } from '../../rules/spreadsheet/sheet-row.ts';
import { refuse } from '../import-problem.ts';

export const MAX_CHANGED_ROWS = 1_000;
export const MAX_CHANGE_LENGTH = 500;
const MAX_CELLS = 50;

/** The new cells of a row by their headers; null for a row that is left out. The keys are the rows of the sheet. */
export type RowChanges = ReadonlyMap<number, ReadonlyMap<string, string> | null>;

const problem = (code: string, message: string) => refuse({ pointer: '/changes', code, message });

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message is replaced, because it quotes the text.
    throw problem('invalid_format', 'Well-formed JSON is expected');
  }
}

const isObject = (value: unknown): value is object =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

function parseCells(given: object): ReadonlyMap<string, string> {
  const cells = Object.entries(given);
  if (cells.length > MAX_CELLS) throw problem('too_long', `At most ${MAX_CELLS} cells of a row are taken`);
  for (const [, text] of cells) {
    if (typeof text !== 'string') throw problem('invalid_type', 'The new cell of a column is a text');
    if (text.length > MAX_CHANGE_LENGTH)
      throw problem('too_long', `A cell has at most ${MAX_CHANGE_LENGTH} characters`);
  }
  return new Map(cells as [string, string][]);
}

/** Parses what a caller corrects. Rows and headers are compared with the file later. */
export function parseChanges(text: string | undefined): RowChanges {
  if (text === undefined || text.trim() === '') return new Map();
  const given = parse(text);
  if (!isObject(given)) throw problem('invalid_type', 'An object of rows is expected');
  const entries = Object.entries(given);
  if (entries.length > MAX_CHANGED_ROWS) throw problem('too_long', `At most ${MAX_CHANGED_ROWS} rows are taken`);
  const changes = new Map<number, ReadonlyMap<string, string> | null>();
  for (const [row, cells] of entries) {
    if (!/^[1-9]\d{0,6}$/.test(row)) throw problem('invalid_value', 'A row is a number as the spreadsheet counts it');
    if (cells !== null && !isObject(cells)) {
      throw problem('invalid_type', 'Null or an object of headers and texts is expected for a row');
    }
    changes.set(Number(row), cells === null ? null : parseCells(cells));
  }
  return changes;
}

/** Refuses changes of rows or columns that the sheet does not have, so that none is ignored unseen. */
export function requireChanged(changes: RowChanges, rows: ReadonlySet<number>, headers: ReadonlySet<string>): void {
  const unknownRows = [...changes.keys()].filter((row) => !rows.has(row)).length;
  if (unknownRows > 0) throw problem('unknown_row', `${unknownRows} of the rows do not stand below the header`);
  const named = new Set([...changes.values()].flatMap((cells) => [...(cells?.keys() ?? [])]));
  const unknown = [...named].filter((header) => !headers.has(header)).length;
  if (unknown > 0) throw problem('unknown_header', `${unknown} of the headers do not stand in this sheet`);
}

/** Returns the row with its new cells. */
export function changedRow(
  { row, cells }: SheetRow,
  changes: ReadonlyMap<string, string>,
  positions: ReadonlyMap<string, number>,
): SheetRow {
  const changed = [...cells];
  for (const [header, text] of changes) {
    const at = positions.get(header)!;
    while (changed.length < at) changed.push(null);
    changed[at] = text.trim();
  }
  return { row, cells: changed };
}
