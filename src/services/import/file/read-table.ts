import type { SheetCell, SheetRow, SheetRows } from '../../../ports/spreadsheet-reader.ts';
import { type ColumnField, type Columns, MAX_COLUMNS } from '../csv/columns.ts';
import { MAX_DEBTS, MAX_ROWS_TO_HEADER } from '../limits.ts';
import { refuseFile } from './file-problem.ts';
import { type GivenColumns, requireHeaders } from './given-columns.ts';
import { fieldsOf, findHeader, headersOf } from './headers.ts';
import { cellText } from './read-cell.ts';

const SAMPLES = 3;
export const LONGEST_VALUE = 100;

export interface TableColumn {
  readonly header: string;
  readonly field: ColumnField | null;
  readonly samples: readonly string[];
}

export interface Table {
  /** The columns that have a header or a filled cell. */
  readonly columns: readonly TableColumn[];
  /** The position of each of `columns` in a row. */
  readonly positions: readonly number[];
  /** The columns that are imported. */
  readonly imported: Columns;
  /** The rows below the header. */
  readonly rows: readonly SheetRow[];
}

const isFilled = (cell: SheetCell): boolean => cellText(cell) !== '';

const tooManyRows = () => refuseFile('too_long', `At most ${MAX_DEBTS} rows are taken in one call`);

/** Returns a text that ends between two characters. */
export const cut = (text: string): string => [...text.slice(0, 2 * LONGEST_VALUE)].slice(0, LONGEST_VALUE).join('');

interface Rows {
  readonly header: readonly SheetCell[];
  readonly rows: readonly SheetRow[];
  readonly width: number;
  /** Up to three texts of each column. */
  readonly samples: readonly (readonly string[])[];
}

/** Collects the rows. Whoever produces the batches yields to the event loop between two of them. */
async function collectRows(batches: SheetRows, given: GivenColumns): Promise<Rows> {
  const first: SheetRow[] = [];
  const rows: SheetRow[] = [];
  const samples: string[][] = [];
  let header: readonly SheetCell[] | undefined;
  let width = 0;
  const addRow = (row: SheetRow): void => {
    if (rows.length === MAX_DEBTS) throw tooManyRows();
    rows.push(row);
    width = Math.max(width, row.cells.length);
    for (const [at, cell] of row.cells.entries()) {
      samples[at] ??= [];
      const known = samples[at];
      if (known.length < SAMPLES && isFilled(cell)) known.push(cut(cellText(cell)));
    }
  };
  const chooseHeader = (): void => {
    const at = findHeader(first, given);
    header = first[at]?.cells ?? [];
    width = header.length;
    for (const row of first.slice(at + 1)) addRow(row);
  };
  for await (const batch of batches) {
    for (const row of batch) {
      if (row.cells.length > MAX_COLUMNS) {
        throw refuseFile('too_long', `A file may have at most ${MAX_COLUMNS} columns`);
      }
      if (header !== undefined) addRow(row);
      else if (first.push(row) === MAX_ROWS_TO_HEADER) chooseHeader();
    }
  }
  if (header === undefined) chooseHeader();
  if (rows.length === 0) throw refuseFile('too_short', 'At least one row is expected below a header');
  return { header: header ?? [], rows, width, samples };
}

/** Reads the rows of a file, finds its header and decides what each column holds. */
export async function readTable(batches: SheetRows, given: GivenColumns): Promise<Table> {
  const { header, rows, width, samples } = await collectRows(batches, given);
  const headers = headersOf(header, width);
  const positions = headers.flatMap((_, at) =>
    isFilled(header[at] ?? null) || (samples[at]?.length ?? 0) > 0 ? [at] : [],
  );
  const named = positions.map((at) => headers[at]!);
  requireHeaders(given, new Set(named));
  const fields = fieldsOf(named, given);
  return {
    positions,
    rows,
    columns: named.map((name, index) => ({
      header: name,
      field: fields[index] ?? null,
      samples: samples[positions[index]!] ?? [],
    })),
    imported: fields.flatMap((field, index) => (field === null ? [] : [{ at: positions[index]!, field }])),
  };
}
