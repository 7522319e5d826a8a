import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { cellText } from '../../rules/spreadsheet/cell-text.ts';
import { findHeader, MAX_ROWS_TO_HEADER } from '../../rules/spreadsheet/find-header.ts';
import { headersOf, MAX_COLUMNS } from '../../rules/spreadsheet/header-names.ts';
import type { SheetCell, SheetRow, SheetRows } from '../../rules/spreadsheet/sheet-row.ts';
import type { ColumnField, Columns } from '../csv/columns.ts';
import { refuseFile } from '../import-problem.ts';
import { MAX_DEBTS } from '../limits.ts';
import { fieldOfValues, isUnknown, proposedFields, VALUES_LOOKED_AT } from './column-values.ts';
import { type DebtRows, debtRows } from './debt-rows.ts';
import { type GivenColumns, requireHeaders } from './given-columns.ts';
import { fieldsOf, scoreOfHeader } from './headers.ts';
import { type RowChanges, requireChanged } from './row-changes.ts';

export interface TableColumn {
  readonly header: string;
  readonly field: ColumnField | null;
  /** What the values of a column with an unknown header look like. */
  readonly looksLike: ColumnField | null;
  /** The same, when no other column could be meant. It is no field of the column until the caller gives it. */
  readonly proposed: ColumnField | null;
  readonly samples: readonly string[];
}

export interface Table extends Pick<DebtRows, 'rows' | 'ignored' | 'leftOut'> {
  /** The columns that have a header or a filled cell. */
  readonly columns: readonly TableColumn[];
  /** The position of each of `columns` in a row. */
  readonly positions: readonly number[];
  /** The columns that are imported. */
  readonly imported: Columns;
}

const tooManyRows = () => refuseFile('too_long', `At most ${MAX_DEBTS} rows are taken in one call`);

interface Rows {
  readonly header: readonly SheetCell[];
  readonly rows: readonly SheetRow[];
  readonly width: number;
  /** The positions at which a row has a filled cell. */
  readonly filled: ReadonlySet<number>;
}

/** Collects the rows. Whoever produces the batches yields to the event loop between two of them. */
async function collectRows(batches: SheetRows, given: GivenColumns): Promise<Rows> {
  const first: SheetRow[] = [];
  const rows: SheetRow[] = [];
  const filled = new Set<number>();
  let header: readonly SheetCell[] | undefined;
  let width = 0;
  const addRow = (row: SheetRow): void => {
    if (rows.length === MAX_DEBTS) throw tooManyRows();
    rows.push(row);
    width = Math.max(width, row.cells.length);
    for (const [at, cell] of row.cells.entries()) if (!filled.has(at) && cellText(cell) !== '') filled.add(at);
  };
  const chooseHeader = (): void => {
    const at = findHeader(first, (row) => scoreOfHeader(row, given));
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
  return { header: header ?? [], rows, width, filled };
}

const COLUMNS_AT_ONCE = 5;

/** Looks at the values of the columns whose header is unknown. */
async function looksOf(
  headers: readonly string[],
  positions: readonly number[],
  values: DebtRows['values'],
): Promise<(ColumnField | null)[]> {
  const looks: (ColumnField | null)[] = [];
  for (const [index, header] of headers.entries()) {
    looks.push(isUnknown(header) ? fieldOfValues(values[positions[index]!] ?? []) : null);
    if (index % COLUMNS_AT_ONCE === 0) await yieldToEventLoop();
  }
  return looks;
}

/** Reads the rows of a file, finds its header and decides what each column holds. */
export async function readTable(batches: SheetRows, given: GivenColumns, changes: RowChanges): Promise<Table> {
  const { header, rows: all, width, filled } = await collectRows(batches, given);
  const texts = Array.from({ length: width }, (_, at) => cellText(header[at] ?? null));
  const positions = texts.flatMap((text, at) => (text !== '' || filled.has(at) ? [at] : []));
  const allHeaders = headersOf(header, width);
  const headers = positions.map((at) => allHeaders[at]!);
  requireHeaders(given, new Set(headers));
  if (changes.size > 0) requireChanged(changes, new Set(all.map(({ row }) => row)), new Set(headers));
  const fields = fieldsOf(headers, given);
  const imported = fields.flatMap((field, index) => (field === null ? [] : [{ at: positions[index]!, field }]));
  const placesOf = (wanted: ColumnField) =>
    new Set(imported.filter(({ field }) => field === wanted).map(({ at }) => at));
  const { samples, values, ...debts } = await debtRows(all, {
    changes,
    positions: new Map(headers.map((name, index) => [name, positions[index]!])),
    known: { header: texts, amounts: placesOf('originalAmount'), dueDates: placesOf('dueDate') },
    values: VALUES_LOOKED_AT,
  });
  const looksLike = await looksOf(headers, positions, values);
  const proposed = proposedFields(headers, looksLike, given);
  return {
    ...debts,
    positions,
    imported,
    columns: headers.map((name, index) => ({
      header: name,
      field: fields[index] ?? null,
      looksLike: looksLike[index] ?? null,
      proposed: proposed[index] ?? null,
      samples: samples[positions[index]!] ?? [],
    })),
  };
}
