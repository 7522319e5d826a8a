import { columnsOf } from './cells.ts';
import { AMBER, AMBER_PALE, GREEN, Layout, MARGIN, RED, RED_PALE, RIGHT, SOFT, style } from './layout.ts';
import { drawNamedTable } from './named-table.ts';
import type { QrDrawer } from './qr.ts';
import type { QuittanceData } from './quittance-data.ts';
import { quittanceWording } from './quittance-wording.ts';

const COLUMNS = columnsOf(MARGIN, [199, 68, 82, 68, 82.28]);

/** A visible change needs a new version of the template. */
export function drawQuittance(doc: PDFKit.PDFDocument, data: QuittanceData, drawQr: QrDrawer): void {
  const words = quittanceWording(data);
  const layout = new Layout(doc, words);
  const { sheet } = layout;
  const { revocation, testNotice } = words;

  function amountCard(): void {
    const besideWidth = 150;
    const shown = { label: 'Valor recebido', amount: words.amount, inWords: words.amountInWords };
    const middle = layout.amountCard({ ...shown, color: revocation ? SOFT : GREEN }, besideWidth);
    const box = { x: RIGHT - besideWidth, width: besideWidth - 18 };
    const [first = '', second = ''] = words.summary;
    const strong = style('bold', 10.5, revocation ? SOFT : GREEN, { align: 'right' });
    const below = sheet.text(sheet.root, 'P', first, { ...box, y: middle - 15 }, strong);
    sheet.text(sheet.root, 'P', second, { ...box, y: below }, style('regular', 9, SOFT, { align: 'right' }));
  }

  layout.letterhead();
  if (testNotice) layout.banner(testNotice, null, AMBER, AMBER_PALE);
  if (revocation) layout.banner(revocation.title, revocation.body, RED, RED_PALE);
  layout.titles();
  amountCard();
  layout.declaration(words.declaration);
  drawNamedTable(layout, {
    title: words.billsTitle,
    columns: COLUMNS,
    heads: words.billColumns,
    rows: words.billRows,
    sum: words.billSum,
  });
  layout.section('O que ela substitui', words.replaces, { gap: 2.5 });
  layout.section('O que ela abrange', words.covers, { gap: 2.5 });
  layout.verification(drawQr);
  layout.codes();
  const revoked = revocation ? { text: 'REVOGADA', color: RED } : null;
  layout.finish(revocation ? RED : GREEN, testNotice ? { text: testNotice, color: AMBER } : revoked);
}
