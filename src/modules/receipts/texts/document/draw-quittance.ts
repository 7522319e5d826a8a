import { columnsOf } from './cells.ts';
import { AMBER, AMBER_PALE, GREEN, Layout, MARGIN, RED, RED_PALE, SOFT } from './layout.ts';
import { drawNamedTable } from './named-table.ts';
import type { QrDrawer } from './qr.ts';
import type { QuittanceData } from './quittance-data.ts';
import { quittanceWording } from './quittance-wording.ts';
import { drawSummaryCard } from './summary-card.ts';

const COLUMNS = columnsOf(MARGIN, [199, 68, 82, 68, 82.28]);

/** A visible change needs a new version of the template. */
export function drawQuittance(doc: PDFKit.PDFDocument, data: QuittanceData, drawQr: QrDrawer): void {
  const words = quittanceWording(data);
  const layout = new Layout(doc, words);
  const { revocation, testNotice } = words;

  layout.letterhead();
  if (testNotice) layout.banner(testNotice, null, AMBER, AMBER_PALE);
  if (revocation) layout.banner(revocation.title, revocation.body, RED, RED_PALE);
  layout.titles();
  const { amount, amountInWords: inWords, summary: lines } = words;
  drawSummaryCard(layout, { label: 'Valor recebido', amount, inWords, lines, color: revocation ? SOFT : GREEN });
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
