import { describe, expect, it } from '@jest/globals';
import { rawRow, workbookEntries, type ZipEntry, zip } from '../../../../../../testing/workbook.ts';
import { decodeBatch } from '../process/messages.ts';
import { readWorkbook } from './read-workbook.ts';

const LIMITS = { maxRows: 100, maxColumns: 200 };
const MIB = 1024 * 1024;

/** A workbook of one sheet, with these parts in the place of its own. */
const book = (data: string, ...parts: readonly ZipEntry[]): Buffer => {
  const own = workbookEntries([{ name: 'A', data: rawRow(1, ['Nome', 'Valor']) + data }]);
  return zip([...own.filter(({ name }) => parts.every((part) => part.name !== name)), ...parts]);
};
const cell = (position: string, more = '') => `<row r="2"><c r="${position}"${more}><v>1</v></c></row>`;
const codeOf = (file: Buffer) =>
  readWorkbook(file, null, LIMITS).then(
    () => null,
    (error) => error.code,
  );
const text = (content: string) => `<row r="2"><c r="A2" t="inlineStr"><is><t>${content}</t></is></c></row>`;
const styles = (content: string): ZipEntry => ({
  name: 'xl/styles.xml',
  content: `<styleSheet>${content}</styleSheet>`,
});

describe('a hostile workbook', () => {
  it.each([
    ['a cell far below the last row', () => book('<row r="99999999999"><c r="ZZZZZZ99999999999"><v>1</v></c></row>')],
    ['a row far below the last row', () => book('<row r="900000000"><c><v>1</v></c></row>')],
    ['a cell far to the right', () => book(cell('GS2'))],
    ['a second position', () => book(cell('A2', " r='A99999999'"))],
    ['more rows than are taken', () => book(Array.from({ length: 101 }, (_, n) => rawRow(n + 2, ['a'])).join(''))],
    ['a sheet of blanks', () => book(' '.repeat(49 * MIB))],
    ['a large part', () => book('', styles(' '.repeat(17 * MIB)))],
    ['many formats', () => book('', styles(`<cellXfs>${'<xf/>'.repeat(400_000)}</cellXfs>`))],
    ['a long text', () => book(text('x'.repeat(MIB)))],
    ['many escaped characters', () => book(text('&amp;'.repeat(30_000)))],
  ])('with %s is too long', async (_, make) => {
    expect(await codeOf(make())).toBe('too_long');
  });

  it.each([
    ['a long attribute', () => book(cell('A2', ` x="${'y'.repeat(MIB)}"`))],
    ['a long position', () => book(cell(`${'A'.repeat(MIB)}2`))],
    ['many attributes', () => book(cell('A2', Array.from({ length: 9_000 }, (_, n) => ` a${n}="1"`).join('')))],
    ['tags that do not end', () => book('<'.repeat(MIB))],
    ['deep elements', () => book('<a>'.repeat(100_000))],
    ['a definition of entities', () => book('', styles('<!DOCTYPE a [<!ENTITY x "y">]>'))],
    ['a position that is none', () => book(cell('A2&#49;'))],
  ])('with %s is damaged', async (_, make) => {
    expect(await codeOf(make())).toBe('invalid_format');
  });

  it('is not one whose formats reach to the last column, or whose other sheets are large', async () => {
    const format = '<row r="2"><c r="A2"><v>1</v></c><c r="B2"><v>2</v></c><c r="XFD2" s="1"/></row>';
    const [first, ...others] = workbookEntries([
      { name: 'A', data: rawRow(1, ['Nome', 'Valor']) + format },
      { name: 'B', data: ' '.repeat(100 * MIB) },
    ]);
    const { sheets, batches } = await readWorkbook(zip([first!, ...others]), null, LIMITS);
    expect(sheets).toEqual(['A', 'B']);
    expect(batches.flatMap((batch) => decodeBatch(Buffer.from(batch)))).toEqual([
      { row: 1, cells: ['Nome', 'Valor'] },
      { row: 2, cells: [1, 2] },
    ]);
  });
});
