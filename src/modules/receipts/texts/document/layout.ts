import type { QrDrawer } from './qr.ts';
import type { ReceiptData } from './receipt-data.ts';
import { type Box, type FontName, Sheet, type TextStyle } from './sheet.ts';
import { type Row, type Wording, wording } from './wording.ts';

const MARGIN = 48;
const WIDTH = 595.28 - 2 * MARGIN;
const RIGHT = MARGIN + WIDTH;
/** The lower end of the body text; the page number is below it. */
const BOTTOM = 797;
const GUTTER = 26;
/** The column of the debt is narrower, because the payment has longer values. */
const DEBT_WIDTH = 214;
const PAYMENT_WIDTH = WIDTH - GUTTER - DEBT_WIDTH;

const INK = '#16211d';
const SOFT = '#53605b';
const GREEN = '#0b6b4f';
const PALE = '#eaf4ef';
const LINE = '#d5ded9';
const AMBER = '#7a4a00';
const AMBER_PALE = '#fff3d6';
const RED = '#a3161b';
const RED_PALE = '#fdeaea';

/** A visible change needs a new version of the template, by which receipts of older versions are known. */
export function drawReceipt(doc: PDFKit.PDFDocument, data: ReceiptData, drawQr: QrDrawer): void {
  const sheet = new Sheet(doc);
  const words: Wording = wording(data);
  const style = (font: FontName, size: number, color: string, rest: Partial<TextStyle> = {}): TextStyle => ({
    font,
    size,
    color,
    ...rest,
  });
  const label = style('regular', 8, SOFT);
  const value = style('regular', 9.5, INK);
  const strongValue = style('bold', 9.5, INK);
  const heading = style('bold', 11, GREEN);
  let y = 0;

  const ensureSpace = (height: number): void => {
    if (y + height <= BOTTOM) return;
    doc.addPage();
    y = MARGIN;
  };

  function letterhead(): void {
    const protocolWidth = 150;
    const nameWidth = WIDTH - protocolWidth - GUTTER;
    y = sheet.text(sheet.root, 'P', words.creditorName, { x: MARGIN, y: 34, width: nameWidth }, style('bold', 12, INK));
    for (const line of words.creditorLines) {
      y = sheet.text(sheet.root, 'P', line, { x: MARGIN, y, width: nameWidth }, style('regular', 8.5, SOFT));
    }
    const box = { x: RIGHT - protocolWidth, width: protocolWidth };
    sheet.group(sheet.root, 'Div', (group) => {
      const below = sheet.text(group, 'P', 'Protocolo', { ...box, y: 35 }, { ...label, align: 'right' });
      const end = sheet.text(
        group,
        'P',
        data.protocol,
        { ...box, y: below },
        style('bold', 10.5, INK, { align: 'right' }),
      );
      y = Math.max(y, end) + 10;
    });
    sheet.decoration(() => doc.moveTo(MARGIN, y).lineTo(RIGHT, y).lineWidth(0.75).stroke(LINE));
    y += 13;
  }

  function banner(title: string, body: string | null, color: string, background: string): void {
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
    y += height + 12;
  }

  function titles(): void {
    y = sheet.text(sheet.root, 'H1', words.title, { x: MARGIN, y, width: WIDTH }, style('bold', 24, INK)) - 3;
    y = sheet.text(sheet.root, 'P', words.subtitle, { x: MARGIN, y, width: WIDTH }, style('regular', 10.5, SOFT)) + 9;
  }

  function amountCard(): void {
    const paidWidth = words.settledMark === null ? 0 : 132;
    const inner = WIDTH - 36 - paidWidth;
    const amountStyle = style('bold', 25, words.revocation ? SOFT : GREEN);
    const wordsStyle = style('regular', 9.5, INK);
    const height =
      32 + sheet.heightOf(words.amount, inner, amountStyle) + sheet.heightOf(words.amountInWords, inner, wordsStyle);
    sheet.decoration(() => doc.roundedRect(MARGIN, y, WIDTH, height, 8).fill(PALE));
    const x = MARGIN + 18;
    let below = sheet.text(sheet.root, 'P', 'Valor recebido', { x, y: y + 10, width: inner }, label);
    below = sheet.text(sheet.root, 'P', words.amount, { x, y: below - 2, width: inner }, amountStyle);
    sheet.text(sheet.root, 'P', words.amountInWords, { x, y: below, width: inner }, wordsStyle);
    if (words.settledMark !== null && !words.revocation) {
      settledMark(words.settledMark, RIGHT - paidWidth, y + height / 2);
    }
    y += height + 12;
  }

  function settledMark(text: string, x: number, middle: number): void {
    sheet.decoration(() => {
      doc.circle(x + 14, middle, 14).fill(GREEN);
      doc
        .moveTo(x + 7.5, middle + 0.5)
        .lineTo(x + 12, middle + 5)
        .lineTo(x + 20.5, middle - 5);
      doc.lineWidth(2.4).lineCap('round').lineJoin('round').stroke('#ffffff');
    });
    const box = { x: x + 36, width: 92 };
    const below = sheet.text(sheet.root, 'P', text, { ...box, y: middle - 15 }, style('bold', 10.5, GREEN));
    sheet.text(sheet.root, 'P', words.paidOn, { ...box, y: below }, style('regular', 9, SOFT));
  }

  function declaration(): void {
    const runs = words.declaration
      .map((text, index) => ({ text, style: style(index % 2 ? 'bold' : 'regular', 10, INK) }))
      .filter(({ text }) => text !== '');
    y = sheet.runs(sheet.root, 'P', runs, { x: MARGIN, y, width: WIDTH }, 1.5) + 11;
  }

  const heightOfRow = (row: Row, width: number): number =>
    5 + sheet.heightOf(row.label, width, label) + sheet.heightOf(row.value, width, row.strong ? strongValue : value);

  function table(title: string, rows: readonly Row[], { x, y: top, width }: Box): number {
    let at = sheet.text(sheet.root, 'H2', title, { x, y: top, width }, heading) + 3;
    sheet.group(sheet.root, 'Table', (tableElement) => {
      for (const row of rows) {
        sheet.decoration(() =>
          doc
            .moveTo(x, at)
            .lineTo(x + width, at)
            .lineWidth(0.5)
            .stroke(LINE),
        );
        sheet.group(tableElement, 'TR', (tr) => {
          sheet.group(
            tr,
            'TH',
            (th) => {
              at = sheet.text(th, 'P', row.label, { x, y: at + 2.5, width }, label);
            },
            { scope: 'Row' },
          );
          sheet.group(tr, 'TD', (td) => {
            at = sheet.text(td, 'P', row.value, { x, y: at, width }, row.strong ? strongValue : value) + 2.5;
          });
        });
      }
    });
    return at;
  }

  function tables(): void {
    const total = (rows: readonly Row[], width: number): number =>
      rows.reduce((sum, row) => sum + heightOfRow(row, width), 20);
    ensureSpace(Math.max(total(words.debtRows, DEBT_WIDTH), total(words.paymentRows, PAYMENT_WIDTH)));
    const top = y;
    const left = table('A dívida', words.debtRows, { x: MARGIN, y: top, width: DEBT_WIDTH });
    const right = table('O pagamento', words.paymentRows, { x: RIGHT - PAYMENT_WIDTH, y: top, width: PAYMENT_WIDTH });
    y = Math.max(left, right) + 10;
  }

  function section(title: string, body: string): void {
    const bodyStyle = style('regular', 9, INK, { lineGap: 1 });
    ensureSpace(18 + sheet.heightOf(body, WIDTH, bodyStyle));
    y = sheet.text(sheet.root, 'H2', title, { x: MARGIN, y, width: WIDTH }, heading) + 2;
    y = sheet.text(sheet.root, 'P', body, { x: MARGIN, y, width: WIDTH }, bodyStyle) + 10;
  }

  function verification(): void {
    const size = 88;
    const x = MARGIN + size + 30;
    const width = RIGHT - x - 12;
    const body = style('regular', 9, INK);
    const address = style('regular', 8, GREEN);
    const signature = style('regular', 8, SOFT);
    const textHeight =
      sheet.heightOf(words.verification, width, body) +
      sheet.heightOf(data.verifyUrl, width, address) +
      sheet.heightOf(words.signature, width, signature);
    const height = Math.max(size + 22, textHeight + 46);
    ensureSpace(height);
    const top = y;
    sheet.decoration(() => doc.roundedRect(MARGIN, top, WIDTH, height, 8).lineWidth(0.75).stroke(LINE));
    let at = sheet.text(sheet.root, 'H2', 'Confira a autenticidade', { x, y: top + 9, width }, heading) + 2;
    const square = { x: MARGIN + 14, y: top + (height - size) / 2, size };
    sheet.figure(sheet.root, words.codeShows, [square.x, square.y, square.x + size, square.y + size], () =>
      drawQr(doc, data.verifyUrl, square),
    );
    at = sheet.text(sheet.root, 'P', words.verification, { x, y: at, width }, body) + 4;
    sheet.group(sheet.root, 'P', (paragraph) => {
      at = sheet.link(paragraph, data.verifyUrl, words.verifyLink, { x, y: at, width }, address) + 6;
    });
    sheet.text(sheet.root, 'P', words.signature, { x, y: at, width }, signature);
    y = top + height + 8;
  }

  /** The codes by which machines know the debt and the payment, where they disturb no reader. */
  function codes(): void {
    const small = style('regular', 7.5, SOFT);
    ensureSpace(sheet.heightOf(words.codes, WIDTH, small));
    y = sheet.text(sheet.root, 'P', words.codes, { x: MARGIN, y, width: WIDTH }, small);
  }

  function watermark(text: string, color: string): void {
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

  function headersAndFooters(): void {
    const pages = doc.bufferedPageRange().count;
    for (let page = 0; page < pages; page++) {
      doc.switchToPage(page);
      sheet.decoration(() => {
        doc.rect(0, 0, doc.page.width, 7).fill(words.revocation ? RED : GREEN);
        if (words.testNotice) watermark(words.testNotice, AMBER);
        else if (words.revocation) watermark('REVOGADO', RED);
        doc.font('regular').fontSize(7.5).fillColor(SOFT);
        const foot = `${words.title} ${data.protocol} · modelo ${data.templateVersion} · página ${page + 1} de ${pages}`;
        doc.text(foot, MARGIN, 812, { lineBreak: false });
        const issuedWidth = doc.widthOfString(words.issuedAt);
        doc.text(words.issuedAt, RIGHT - issuedWidth, 812, { lineBreak: false });
      });
    }
  }

  letterhead();
  if (words.testNotice) banner(words.testNotice, null, AMBER, AMBER_PALE);
  if (words.revocation) banner(words.revocation.title, words.revocation.body, RED, RED_PALE);
  if (words.restoration) banner(words.restoration.title, words.restoration.body, GREEN, PALE);
  titles();
  amountCard();
  declaration();
  tables();
  section(words.note.title, words.note.body);
  verification();
  codes();
  sheet.finish();
  headersAndFooters();
}
