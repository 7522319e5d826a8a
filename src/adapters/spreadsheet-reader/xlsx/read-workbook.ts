import { readSheet } from 'read-excel-file/universal';
import {
  type SheetCell,
  type SheetChoice,
  type SheetRow,
  SpreadsheetError,
} from '../../../ports/spreadsheet-reader.ts';
import { encodeBatch } from '../threads/messages.ts';
import { packArchive, unpackArchive } from './archive.ts';
import { type SheetName, visibleSheets } from './sheet-names.ts';

const MAX_SHEETS = 20;
/** The most characters of a row, as in a CSV. */
const MAX_ROW = 64 * 1024;
/** The most characters of all rows. A workbook stores a repeated text once, so that it may be much smaller. */
const MAX_CHARACTERS = 32 * 1024 * 1024;

const BATCH_ROWS = 250;
const BATCH_CHARACTERS = 128 * 1024;

const WORKBOOK = 'xl/workbook.xml';
const isNeeded = (name: string): boolean => name.startsWith('xl/') && /\.xml(?:\.rels)?$/.test(name);

/** A moment of a spreadsheet has no time zone. The library gives it as if it were in UTC. */
function dateOf(moment: Date): string {
  // A calculated moment may lie a fraction of a second before midnight.
  const rounded = new Date(Math.round(moment.getTime() / 1_000) * 1_000);
  if (Number.isNaN(rounded.getTime())) return '';
  const [day, time] = rounded.toISOString().slice(0, 16).split('T');
  return time === '00:00' ? day! : `${day}T${time}`;
}

function cellOf(value: unknown): SheetCell {
  if (value instanceof Date) return { date: dateOf(value) };
  if (typeof value === 'string') return value.trim() === '' ? null : value;
  return typeof value === 'number' || typeof value === 'boolean' ? value : null;
}

function filledCells(values: readonly unknown[]): SheetCell[] {
  const cells = values.map(cellOf);
  return cells.slice(0, cells.findLastIndex((cell) => cell !== null) + 1);
}

const tooLong = (message: string): SpreadsheetError => new SpreadsheetError('too_long', message);

const lengthOf = (cells: readonly SheetCell[]): number =>
  cells.reduce<number>((sum, cell) => sum + (typeof cell === 'string' ? cell.length : 8), 0);

/** Encodes the filled rows and checks them against the limits, because the rows may be far larger than the file. */
function encodeRows(sheet: readonly (readonly unknown[])[], { maxRows, maxColumns }: SheetChoice) {
  const batches: Uint8Array<ArrayBuffer>[] = [];
  let rows: SheetRow[] = [];
  let [filled, characters, inBatch] = [0, 0, 0];
  const finish = () => {
    if (rows.length > 0) batches.push(encodeBatch(rows));
    rows = [];
    inBatch = 0;
  };
  for (const [index, values] of sheet.entries()) {
    const cells = filledCells(values);
    if (cells.length === 0) continue;
    filled += 1;
    if (filled > maxRows) throw tooLong(`A sheet may have at most ${maxRows} filled rows`);
    if (cells.length > maxColumns) throw tooLong(`A file may have at most ${maxColumns} columns`);
    const length = lengthOf(cells);
    characters += length;
    inBatch += length;
    if (length > MAX_ROW) throw tooLong(`A row has more than ${MAX_ROW} characters`);
    if (characters > MAX_CHARACTERS) throw tooLong(`A sheet may have at most ${MAX_CHARACTERS} characters`);
    rows.push({ row: index + 1, cells });
    if (rows.length === BATCH_ROWS || inBatch > BATCH_CHARACTERS) finish();
  }
  finish();
  return batches;
}

/** A title has one filled cell. A header and a row of data have more. */
const hasData = (sheet: readonly (readonly unknown[])[]): boolean => {
  let rows = 0;
  return sheet.some((values) => {
    if (values.filter((value) => cellOf(value) !== null).length > 1) rows += 1;
    return rows === 2;
  });
};

const isChosen = ({ name }: SheetName, wanted: string): boolean => name === wanted || name.trim() === wanted.trim();

export interface ReadWorkbook {
  readonly sheets: readonly string[];
  readonly batches: readonly Uint8Array<ArrayBuffer>[];
}

/**
 * Reads one sheet. The library gets a new archive with the checked files only, so that it cannot understand a crafted
 * archive in another way than the checks did.
 */
export async function readWorkbook(bytes: Uint8Array, choice: SheetChoice): Promise<ReadWorkbook> {
  const files = unpackArchive(bytes, isNeeded);
  const workbook = files.get(WORKBOOK);
  if (workbook === undefined) {
    throw new SpreadsheetError('unsupported_format', 'The file is no XLSX workbook: save it as .xlsx or as CSV');
  }
  const visible = visibleSheets(workbook);
  if (visible.length > MAX_SHEETS) throw tooLong(`A workbook may have at most ${MAX_SHEETS} sheets`);
  const { sheet: wanted } = choice;
  const candidates = wanted === null ? visible : visible.filter((sheet) => isChosen(sheet, wanted)).slice(0, 1);
  if (wanted !== null && candidates.length === 0) throw new SpreadsheetError('unknown_sheet', 'There is no such sheet');

  const archive = packArchive(files);
  let first: readonly (readonly unknown[])[] | undefined;
  for (const { position } of candidates) {
    // A sheet that holds a chart has no rows.
    const rows = ((await readSheet(archive, position)) ?? []) as readonly (readonly unknown[])[];
    first ??= rows;
    if (wanted === null && !hasData(rows)) continue;
    first = rows;
    break;
  }
  return { sheets: visible.map(({ name }) => name), batches: encodeRows(first ?? [], choice) };
}
