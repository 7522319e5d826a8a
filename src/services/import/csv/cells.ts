import type { DebtField } from '../import-problem.ts';
import type { Columns } from './columns.ts';

const GROUPED = /^\d{1,3}(\.\d{3})+(,\d+)?$/;
const COMMA = /^\d+(,\d+)?$/;
const POINT = /^\d+\.\d+$/;
/** A thousand to one who writes 1.000,00 and one to who writes 1.000: money is not guessed. */
const AMBIGUOUS = /^\d{1,3}\.\d{3}$/;

/** `R$ 1.234,56`, `1234,56` or `1234.56` as a number; NaN, which no amount is, for anything else. */
export const amountOf = (cell: string): number => {
  const text = cell.replace(/^\s*R\$/i, '').trim();
  if (AMBIGUOUS.test(text)) return Number.NaN;
  if (GROUPED.test(text) || COMMA.test(text)) return Number(text.replaceAll('.', '').replace(',', '.'));
  return POINT.test(text) ? Number(text) : Number.NaN;
};

/** `20/11/2026` as `2026-11-20`; anything else as it is. */
export const dateOf = (cell: string): string => {
  const match = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(cell);
  return match === null ? cell : `${match[3]}-${match[2]!.padStart(2, '0')}-${match[1]!.padStart(2, '0')}`;
};

/** As the JSON import gets it. */
export type DebtElement = Partial<Record<DebtField, string | number>>;

/** An empty cell is a missing field; where two columns name one field (telefone, celular) the first filled one counts. */
export function elementOf(cells: readonly string[], columns: Columns): DebtElement {
  const element: DebtElement = {};
  for (const { at, field } of columns) {
    const cell = cells[at]?.trim() ?? '';
    if (cell === '' || element[field] !== undefined) continue;
    element[field] = field === 'originalAmount' ? amountOf(cell) : field === 'dueDate' ? dateOf(cell) : cell;
  }
  return element;
}
