import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { startOfText } from '../../../../platform/spreadsheets/received-file.ts';
import { SpreadsheetError, type SpreadsheetReader } from '../../../campaigns/ports/spreadsheet-reader.ts';
import { cellText } from '../../../campaigns/rules/spreadsheet/cell-text.ts';
import { csvSheet, delimiterOf } from '../../../campaigns/rules/spreadsheet/csv-sheet.ts';
import { findHeader, MAX_ROWS_TO_HEADER } from '../../../campaigns/rules/spreadsheet/find-header.ts';
import { headersOf, MAX_COLUMNS } from '../../../campaigns/rules/spreadsheet/header-names.ts';
import type { SheetRow, SheetRows } from '../../../campaigns/rules/spreadsheet/sheet-row.ts';
import { isTitleOrTotal } from '../../../campaigns/rules/spreadsheet/title-rows.ts';
import { MAX_SETTLEMENT_ROWS } from '../../rules/limits.ts';
import { isPaymentHeader, paymentColumns } from '../../rules/payment-columns.ts';
import type { FileColumns, FileRow, ReadFile } from '../../rules/received-row.ts';
import { paymentOfRow } from '../../rules/table-row.ts';
import { unreadable } from './batches.ts';

export interface SheetDeps {
  readonly spreadsheets: Pick<SpreadsheetReader, 'read'>;
  /** One file is read at a time, and the clients whose files wait take turns. */
  readonly clientId: string;
}

const LIMITS = { maxRows: MAX_SETTLEMENT_ROWS + MAX_ROWS_TO_HEADER + 1, maxColumns: MAX_COLUMNS };
const ROWS_AT_ONCE = 250;

async function open(
  { spreadsheets, clientId }: SheetDeps,
  bytes: Uint8Array,
  kind: 'xlsx' | 'csv',
  isHeader: (name: string) => boolean,
): Promise<SheetRows> {
  const file = { clientId, bytes, limits: LIMITS };
  if (kind === 'xlsx') return (await spreadsheets.read({ ...file, format: { kind, sheet: null } })).rows;
  const { encoding, start } = startOfText(bytes);
  const format = { kind, encoding, delimiter: delimiterOf(start, isHeader) };
  return csvSheet((await spreadsheets.read({ ...file, format })).rows);
}

async function readRows(
  batches: SheetRows,
  given: FileColumns,
  isHeader: (name: string) => boolean,
): Promise<ReadFile> {
  const all: SheetRow[] = [];
  for await (const batch of batches) all.push(...batch);
  const first = all.slice(0, MAX_ROWS_TO_HEADER);
  const scoreOf = ({ cells }: SheetRow) =>
    headersOf(cells, Math.min(cells.length, MAX_COLUMNS)).filter(isHeader).length;
  const header = findHeader(first, scoreOf);
  const cells = first[header]?.cells ?? [];
  const payments = all.slice(header + 1);
  if (payments.length === 0) return unreadable('too_short');
  if (payments.length > MAX_SETTLEMENT_ROWS) return unreadable('too_long');
  const headers = headersOf(cells, cells.length);
  if (Object.values(given).some((name) => !headers.includes(name))) return unreadable('unknown_header');
  const places = paymentColumns(headers, given);
  const { amount, paidAt, invoiceId, cpf } = places;
  if (amount === undefined || paidAt === undefined || (invoiceId ?? cpf) === undefined) return unreadable('required');
  const known = { header: cells.map(cellText), amounts: new Set([amount]), dueDates: new Set([paidAt]) };
  const rows: FileRow[] = [];
  for (const [at, row] of payments.entries()) {
    if (at % ROWS_AT_ONCE === 0) await yieldToEventLoop();
    if (!isTitleOrTotal(row.cells, known)) rows.push(paymentOfRow(row, places));
  }
  return { kind: 'read', rows };
}

/** Reads a CSV or a workbook, whose rows are parsed in the process of the import. */
export async function readSheet(
  deps: SheetDeps,
  kind: 'xlsx' | 'csv',
  bytes: Uint8Array,
  columns: FileColumns,
): Promise<ReadFile> {
  const named = new Set(Object.values(columns));
  const isHeader = (name: string): boolean => named.has(name) || isPaymentHeader(name);
  try {
    return await readRows(await open(deps, bytes, kind, isHeader), columns, isHeader);
  } catch (error) {
    if (error instanceof SpreadsheetError) return unreadable(error.code);
    throw error;
  }
}
