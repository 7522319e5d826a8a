import { isUtf8 } from 'node:buffer';
import {
  type SheetFormat,
  SpreadsheetError,
  type SpreadsheetReader,
  type Workbook,
} from '../ports/spreadsheet-reader.ts';
import { MAX_COLUMNS } from './csv/columns.ts';
import { refuse, refuseFile } from './import-problem.ts';
import { MAX_DEBTS, MAX_ROWS_TO_HEADER } from './limits.ts';

/** A header stands in this part of a file. */
const START_BYTES = 16 * 1024;
const BYTE_ORDER_MARK = '\uFEFF';

interface TextStart {
  /** A file that is not UTF-8 comes from an older spreadsheet, which writes Windows-1252, a superset of Latin-1. */
  readonly encoding: 'utf-8' | 'windows-1252';
  readonly start: string;
}

/** Returns the encoding of a text file and its first characters, without its byte order mark. */
function startOfText(bytes: Uint8Array): TextStart {
  const encoding = isUtf8(bytes) ? 'utf-8' : 'windows-1252';
  const decoder = new TextDecoder(encoding, { ignoreBOM: true });
  const start = decoder.decode(bytes.subarray(0, START_BYTES), { stream: true });
  return { encoding, start: start.startsWith(BYTE_ORDER_MARK) ? start.slice(1) : start };
}

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
const startsWith = (bytes: Uint8Array, ...start: readonly number[]): boolean =>
  start.every((byte, at) => bytes[at] === byte);

/** No text of a CSV contains this byte. */
const LOOKED_THROUGH = 4_096;
const isBinary = (bytes: Uint8Array): boolean => bytes.subarray(0, LOOKED_THROUGH).includes(0);
const isMarkup = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.subarray(0, LOOKED_THROUGH)).toString('latin1').replace(/^ï»¿/, '').trimStart().startsWith('<');

/**
 * Tells the kind of a file by its content, never by its name. Some programs call a page of HTML `.xls`, and a workbook
 * with a password is an OLE file as an old `.xls` is.
 */
export function kindOfFile(bytes: Uint8Array): 'csv' | 'xlsx' {
  if (startsWith(bytes, 0x50, 0x4b, 0x03, 0x04)) return 'xlsx';
  const refused = (message: string) => refuseFile('unsupported_format', message);
  if (startsWith(bytes, 0xd0, 0xcf, 0x11, 0xe0)) {
    throw refused(`The file is an old .xls, or a workbook with a password: ${SPREADSHEET}, without a password`);
  }
  if (startsWith(bytes, 0x25, 0x50, 0x44, 0x46))
    throw refused(`The file is a PDF: send the spreadsheet, ${SPREADSHEET}`);
  if (isMarkup(bytes)) throw refused(`The file is HTML or XML and no spreadsheet: open it there and ${SPREADSHEET}`);
  if (isBinary(bytes)) throw refused(`The file is no spreadsheet that is understood here: ${SPREADSHEET} in UTF-8`);
  return 'csv';
}
