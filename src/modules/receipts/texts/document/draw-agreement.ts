import type { AgreementData } from './agreement-data.ts';
import { agreementWording } from './agreement-wording.ts';
import { COLUMN_GAP, type Column, columnsOf, ROW_PADDING, writeCells } from './cells.ts';
import { AMBER, AMBER_PALE, GREEN, INK, Layout, MARGIN, SOFT, style, WIDTH } from './layout.ts';
import { drawNamedTable } from './named-table.ts';
import type { QrDrawer } from './qr.ts';
import type { Box } from './sheet.ts';
import { drawSummaryCard } from './summary-card.ts';

const HEAD = style('regular', 8, SOFT);
const CELL = style('regular', 9, INK);
const ACCEPTED = style('regular', 8, INK, { lineGap: 0.5 });

const DEBT_COLUMNS = columnsOf(MARGIN, [139, 64, 76, 76, 70, 74.28]);

/** So many instalments stand below each other before they are divided into columns. */
const FEW_INSTALMENTS = 6;
const MOST_COLUMNS = 3;
/** The columns of number and date; that of the amount is as wide as the longest. */
const INSTALMENT_WIDTHS = [34, 58] as const;
const INSTALMENT_GAP = 24;
const INSTALMENT_HEAD = 16;

/** A visible change needs a new version of the template. */
export function drawAgreement(doc: PDFKit.PDFDocument, data: AgreementData, drawQr: QrDrawer): void {
  const words = agreementWording(data);
  const layout = new Layout(doc, words);
  const { sheet } = layout;

  function debts(): void {
    const { debtRows: rows, debtColumns: heads, debtSum: sum } = words;
    const title = rows.length === 1 ? 'A dívida' : 'As dívidas';
    drawNamedTable(layout, { title, columns: DEBT_COLUMNS, heads, rows, sum });
  }

  /** Many instalments stand in columns, each a table of its own that is read from top to bottom. */
  function instalments(): void {
    const { instalmentRows: rows } = words;
    const amountWidth = Math.max(...rows.map(([, , amount = '']) => sheet.widthOf(amount, CELL)));
    const widths = [...INSTALMENT_WIDTHS, Math.ceil(amountWidth) + 2 * COLUMN_GAP];
    const width = widths.reduce((sum, one) => sum + one, 0);
    const wanted = Math.min(MOST_COLUMNS, Math.ceil(rows.length / FEW_INSTALMENTS));
    const count = Math.min(wanted, Math.floor((WIDTH + INSTALMENT_GAP) / (width + INSTALMENT_GAP)));
    const rowHeight = sheet.heightOf('0', WIDTH, CELL) + 2 * ROW_PADDING;
    layout.ensureSpace(20 + INSTALMENT_HEAD + Math.min(FEW_INSTALMENTS, rows.length) * rowHeight);
    layout.y = layout.heading(rows.length === 1 ? 'O pagamento' : 'As parcelas', bodyBox()) + 3;
    for (let from = 0; from < rows.length; ) {
      layout.ensureSpace(INSTALMENT_HEAD + rowHeight);
      const most = Math.floor((layout.room - INSTALMENT_HEAD) / rowHeight);
      const each = Math.min(most, Math.ceil((rows.length - from) / count));
      const top = layout.y;
      for (let column = 0; column < count && from < rows.length; column++, from += each) {
        const x = MARGIN + column * (width + INSTALMENT_GAP);
        const below = instalmentTable(rows.slice(from, from + each), columnsOf(x, widths), { x, y: top, width });
        layout.y = Math.max(layout.y, below);
      }
    }
    layout.y += 10;
  }

  function instalmentTable(
    rows: readonly (readonly string[])[],
    columns: readonly Column[],
    { x, y, width }: Box,
  ): number {
    let at = y;
    sheet.group(sheet.root, 'Table', (table) => {
      sheet.group(table, 'TR', (tr) => {
        at = writeCells(sheet, tr, columns, words.instalmentColumns, { tag: 'TH', y: at, style: HEAD }) + ROW_PADDING;
      });
      for (const row of rows) {
        layout.rule(x, at, width);
        sheet.group(table, 'TR', (tr) => {
          at = writeCells(sheet, tr, columns, row, { tag: 'TD', y: at + ROW_PADDING, style: CELL }) + ROW_PADDING;
        });
      }
    });
    return at;
  }

  function acceptance(): void {
    layout.ensureSpace(layout.heightOfRows(words.acceptance, WIDTH));
    layout.y = layout.table('O aceite do devedor', words.acceptance, bodyBox()) + 10;
    layout.section('O texto aceito, palavra por palavra', words.acceptedLines, { look: ACCEPTED });
  }

  const bodyBox = (): Box => ({ x: MARGIN, y: layout.y, width: WIDTH });

  layout.letterhead();
  if (words.testNotice) layout.banner(words.testNotice, null, AMBER, AMBER_PALE);
  layout.titles();
  const { amount, amountInWords: inWords, summary: lines } = words;
  drawSummaryCard(layout, { label: 'Valor do acordo', amount, inWords, lines, color: GREEN });
  layout.declaration(words.declaration);
  debts();
  instalments();
  layout.section('As regras do acordo', words.rules, { gap: 2.5 });
  acceptance();
  layout.verification(drawQr);
  layout.codes();
  layout.finish(GREEN, words.testNotice ? { text: words.testNotice, color: AMBER } : null);
}
