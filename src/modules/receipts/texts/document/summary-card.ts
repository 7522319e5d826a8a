import { type Layout, RIGHT, SOFT, style } from './layout.ts';

interface Summary {
  readonly label: string;
  readonly amount: string;
  readonly inWords: string;
  /** Two lines beside the amount, of which the first is strong. */
  readonly lines: readonly string[];
  readonly color: string;
}

const BESIDE_WIDTH = 150;

/** Draws the amount of a document with a summary of what it is made of beside it. */
export function drawSummaryCard(layout: Layout, { lines, ...shown }: Summary): void {
  const { sheet } = layout;
  const middle = layout.amountCard(shown, BESIDE_WIDTH);
  const box = { x: RIGHT - BESIDE_WIDTH, width: BESIDE_WIDTH - 18 };
  const [first = '', second = ''] = lines;
  const strong = style('bold', 10.5, shown.color, { align: 'right' });
  const below = sheet.text(sheet.root, 'P', first, { ...box, y: middle - 15 }, strong);
  sheet.text(sheet.root, 'P', second, { ...box, y: below }, style('regular', 9, SOFT, { align: 'right' }));
}
