import type { CopyData } from './copy-data.ts';
import { GREEN, INK, MARGIN, SOFT, style, WIDTH } from './layout.ts';
import { Sheet, type TextStyle } from './sheet.ts';

export const COPY_TEMPLATE_VERSION = 1;

const TOP = 48;
const BOTTOM = 785;

const TITLE = style('bold', 18, INK);
const CREDITOR = style('regular', 10, SOFT);
const HEADING = style('bold', 12, GREEN);
const LINE = style('regular', 9.5, INK, { lineGap: 1 });

export function drawCopy(doc: PDFKit.PDFDocument, { title, creditor, sections }: CopyData): void {
  const sheet = new Sheet(doc);
  let y = TOP;
  const write = (tag: string, text: string, as: TextStyle, gap: number): void => {
    if (y + sheet.heightOf(text, WIDTH, as) > BOTTOM) {
      doc.addPage();
      y = TOP;
    }
    y = sheet.text(sheet.root, tag, text, { x: MARGIN, y, width: WIDTH }, as) + gap;
  };
  write('H1', title, TITLE, 2);
  write('P', creditor.name, CREDITOR, 10);
  for (const { heading, lines } of sections) {
    y += 8;
    write('H2', heading, HEADING, 3);
    for (const line of lines) write('P', line, LINE, 3);
  }
  sheet.finish();
}
