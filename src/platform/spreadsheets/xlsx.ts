import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { DAY, type LocalDate, startOfDay } from '../../kernel/calendar.ts';
import type { Column, Portions, Table } from './table.ts';

/**
 * Writes a workbook with one sheet (ECMA-376) while its rows arrive. Texts are inline strings, which no program runs as
 * formulas.
 */
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PART = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** The places of the formats in the list `cellXfs` below. */
const STYLES = { text: 0, header: 1, money: 2, integer: 0, date: 3, moment: 4 } as const;

const STYLE_SHEET = `${HEAD}<styleSheet xmlns="${MAIN}"><numFmts count="3"><numFmt numFmtId="164" formatCode="#,##0.00"/><numFmt numFmtId="165" formatCode="dd/mm/yyyy"/><numFmt numFmtId="166" formatCode="dd/mm/yyyy\\ hh:mm:ss"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="5"><xf/><xf fontId="1" applyFont="1"/><xf numFmtId="164" applyNumberFormat="1"/><xf numFmtId="165" applyNumberFormat="1"/><xf numFmtId="166" applyNumberFormat="1"/></cellXfs></styleSheet>`;

const fixedParts = (sheet: string): Readonly<Record<string, string>> => ({
  '[Content_Types].xml': `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${PART}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${PART}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${PART}.styles+xml"/></Types>`,
  '_rels/.rels': `${HEAD}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml': `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="${escaped(sheet)}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `${HEAD}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
  'xl/styles.xml': STYLE_SHEET,
});

/** XML 1.0 allows no other control character, and a program would read `_x0041_` in a text as `A`. */
function escaped(text: string): string {
  return (
    text
      .toWellFormed()
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that XML forbids.
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
      .replace(/_(?=x[0-9a-f]{4}_)/gi, '_x005F_')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
  );
}

/** Spreadsheets count days from this one on. */
const FIRST_DAY = startOfDay('1899-12-30', 0);
const dayNumber = (date: LocalDate): number => (startOfDay(date, 0) - FIRST_DAY) / DAY;

const SECONDS_OF_DAY = 86_400;
const partOfDay = (time: string): number => {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number);
  return (hours * 3600 + minutes * 60 + seconds) / SECONDS_OF_DAY;
};

/** Returns the column's letters: A to Z, then AA. */
function lettersOf(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : lettersOf(Math.floor(index / 26) - 1) + last;
}

const textCell = (place: string, text: string, style: number): string =>
  `<c r="${place}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${escaped(text)}</t></is></c>`;

const numberCell = (place: string, number: number, style: number): string =>
  `<c r="${place}" s="${style}"><v>${number}</v></c>`;

function cellOf<Row>(column: Column<Row>, row: Row, place: string): string {
  const style = STYLES[column.kind];
  if (column.kind === 'text') {
    const text = column.value(row);
    return text === null || text === '' ? '' : textCell(place, text, style);
  }
  if (column.kind === 'date') {
    const date = column.value(row);
    return date === null ? '' : numberCell(place, dayNumber(date), style);
  }
  if (column.kind === 'moment') {
    const moment = column.value(row);
    return moment === null ? '' : numberCell(place, dayNumber(moment.date) + partOfDay(moment.time), style);
  }
  const number = column.value(row);
  return number === null ? '' : numberCell(place, number, style);
}

async function* sheetOf<Row>({ columns }: Table<Row>, portions: Portions<Row>): AsyncGenerator<string> {
  const letters = columns.map((_, index) => lettersOf(index));
  const widths = columns.map(
    ({ width }, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`,
  );
  const headers = columns.map(({ header }, at) => textCell(`${letters[at]}1`, header, STYLES.header));
  // The row of headers stays in view.
  const view =
    '<sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView>';
  yield `${HEAD}<worksheet xmlns="${MAIN}"><sheetViews>${view}</sheetViews><cols>${widths.join('')}</cols><sheetData><row r="1">${headers.join('')}</row>`;
  let number = 1;
  for await (const rows of portions) {
    let text = '';
    for (const row of rows) {
      number += 1;
      text += `<row r="${number}">`;
      for (const [at, column] of columns.entries()) text += cellOf(column, row, `${letters[at]}${number}`);
      text += '</row>';
    }
    yield text;
  }
  // Each header filters and sorts its column.
  yield `</sheetData><autoFilter ref="A1:${letters.at(-1) ?? 'A'}${number}"/></worksheet>`;
}

export function xlsxOf<Row>(table: Table<Row>, portions: Portions<Row>): Readable {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  const sheet = Readable.from(sheetOf(table, portions), { highWaterMark: 1 });
  // The library passes on neither an error of the rows nor one of its own.
  for (const source of [zip, sheet]) source.on('error', (error: Error) => output.destroy(error));
  // Whoever stops reading also ends the reading of the rows.
  output.once('close', () => sheet.destroy());
  for (const [path, text] of Object.entries(fixedParts(table.name))) zip.addBuffer(Buffer.from(text), path);
  zip.addReadStreamLazy('xl/worksheets/sheet1.xml', (give) => give(null, sheet));
  zip.end();
  return output;
}
