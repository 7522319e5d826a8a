import type { DebtField } from '../import-problem.ts';
import type { Columns } from './columns.ts';

const GROUPED = /^\d{1,3}(\.\d{3})+(,\d+)?$/;
const COMMA = /^\d+(,\d+)?$/;
const POINT = /^\d+\.\d+$/;
/**
 * `1.000` can mean one thousand (as in `1.000,00`) or one with three decimals. An amount is never guessed, so it is
 * refused.
 */
const AMBIGUOUS = /^\d{1,3}\.\d{3}$/;

/**
 * Parses `R$ 1.234,56`, `1234,56` or `1234.56`. Returns NaN for anything else, because no rule accepts NaN as an
 * amount.
 */
export const amountOf = (cell: string): number => {
  const text = cell.replace(/^\s*R\$/i, '').trim();
  if (AMBIGUOUS.test(text)) return Number.NaN;
  if (GROUPED.test(text) || COMMA.test(text)) return Number(text.replaceAll('.', '').replace(',', '.'));
  return POINT.test(text) ? Number(text) : Number.NaN;
};

/** Converts `20/11/2026` to `2026-11-20` and returns anything else unchanged. */
export const dateOf = (cell: string): string => {
  const match = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(cell);
  return match === null ? cell : `${match[3]}-${match[2]!.padStart(2, '0')}-${match[1]!.padStart(2, '0')}`;
};

/** An element in the form of the JSON import. */
export type DebtElement = Partial<Record<DebtField, string | number>>;

/**
 * An empty cell is a missing field. When two columns name one field (telefone, celular), the first filled cell counts.
 */
export function elementOf(cells: readonly string[], columns: Columns): DebtElement {
  const element: DebtElement = {};
  for (const { at, field } of columns) {
    const cell = cells[at]?.trim() ?? '';
    if (cell === '' || element[field] !== undefined) continue;
    element[field] = field === 'originalAmount' ? amountOf(cell) : field === 'dueDate' ? dateOf(cell) : cell;
  }
  return element;
}
