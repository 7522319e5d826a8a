import type { QrDrawer } from './qr.ts';
import { type Box, type Element, type FontName, Sheet, type TextStyle } from './sheet.ts';

export const MARGIN = 48;
export const WIDTH = 595.28 - 2 * MARGIN;
export const RIGHT = MARGIN + WIDTH;
/** The lower end of the body text; the page number is below it. */
const BOTTOM = 797;
export const GUTTER = 26;

export const INK = '#16211d';
export const SOFT = '#53605b';
export const GREEN = '#0b6b4f';
export const PALE = '#eaf4ef';
export const LINE = '#d5ded9';
export const AMBER = '#7a4a00';
export const AMBER_PALE = '#fff3d6';
export const RED = '#a3161b';
export const RED_PALE = '#fdeaea';

export interface Row {
  readonly label: string;
  readonly value: string;
  readonly strong?: boolean;
}

/** What every document says about itself, and how it is verified. */
export interface Frame {
  readonly title: string;
  readonly subtitle: string;
  readonly protocol: string;
  readonly templateVersion: number;
  readonly creditorName: string;
  readonly creditorLines: readonly string[];
  readonly issuedAt: string;
  readonly testNotice: string | null;
  /** The text of the link, and what the code shows. */
  readonly verifyUrl: string;
  readonly verifyLink: string;
  readonly codeShows: string;
  readonly verification: string;
  readonly signature: string;
  readonly codes: string;
}

export const style = (font: FontName, size: number, color: string, rest: Partial<TextStyle> = {}): TextStyle => ({
  font,
  size,
  color,
  ...rest,
});

const LABEL = style('regular', 8, SOFT);
const VALUE = style('regular', 9.5, INK);
const STRONG_VALUE = style('bold', 9.5, INK);
const BODY = style('regular', 9, INK, { lineGap: 1 });
const HEADING = style('bold', 11, GREEN);

/** Draws the blocks of which all documents are made, one below the other, and begins a page where one does not fit. */
export class Layout {
  readonly doc: PDFKit.PDFDocument;
  readonly sheet: Sheet;
  readonly frame: Frame;
  /** Where the next block begins. */
  y = 0;

  constructor(doc: PDFKit.PDFDocument, frame: Frame) {
    this.doc = doc;
    this.sheet = new Sheet(doc);
    this.frame = frame;
  }

  /** What is left of the page below the last block. */
  get room(): number {
    return BOTTOM - this.y;
  }

  /** Returns whether a page had to begin. */
  ensureSpace(height: number): boolean {
    if (height <= this.room) return false;
    this.doc.addPage();
    this.y = MARGIN;
    return true;
  }

  letterhead(): void {
    const { doc, sheet, frame } = this;
    const protocolWidth = 150;
    const nameWidth = WIDTH - protocolWidth - GUTTER;
    const name = { x: MARGIN, y: 34, width: nameWidth };
    this.y = sheet.text(sheet.root, 'P', frame.creditorName, name, style('bold', 12, INK));
    for (const line of frame.creditorLines) {
      const box = { x: MARGIN, y: this.y, width: nameWidth };
      this.y = sheet.text(sheet.root, 'P', line, box, style('regular', 8.5, SOFT));
    }
    const box = { x: RIGHT - protocolWidth, width: protocolWidth };
    sheet.group(sheet.root, 'Div', (group) => {
      const below = sheet.text(group, 'P', 'Protocolo', { ...box, y: 35 }, { ...LABEL, align: 'right' });
      const bold = style('bold', 10.5, INK, { align: 'right' });
      const end = sheet.text(group, 'P', frame.protocol, { ...box, y: below }, bold);
      this.y = Math.max(this.y, end) + 10;
    });
    const { y } = this;
    sheet.decoration(() => doc.moveTo(MARGIN, y).lineTo(RIGHT, y).lineWidth(0.75).stroke(LINE));
    this.y += 13;
  }

  banner(title: string, body: string | null, color: string, background: string): void {
    const { doc, sheet, y } = this;
    const inner = WIDTH - 28;
    const titleStyle = style('bold', 11.5, color);
    const bodyStyle = style('regular', 9, color);
    const height =
      13 + sheet.heightOf(title, inner, titleStyle) + (body ? sheet.heightOf(body, inner, bodyStyle) + 2 : 0);
    sheet.decoration(() => {
      doc.roundedRect(MARGIN, y, WIDTH, height, 5).fill(background);
      doc.rect(MARGIN, y, 4, height).fill(color);
    });
    const below = sheet.text(sheet.root, 'P', title, { x: MARGIN + 16, y: y + 6, width: inner }, titleStyle);
    if (body) sheet.text(sheet.root, 'P', body, { x: MARGIN + 16, y: below + 2, width: inner }, bodyStyle);
    this.y += height + 12;
  }

  titles(): void {
    const { sheet, frame } = this;
    const box = () => ({ x: MARGIN, y: this.y, width: WIDTH });
    this.y = sheet.text(sheet.root, 'H1', frame.title, box(), style('bold', 24, INK)) - 3;
    this.y = sheet.text(sheet.root, 'P', frame.subtitle, box(), style('regular', 10.5, SOFT)) + 9;
  }

  /** The amount of the document in figures and in words. Returns the middle of the card, for what stands beside it. */
  amountCard(
    shown: { readonly label: string; readonly amount: string; readonly inWords: string; readonly color: string },
    besideWidth: number,
  ): number {
    const { doc, sheet, y } = this;
    const inner = WIDTH - 36 - besideWidth;
    const amountStyle = style('bold', 25, shown.color);
    const wordsStyle = style('regular', 9.5, INK);
    const height =
      32 + sheet.heightOf(shown.amount, inner, amountStyle) + sheet.heightOf(shown.inWords, inner, wordsStyle);
    sheet.decoration(() => doc.roundedRect(MARGIN, y, WIDTH, height, 8).fill(PALE));
    const x = MARGIN + 18;
    let below = sheet.text(sheet.root, 'P', shown.label, { x, y: y + 10, width: inner }, LABEL);
    below = sheet.text(sheet.root, 'P', shown.amount, { x, y: below - 2, width: inner }, amountStyle);
    sheet.text(sheet.root, 'P', shown.inWords, { x, y: below, width: inner }, wordsStyle);
    this.y += height + 12;
    return y + height / 2;
  }

  /** Parts with an odd index are emphasised. */
  declaration(parts: readonly string[]): void {
    const runs = parts
      .map((text, index) => ({ text, style: style(index % 2 ? 'bold' : 'regular', 10, INK) }))
      .filter(({ text }) => text !== '');
    this.y = this.sheet.runs(this.sheet.root, 'P', runs, { x: MARGIN, y: this.y, width: WIDTH }, 1.5) + 11;
  }

  heightOfRows(rows: readonly Row[], width: number): number {
    const { sheet } = this;
    const heightOf = ({ label, value, strong }: Row): number =>
      5 + sheet.heightOf(label, width, LABEL) + sheet.heightOf(value, width, strong ? STRONG_VALUE : VALUE);
    return rows.reduce((sum, row) => sum + heightOf(row), 20);
  }

  heading(text: string, box: Box): number {
    return this.sheet.text(this.sheet.root, 'H2', text, box, HEADING);
  }

  /** A table of labels with their values. Returns the y below it. */
  table(title: string, rows: readonly Row[], { x, y: top, width }: Box): number {
    const { sheet } = this;
    let at = this.heading(title, { x, y: top, width }) + 3;
    sheet.group(sheet.root, 'Table', (tableElement) => {
      for (const row of rows) {
        this.rule(x, at, width);
        sheet.group(tableElement, 'TR', (tr) => {
          const label = (th: Element): void => {
            at = sheet.text(th, 'P', row.label, { x, y: at + 2.5, width }, LABEL);
          };
          sheet.group(tr, 'TH', label, { scope: 'Row' });
          sheet.group(tr, 'TD', (td) => {
            at = sheet.text(td, 'P', row.value, { x, y: at, width }, row.strong ? STRONG_VALUE : VALUE) + 2.5;
          });
        });
      }
    });
    return at;
  }

  /** A line between rows. */
  rule(x: number, at: number, width: number): void {
    this.sheet.decoration(() =>
      this.doc
        .moveTo(x, at)
        .lineTo(x + width, at)
        .lineWidth(0.5)
        .stroke(LINE),
    );
  }

  /** A heading with paragraphs. The page breaks before the heading or between paragraphs. */
  section(
    title: string,
    paragraphs: readonly string[],
    { look = BODY, gap = 0 }: { readonly look?: TextStyle; readonly gap?: number } = {},
  ): void {
    const { sheet } = this;
    const [first = ''] = paragraphs;
    this.ensureSpace(18 + sheet.heightOf(first, WIDTH, look));
    this.y = this.heading(title, { x: MARGIN, y: this.y, width: WIDTH }) + 2;
    for (const [at, paragraph] of paragraphs.entries()) {
      if (at > 0) {
        this.y += gap;
        this.ensureSpace(sheet.heightOf(paragraph, WIDTH, look));
      }
      this.y = sheet.text(sheet.root, 'P', paragraph, { x: MARGIN, y: this.y, width: WIDTH }, look);
    }
    this.y += 10;
  }

  verification(drawQr: QrDrawer): void {
    const { doc, sheet, frame } = this;
    const size = 88;
    const x = MARGIN + size + 30;
    const width = RIGHT - x - 12;
    const body = style('regular', 9, INK);
    const address = style('regular', 8, GREEN);
    const signature = style('regular', 8, SOFT);
    const textHeight =
      sheet.heightOf(frame.verification, width, body) +
      sheet.heightOf(frame.verifyUrl, width, address) +
      sheet.heightOf(frame.signature, width, signature);
    const height = Math.max(size + 22, textHeight + 46);
    this.ensureSpace(height);
    const top = this.y;
    sheet.decoration(() => doc.roundedRect(MARGIN, top, WIDTH, height, 8).lineWidth(0.75).stroke(LINE));
    let at = this.heading('Confira a autenticidade', { x, y: top + 9, width }) + 2;
    const square = { x: MARGIN + 14, y: top + (height - size) / 2, size };
    sheet.figure(sheet.root, frame.codeShows, [square.x, square.y, square.x + size, square.y + size], () =>
      drawQr(doc, frame.verifyUrl, square),
    );
    at = sheet.text(sheet.root, 'P', frame.verification, { x, y: at, width }, body) + 4;
    sheet.group(sheet.root, 'P', (paragraph) => {
      at = sheet.link(paragraph, frame.verifyUrl, frame.verifyLink, { x, y: at, width }, address) + 6;
    });
    sheet.text(sheet.root, 'P', frame.signature, { x, y: at, width }, signature);
    this.y = top + height + 8;
  }

  /** The codes by which machines know what the document is about, where they disturb no reader. */
  codes(): void {
    const small = style('regular', 7.5, SOFT);
    this.ensureSpace(this.sheet.heightOf(this.frame.codes, WIDTH, small));
    const box = { x: MARGIN, y: this.y, width: WIDTH };
    this.y = this.sheet.text(this.sheet.root, 'P', this.frame.codes, box, small);
  }

  /** Ends the body and draws what stands on every page; `mark` is written across each of them. */
  finish(bar: string, mark: { readonly text: string; readonly color: string } | null): void {
    const { doc, sheet, frame } = this;
    sheet.finish();
    const pages = doc.bufferedPageRange().count;
    for (let page = 0; page < pages; page++) {
      doc.switchToPage(page);
      sheet.decoration(() => {
        doc.rect(0, 0, doc.page.width, 7).fill(bar);
        if (mark !== null) this.#watermark(mark.text, mark.color);
        doc.font('regular').fontSize(7.5).fillColor(SOFT);
        const foot = `${frame.title} ${frame.protocol} · modelo ${frame.templateVersion} · página ${page + 1} de ${pages}`;
        doc.text(foot, MARGIN, 812, { lineBreak: false });
        const issuedWidth = doc.widthOfString(frame.issuedAt);
        doc.text(frame.issuedAt, RIGHT - issuedWidth, 812, { lineBreak: false });
      });
    }
  }

  #watermark(text: string, color: string): void {
    const { doc } = this;
    doc.save();
    doc.rotate(-52, { origin: [doc.page.width / 2, doc.page.height / 2] });
    doc
      .font('bold')
      .fontSize(text.length > 12 ? 46 : 110)
      .fillColor(color, 0.08);
    const width = doc.widthOfString(text);
    doc.text(text, (doc.page.width - width) / 2, doc.page.height / 2 - 30, { lineBreak: false });
    doc.restore();
    doc.fillOpacity(1);
  }
}
