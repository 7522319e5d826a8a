import type { SheetRows } from '../rules/spreadsheet/sheet-row.ts';

export interface Workbook {
  /** The names of the sheets that are not hidden; empty for a CSV. */
  readonly sheets: readonly string[];
  readonly rows: SheetRows;
}

export const SPREADSHEET_ERROR_CODES = [
  /** It is no workbook of XLSX, or one that is encrypted. */
  'unsupported_format',
  /** It is damaged, or its sizes are not those that it declares. */
  'invalid_format',
  /** It exceeds one of the limits, as the message says. */
  'too_long',
  'unknown_sheet',
] as const;
export type SpreadsheetErrorCode = (typeof SPREADSHEET_ERROR_CODES)[number];

/** The message is for the caller and quotes nothing of the file. */
export class SpreadsheetError extends Error {
  override readonly name = 'SpreadsheetError';
  readonly code: SpreadsheetErrorCode;

  constructor(code: SpreadsheetErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** A file that exceeds one of these is refused. */
export interface SheetLimits {
  /** The most filled rows. */
  readonly maxRows: number;
  readonly maxColumns: number;
}

export type SheetFormat =
  /** Null chooses the first sheet that has a header and a row of data. */
  | { readonly kind: 'xlsx'; readonly sheet: string | null }
  | { readonly kind: 'csv'; readonly encoding: 'utf-8' | 'windows-1252'; readonly delimiter: string };

export interface SpreadsheetFile {
  /** One file is read at a time. The clients whose files wait take turns, so that none of them waits for all of another. */
  readonly clientId: string;
  readonly bytes: Uint8Array;
  readonly format: SheetFormat;
  readonly limits: SheetLimits;
}

export interface SpreadsheetReader {
  /** Reads a CSV or one sheet of a workbook. Throws a `SpreadsheetError` when the file itself is the cause. */
  read(file: SpreadsheetFile): Promise<Workbook>;
  close(): Promise<void>;
}
