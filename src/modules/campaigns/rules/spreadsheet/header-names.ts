import { cellText } from './cell-text.ts';
import type { SheetCell } from './sheet-row.ts';

/** No spreadsheet of an office is wider, and each column of the header costs time. */
export const MAX_COLUMNS = 200;

/** How offices begin the name of a column with numbers of bills: `Nº da fatura`, `Num. do título`. */
export const NUMBER_OF = [
  ...['n', 'no', 'nr', 'num', 'numero', 'ndo', 'nodo', 'numdo', 'numerodo'],
  ...['nda', 'noda', 'numda', 'numeroda'],
] as const;

/** Longer than any accepted name in any spelling. */
const MAX_HEADER_LENGTH = 64;

/** Known names have few accents, and turning very many of them into letters takes long. */
const MAX_ACCENTS = 8;

const hasManyAccents = (header: string): boolean => {
  let accents = 0;
  for (let at = 0; at < header.length; at += 1) if (header.charCodeAt(at) > 127) accents += 1;
  return accents > MAX_ACCENTS;
};

/** Returns a header without accents, case, spaces and punctuation; empty for a text that cannot be a known name. */
export const foldHeader = (header: string): string =>
  header.length > MAX_HEADER_LENGTH || hasManyAccents(header)
    ? ''
    : header
        .normalize('NFD')
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, '');

/** Returns `A` for the first column, `AA` for the 27th. */
export function columnLetters(at: number): string {
  const rest = Math.floor(at / 26) - 1;
  return `${rest < 0 ? '' : columnLetters(rest)}${String.fromCharCode(65 + (at % 26))}`;
}

const nameOf = (cell: SheetCell | undefined): string => cellText(cell ?? null).replace(/\s+/g, ' ');

/**
 * Names the columns of a header, each in another way, because a mapping names them: `Valor`, `Valor (2)`. A column
 * without a header gets the name that a spreadsheet gives it.
 */
export function headersOf(cells: readonly SheetCell[], width: number): string[] {
  const used = new Set<string>();
  const times = new Map<string, number>();
  const unique = (name: string): string => {
    let result = name;
    while (used.has(result)) {
      const next = (times.get(name) ?? 1) + 1;
      times.set(name, next);
      result = `${name} (${next})`;
    }
    used.add(result);
    return result;
  };
  return Array.from({ length: width }, (_, at) => unique(nameOf(cells[at]) || `Coluna ${columnLetters(at)}`));
}
