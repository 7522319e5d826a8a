import {
  AMBER,
  AMBER_PALE,
  GREEN,
  GUTTER,
  Layout,
  MARGIN,
  PALE,
  RED,
  RED_PALE,
  RIGHT,
  SOFT,
  style,
  WIDTH,
} from './layout.ts';
import type { QrDrawer } from './qr.ts';
import type { ReceiptData } from './receipt-data.ts';
import { type Wording, wording } from './wording.ts';

/** The column of the debt is narrower, because the payment has longer values. */
const DEBT_WIDTH = 214;
const PAYMENT_WIDTH = WIDTH - GUTTER - DEBT_WIDTH;

/** A visible change needs a new version of the template, by which receipts of older versions are known. */
export function drawReceipt(doc: PDFKit.PDFDocument, data: ReceiptData, drawQr: QrDrawer): void {
  const words: Wording = wording(data);
  const layout = new Layout(doc, words);
  const { sheet } = layout;

  function amountCard(): void {
    const { settledMark, revocation, amount, amountInWords: inWords } = words;
    const paidWidth = settledMark === null ? 0 : 132;
    const color = revocation ? SOFT : GREEN;
    const middle = layout.amountCard({ label: 'Valor recebido', amount, inWords, color }, paidWidth);
    if (settledMark !== null && !revocation) drawSettledMark(settledMark, RIGHT - paidWidth, middle);
  }

  function drawSettledMark(text: string, x: number, middle: number): void {
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

  function tables(): void {
    const { about, payment } = words;
    const heights = [layout.heightOfRows(about.rows, DEBT_WIDTH), layout.heightOfRows(payment, PAYMENT_WIDTH)];
    layout.ensureSpace(Math.max(...heights));
    const top = layout.y;
    const left = layout.table(about.title, about.rows, { x: MARGIN, y: top, width: DEBT_WIDTH });
    const right = layout.table('O pagamento', payment, { x: RIGHT - PAYMENT_WIDTH, y: top, width: PAYMENT_WIDTH });
    layout.y = Math.max(left, right) + 10;
  }

  const { testNotice, revocation, restoration, note } = words;
  layout.letterhead();
  if (testNotice) layout.banner(testNotice, null, AMBER, AMBER_PALE);
  if (revocation) layout.banner(revocation.title, revocation.body, RED, RED_PALE);
  if (restoration) layout.banner(restoration.title, restoration.body, GREEN, PALE);
  layout.titles();
  amountCard();
  layout.declaration(words.declaration);
  tables();
  layout.section(note.title, [note.body]);
  layout.verification(drawQr);
  layout.codes();
  const revoked = revocation ? { text: 'REVOGADO', color: RED } : null;
  layout.finish(revocation ? RED : GREEN, testNotice ? { text: testNotice, color: AMBER } : revoked);
}
