import { signatureOf, startOfText } from '../../../platform/spreadsheets/received-file.ts';
import {
  type SheetFormat,
  SpreadsheetError,
  type SpreadsheetReader,
  type Workbook,
} from '../ports/spreadsheet-reader.ts';
import { MAX_ROWS_TO_HEADER } from '../rules/spreadsheet/find-header.ts';
import { MAX_COLUMNS } from '../rules/spreadsheet/header-names.ts';
import { refuse, refuseFile } from './import-problem.ts';
import { MAX_DEBTS } from './limits.ts';

export type Spreadsheets = Pick<SpreadsheetReader, 'read'>;

/** The rows above the header are rows of the sheet too. With one more, the import notices that there are too many. */
const LIMITS = { maxRows: MAX_DEBTS + MAX_ROWS_TO_HEADER + 1, maxColumns: MAX_COLUMNS };

export const unknownSheet = () =>
  refuse({ pointer: '/sheet', code: 'unknown_sheet', message: 'There is no such sheet' });

export interface Upload {
  readonly clientId: string;
  readonly bytes: Uint8Array;
}

async function open(reader: Spreadsheets, { clientId, bytes }: Upload, format: SheetFormat): Promise<Workbook> {
  try {
    return await reader.read({ clientId, bytes, format, limits: LIMITS });
  } catch (error) {
    if (!(error instanceof SpreadsheetError)) throw error;
    throw error.code === 'unknown_sheet' ? unknownSheet() : refuseFile(error.code, error.message);
  }
}

/** Opens a CSV. The delimiter is chosen by its first characters. */
export function openCsv(
  reader: Spreadsheets,
  upload: Upload,
  delimiterOf: (start: string) => string,
): Promise<Workbook> {
  const { encoding, start } = startOfText(upload.bytes);
  return open(reader, upload, { kind: 'csv', encoding, delimiter: delimiterOf(start) });
}

export const openWorkbook = (reader: Spreadsheets, upload: Upload, sheet: string | null): Promise<Workbook> =>
  open(reader, upload, { kind: 'xlsx', sheet });

const SPREADSHEET = 'save it as .xlsx or as CSV';
const REFUSED = {
  ole: `The file is an old .xls, or a workbook with a password: ${SPREADSHEET}, without a password`,
  pdf: `The file is a PDF: send the spreadsheet, ${SPREADSHEET}`,
  markup: `The file is HTML or XML and no spreadsheet: open it there and ${SPREADSHEET}`,
  binary: `The file is no spreadsheet that is understood here: ${SPREADSHEET} in UTF-8`,
} as const;

/** Tells the kind of a file by its content, and refuses what is no spreadsheet. */
export function kindOfFile(bytes: Uint8Array): 'csv' | 'xlsx' {
  const signature = signatureOf(bytes);
  if (signature === 'text') return 'csv';
  if (signature === 'xlsx') return 'xlsx';
  throw refuseFile('unsupported_format', REFUSED[signature]);
}
