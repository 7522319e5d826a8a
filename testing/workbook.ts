import { deflateRawSync } from 'node:zlib';
import writeXlsxFile from 'write-excel-file/node';

type Value = string | number | boolean | Date | null | undefined;

/** A cell with a format of numbers or dates, or one that is merged with its neighbours. */
export interface FormattedCell {
  readonly value: string | number | boolean | Date;
  readonly format?: string;
  readonly columnSpan?: number;
}
export type WrittenCell = Value | FormattedCell;

const TYPES = { string: String, number: Number, boolean: Boolean } as const;

function cellOf(written: WrittenCell): object | null {
  if (written === null || written === undefined) return null;
  const { value, format, columnSpan } =
    typeof written === 'object' && !(written instanceof Date) ? written : { value: written };
  const isDate = value instanceof Date;
  return {
    value,
    type: isDate ? Date : TYPES[typeof value as keyof typeof TYPES],
    ...(isDate ? { format: format ?? 'dd/mm/yyyy' } : format === undefined ? {} : { format }),
    ...(columnSpan === undefined ? {} : { columnSpan }),
  };
}

/** Writes a workbook of XLSX with these sheets. */
export async function writeWorkbook(
  sheets: Readonly<Record<string, readonly (readonly WrittenCell[])[]>>,
): Promise<Buffer> {
  const written = Object.entries(sheets).map(([sheet, rows]) => ({ sheet, data: rows.map((row) => row.map(cellOf)) }));
  return await (await writeXlsxFile(written as never)).toBuffer();
}

export interface ZipEntry {
  readonly name: string;
  readonly content: Uint8Array | string;
  /** The sizes and flags that the archive declares in place of the real ones. */
  readonly declaredSize?: number;
  readonly flags?: number;
}

/** Packs files into a ZIP archive, with lies when an entry asks for them. */
export function zip(entries: readonly ZipEntry[]): Buffer {
  const locals: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const { name, content, declaredSize, flags = 0 } of entries) {
    const bytes = Buffer.from(content);
    const packed = deflateRawSync(bytes);
    const sizes = Buffer.alloc(30);
    sizes.writeUInt32LE(0x04034b50, 0);
    sizes.writeUInt16LE(20, 4);
    sizes.writeUInt16LE(flags, 6);
    sizes.writeUInt16LE(8, 8);
    sizes.writeUInt32LE(packed.length, 18);
    sizes.writeUInt32LE(declaredSize ?? bytes.length, 22);
    sizes.writeUInt16LE(Buffer.byteLength(name), 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    sizes.copy(entry, 6, 4, 30);
    entry.writeUInt32LE(offset, 42);
    locals.push(sizes, Buffer.from(name), packed);
    central.push(entry, Buffer.from(name));
    offset += 30 + Buffer.byteLength(name) + packed.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, directory, end]);
}

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

export interface RawSheet {
  readonly name: string;
  readonly state?: string;
  /** The content of `<sheetData>`. */
  readonly data: string;
}

/** The files of a minimal workbook, for cells that no writer would write. */
export function workbookEntries(sheets: readonly RawSheet[], { date1904 = false } = {}): ZipEntry[] {
  const list = sheets.map(
    ({ name, state }, at) =>
      `<sheet name="${name}" sheetId="${at + 1}"${state === undefined ? '' : ` state="${state}"`} r:id="rId${at + 1}"/>`,
  );
  const relations = sheets.map(
    (_, at) => `<Relationship Id="rId${at + 1}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${at + 1}.xml"/>`,
  );
  return [
    {
      name: 'xl/workbook.xml',
      content: `${XML}<workbook xmlns:r="${OFFICE}"><workbookPr${date1904 ? ' date1904="1"' : ''}/><sheets>${list.join('')}</sheets></workbook>`,
    },
    { name: 'xl/_rels/workbook.xml.rels', content: `${XML}<Relationships>${relations.join('')}</Relationships>` },
    {
      name: 'xl/styles.xml',
      content: `${XML}<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>`,
    },
    ...sheets.map(({ data }, at) => ({
      name: `xl/worksheets/sheet${at + 1}.xml`,
      content: `${XML}<worksheet><sheetData>${data}</sheetData></worksheet>`,
    })),
  ];
}

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** A row of inline texts, as XML. */
export const rawRow = (row: number, texts: readonly string[]): string =>
  `<row r="${row}">${texts
    .map(
      (text, at) => `<c r="${String.fromCharCode(65 + at)}${row}" t="inlineStr"><is><t>${escapeXml(text)}</t></is></c>`,
    )
    .join('')}</row>`;
