import { type Column, measureCells, ROW_PADDING, writeCells } from './cells.ts';
import { INK, type Layout, MARGIN, SOFT, style, WIDTH } from './layout.ts';

const HEAD = style('regular', 8, SOFT);
const CELL = style('regular', 9, INK);
const BOLD_CELL = style('bold', 9, INK);
const NATURE = style('regular', 8, SOFT);

/** A row whose first column has a name with what it is for below it. */
export interface NamedRow {
  readonly name: string;
  readonly nature: string | null;
  readonly cells: readonly string[];
}

interface NamedTable {
  readonly title: string;
  /** The first is that of the names. */
  readonly columns: readonly Column[];
  readonly heads: readonly string[];
  readonly rows: readonly NamedRow[];
  /** Stands below several rows. */
  readonly sum: readonly string[];
}

/** Draws a table of debts. Where a page ends inside, the heads stand on the next one again. */
export function drawNamedTable(layout: Layout, { title, columns, heads, rows, sum }: NamedTable): void {
  const { sheet } = layout;
  const [names, ...figureColumns] = columns;
  const { x, width } = names!;

  function heightOf({ name, nature, cells }: NamedRow): number {
    const first = sheet.heightOf(name, width, CELL) + (nature === null ? 0 : sheet.heightOf(nature, width, NATURE));
    return 2 * ROW_PADDING + Math.max(first, measureCells(sheet, figureColumns, cells, CELL));
  }

  const headHeight = measureCells(sheet, columns, heads, HEAD) + ROW_PADDING;
  layout.ensureSpace(20 + headHeight + heightOf(rows[0]!));
  layout.y = layout.heading(title, { x: MARGIN, y: layout.y, width: WIDTH }) + 3;
  sheet.group(sheet.root, 'Table', (table) => {
    const head = (): void =>
      sheet.group(table, 'TR', (tr) => {
        layout.y = writeCells(sheet, tr, columns, heads, { tag: 'TH', y: layout.y, style: HEAD }) + ROW_PADDING;
      });
    head();
    for (const row of rows) {
      if (layout.ensureSpace(heightOf(row))) head();
      layout.rule(MARGIN, layout.y, WIDTH);
      const top = layout.y + ROW_PADDING;
      sheet.group(table, 'TR', (tr) => {
        let below = top;
        sheet.group(tr, 'TD', (td) => {
          below = sheet.text(td, 'P', row.name, { x, y: top, width }, CELL);
          if (row.nature !== null) below = sheet.text(td, 'P', row.nature, { x, y: below, width }, NATURE);
        });
        const figures = writeCells(sheet, tr, figureColumns, row.cells, { tag: 'TD', y: top, style: CELL });
        layout.y = Math.max(below, figures) + ROW_PADDING;
      });
    }
    if (rows.length === 1) return;
    layout.ensureSpace(2 * ROW_PADDING + measureCells(sheet, columns, sum, BOLD_CELL));
    layout.rule(MARGIN, layout.y, WIDTH);
    sheet.group(table, 'TR', (tr) => {
      const look = { tag: 'TD', y: layout.y + ROW_PADDING, style: BOLD_CELL } as const;
      layout.y = writeCells(sheet, tr, columns, sum, look) + ROW_PADDING;
    });
  });
  layout.y += 10;
}
