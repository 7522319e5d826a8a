import type { AgreementData } from './agreement-data.ts';
import { agreementWording } from './agreement-wording.ts';
import { AMBER, AMBER_PALE, GREEN, INK, Layout, MARGIN, RIGHT, SOFT, style, WIDTH } from './layout.ts';
import type { QrDrawer } from './qr.ts';
import type { Box, Element, TextStyle } from './sheet.ts';

const HEAD = style('regular', 8, SOFT);
const CELL = style('regular', 9, INK);
const BOLD_CELL = style('bold', 9, INK);
const NATURE = style('regular', 8, SOFT);
const ACCEPTED = style('regular', 8, INK, { lineGap: 0.5 });
const ROW_PADDING = 3;

interface Column {
  readonly x: number;
  readonly width: number;
  readonly align: 'left' | 'right';
}

const COLUMN_GAP = 6;

/** The first column has the name of the debt, and the others figures of one line. */
const DEBT_COLUMNS = columnsOf(MARGIN, [139, 64, 76, 76, 70, 74.28]);
function columnsOf(left: number, widths: readonly number[]): Column[] {
  let x = left;
  return widths.map((width, at) => {
    const gap = at === 0 ? 0 : COLUMN_GAP;
    const column: Column = { x: x + gap, width: width - gap, align: at === 0 ? 'left' : 'right' };
    x += width;
    return column;
  });
}

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

  function amountCard(): void {
    const { amount, amountInWords: inWords, summary } = words;
    const besideWidth = 150;
    const middle = layout.amountCard({ label: 'Valor do acordo', amount, inWords, color: GREEN }, besideWidth);
    const box = { x: RIGHT - besideWidth, width: besideWidth - 18 };
    const [first = '', second = ''] = summary;
    const strong = style('bold', 10.5, GREEN, { align: 'right' });
    const below = sheet.text(sheet.root, 'P', first, { ...box, y: middle - 15 }, strong);
    sheet.text(sheet.root, 'P', second, { ...box, y: below }, style('regular', 9, SOFT, { align: 'right' }));
  }

  /** Writes the cells of one row beside each other and returns the y below the highest. */
  function cells(
    row: Element,
    columns: readonly Column[],
    texts: readonly string[],
    look: { readonly tag: 'TH' | 'TD'; readonly y: number; readonly style: TextStyle },
  ): number {
    return texts.reduce((lowest, text, at) => {
      const { x, width, align } = columns[at]!;
      let below = look.y;
      const fill = (cell: Element): void => {
        if (text !== '') below = sheet.text(cell, 'P', text, { x, y: look.y, width }, { ...look.style, align });
      };
      sheet.group(row, look.tag, fill, look.tag === 'TH' ? { scope: 'Column' } : {});
      return Math.max(lowest, below);
    }, look.y);
  }

  const heightOfCells = (columns: readonly Column[], texts: readonly string[], look: TextStyle): number =>
    Math.max(...texts.map((text, at) => (text === '' ? 0 : sheet.heightOf(text, columns[at]!.width, look))));

  function debts(): void {
    const { debtRows, debtColumns, debtSum } = words;
    const heightOf = ({ name, nature, cells: figures }: (typeof debtRows)[number]): number => {
      const { width } = DEBT_COLUMNS[0]!;
      const first = sheet.heightOf(name, width, CELL) + (nature === null ? 0 : sheet.heightOf(nature, width, NATURE));
      return 2 * ROW_PADDING + Math.max(first, heightOfCells(DEBT_COLUMNS.slice(1), figures, CELL));
    };
    const headHeight = heightOfCells(DEBT_COLUMNS, debtColumns, HEAD) + ROW_PADDING;
    layout.ensureSpace(20 + headHeight + heightOf(debtRows[0]!));
    layout.y = layout.heading(debtRows.length === 1 ? 'A dívida' : 'As dívidas', bodyBox()) + 3;
    sheet.group(sheet.root, 'Table', (table) => {
      const head = (): void =>
        sheet.group(table, 'TR', (tr) => {
          layout.y = cells(tr, DEBT_COLUMNS, debtColumns, { tag: 'TH', y: layout.y, style: HEAD }) + ROW_PADDING;
        });
      head();
      for (const row of debtRows) {
        if (layout.ensureSpace(heightOf(row))) head();
        layout.rule(MARGIN, layout.y, WIDTH);
        const top = layout.y + ROW_PADDING;
        sheet.group(table, 'TR', (tr) => {
          let below = top;
          sheet.group(tr, 'TD', (td) => {
            const { x, width } = DEBT_COLUMNS[0]!;
            below = sheet.text(td, 'P', row.name, { x, y: top, width }, CELL);
            if (row.nature !== null) below = sheet.text(td, 'P', row.nature, { x, y: below, width }, NATURE);
          });
          const figures = cells(tr, DEBT_COLUMNS.slice(1), row.cells, { tag: 'TD', y: top, style: CELL });
          layout.y = Math.max(below, figures) + ROW_PADDING;
        });
      }
      if (debtRows.length === 1) return;
      layout.ensureSpace(2 * ROW_PADDING + heightOfCells(DEBT_COLUMNS, debtSum, BOLD_CELL));
      layout.rule(MARGIN, layout.y, WIDTH);
      sheet.group(table, 'TR', (tr) => {
        const look = { tag: 'TD', y: layout.y + ROW_PADDING, style: BOLD_CELL } as const;
        layout.y = cells(tr, DEBT_COLUMNS, debtSum, look) + ROW_PADDING;
      });
    });
    layout.y += 10;
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
        at = cells(tr, columns, words.instalmentColumns, { tag: 'TH', y: at, style: HEAD }) + ROW_PADDING;
      });
      for (const row of rows) {
        layout.rule(x, at, width);
        sheet.group(table, 'TR', (tr) => {
          at = cells(tr, columns, row, { tag: 'TD', y: at + ROW_PADDING, style: CELL }) + ROW_PADDING;
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
  amountCard();
  layout.declaration(words.declaration);
  debts();
  instalments();
  layout.section('As regras do acordo', words.rules, { gap: 2.5 });
  acceptance();
  layout.verification(drawQr);
  layout.codes();
  layout.finish(GREEN, words.testNotice ? { text: words.testNotice, color: AMBER } : null);
}
