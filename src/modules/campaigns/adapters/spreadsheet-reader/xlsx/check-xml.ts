import { type SheetLimits, SpreadsheetError } from '../../../ports/spreadsheet-reader.ts';
import { MAX_CELLS, tooLong, tooManyCells } from '../encode-rows.ts';

/** The last row and the last column of a spreadsheet program. */
const LAST_ROW = 1_048_576;
const LAST_COLUMN = 16_384;
/** No file of a spreadsheet program comes near these. A parser takes far more time for longer ones. */
const MAX_TAG = 8 * 1024;
const MAX_DEPTH = 64;
/** A cell has up to 32,767 characters, and each takes up to six bytes. */
const MAX_TEXT = 256 * 1024;
const MAX_ENTITIES = 4 * 1024;

const [LESS, GREATER, SLASH, MARK, QUESTION, AMPERSAND] = [0x3c, 0x3e, 0x2f, 0x21, 0x3f, 0x26];

const malformed = (): SpreadsheetError =>
  new SpreadsheetError('invalid_format', 'The file is no well-formed XLSX workbook');

type OnTag = (from: number, to: number, closesItself: boolean) => void;

/** Returns the end of a comment or a section of plain text. Nothing else may begin with `<!`: a workbook has no DTD. */
function endOfMarked(xml: Buffer, at: number): number {
  const start = xml.toString('latin1', at, at + 9);
  const terminator = start.startsWith('<!--') ? '-->' : start === '<![CDATA[' ? ']]>' : null;
  const end = terminator === null ? -1 : xml.indexOf(terminator, at + 4, 'latin1');
  if (terminator === null || end === -1 || end - at > MAX_TEXT) throw malformed();
  return end + terminator.length - 1;
}

function checkText(xml: Buffer, from: number, to: number): void {
  if (to - from > MAX_TEXT) throw tooLong('A cell has more than 32767 characters');
  let entities = 0;
  for (let at = from; at < to; at++) if (xml[at] === AMPERSAND) entities += 1;
  if (entities > MAX_ENTITIES) throw tooLong(`A cell has more than ${MAX_ENTITIES} escaped characters`);
}

/** Finds the end of a tag, in which no other may begin. */
function endOfTag(xml: Buffer, from: number): number {
  const last = Math.min(xml.length, from + MAX_TAG);
  for (let at = from + 1; at < last; at++) {
    if (xml[at] === GREATER) return at;
    if (xml[at] === LESS) break;
  }
  throw malformed();
}

/** Calls `onTag` for each opening tag of a file of XML, whose tags, texts and depth are within the limits. */
function eachTag(xml: Buffer, maxTags: number, onTag: OnTag): void {
  let depth = 0;
  let tags = 0;
  let textFrom = 0;
  for (let at = xml.indexOf(LESS); at !== -1; at = xml.indexOf(LESS, textFrom)) {
    checkText(xml, textFrom, at);
    const next = xml[at + 1];
    const end = next === MARK ? endOfMarked(xml, at) : endOfTag(xml, at);
    textFrom = end + 1;
    tags += 1;
    if (tags > maxTags) throw tooLong('A part of the file has too many elements');
    if (next === MARK || next === QUESTION) continue;
    if (next === SLASH) {
      depth -= 1;
      continue;
    }
    const closesItself = xml[end - 1] === SLASH;
    if (!closesItself) depth += 1;
    if (depth > MAX_DEPTH) throw malformed();
    onTag(at, end, closesItself);
  }
  checkText(xml, textFrom, xml.length);
}

const TAGS_OF_PART = 300_000;

/** Checks a part that has no cells. A workbook has at most 64,000 formats of cells, and a list of texts is longer. */
export function checkPart(xml: Uint8Array, maxTags = TAGS_OF_PART): void {
  eachTag(Buffer.from(xml.buffer, xml.byteOffset, xml.byteLength), maxTags, () => undefined);
}

/** A cell or a shared text has four tags in most files. */
export const TAGS_OF_SHEET = 4 * MAX_CELLS;

const isSpace = (byte: number | undefined): boolean => byte === 0x20 || (byte !== undefined && byte > 8 && byte < 14);

/** Returns the part of a tag behind its name, and the name without a prefix. */
function nameOf(xml: Buffer, from: number, to: number): { name: string; end: number } {
  let start = from + 1;
  let end = start;
  while (end < to && !isSpace(xml[end]) && xml[end] !== SLASH) {
    end += 1;
    if (xml[end - 1] === 0x3a) start = end;
  }
  return { name: end - start > 3 ? '' : xml.toString('latin1', start, end), end };
}

const [LETTER_R, EQUALS, DOUBLE, SINGLE] = [0x72, 0x3d, 0x22, 0x27];

/**
 * Checks each `r` attribute of a tag: `B12` of a cell, `12` of a row. The column of a cell with a value may not exceed
 * `maxColumn`. Each occurrence counts, so that no parser can understand another one as the position.
 */
function checkPosition(xml: Buffer, from: number, to: number, maxColumn: number): void {
  for (let at = from; at < to; at++) {
    if (xml[at] !== LETTER_R || xml[at + 1] !== EQUALS || !isSpace(xml[at - 1])) continue;
    const quote = xml[at + 2];
    if (quote !== DOUBLE && quote !== SINGLE) throw malformed();
    let [column, row] = [0, 0];
    at += 3;
    for (; xml[at]! >= 0x41 && xml[at]! <= 0x5a && column <= LAST_COLUMN; at++) column = column * 26 + xml[at]! - 0x40;
    for (; xml[at]! >= 0x30 && xml[at]! <= 0x39 && row <= LAST_ROW; at++) row = row * 10 + xml[at]! - 0x30;
    if (row > LAST_ROW) throw tooLong(`A sheet may have at most ${LAST_ROW} rows`);
    if (column > maxColumn) throw tooLong(`A file may have at most ${maxColumn} columns`);
    if (xml[at] !== quote) throw malformed();
  }
}

/**
 * Checks a sheet before the library reads it, because the library makes an array up to the position of each cell: a file
 * of 2 KB took a gigabyte. A cell without content may stand further to the right, as the format of a whole row does.
 */
export function checkSheet(sheet: Uint8Array, { maxRows, maxColumns }: SheetLimits): void {
  const xml = Buffer.from(sheet.buffer, sheet.byteOffset, sheet.byteLength);
  let [rows, cells] = [0, 0];
  let rowHasCells = false;
  eachTag(xml, TAGS_OF_SHEET, (from, to, closesItself) => {
    const { name, end } = nameOf(xml, from, to);
    if (name === 'row') {
      rowHasCells = false;
      checkPosition(xml, end, to, LAST_COLUMN);
    } else if (name === 'c') {
      checkPosition(xml, end, to, closesItself ? LAST_COLUMN : maxColumns);
      if (closesItself) return;
      cells += 1;
      if (!rowHasCells) rows += 1;
      rowHasCells = true;
      if (rows > maxRows) throw tooLong(`A sheet may have at most ${maxRows} filled rows`);
      if (cells > MAX_CELLS) throw tooManyCells();
    }
  });
}
