import type { Readable } from 'node:stream';
import { csvOf } from '../spreadsheets/csv.ts';
import type { Portions, Table } from '../spreadsheets/table.ts';
import { xlsxOf } from '../spreadsheets/xlsx.ts';

export const CSV_TYPE = 'text/csv; charset=utf-8';
export const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

const CSV = 'text/csv';
const FORMATS = {
  [CSV]: { type: CSV_TYPE, ending: 'csv', write: csvOf },
  [XLSX_TYPE]: { type: XLSX_TYPE, ending: 'xlsx', write: xlsxOf },
} as const;

export type TableFormat = keyof typeof FORMATS;

export const TABLE_FORMATS: readonly TableFormat[] = [CSV, XLSX_TYPE];

export const isTableFormat = (type: string | null): type is TableFormat => type !== null && type in FORMATS;

/** The answer with a table to download. `name` is the beginning of the file's name, and has no data of a debtor. */
export function tableAnswer<Row>(
  format: TableFormat,
  name: string,
  table: Table<Row>,
  portions: Portions<Row>,
): { readonly status: 200; readonly headers: Readonly<Record<string, string>>; readonly body: Readable } {
  const { type, ending, write } = FORMATS[format];
  const headers = {
    'Content-Type': type,
    'Content-Disposition': `attachment; filename="${name}.${ending}"`,
    'Cache-Control': 'no-store',
    Vary: 'Accept',
  };
  return { status: 200, headers, body: write(table, portions) };
}
