import { refuseFile } from './file-problem.ts';

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
