import { cellText } from './cell-text.ts';
import type { SheetCell } from './sheet-row.ts';

/** The start of a cell tells what it is. */
const LOOKED_AT = 100;
/** A phone and a CPF have at least this many digits, and a sum that is no decimal number rarely has. */
const DIGITS_OF_A_FACT = 8;
const DATE = /^\d{1,4}[/.-]\d{1,2}[/.-]\d{2,4}/;
const DECIMAL = /^-?(?:R\$ ?)?-?[\d.]{0,20},\d{1,2}$/i;
const TOTAL = /^(?:sub[ -]?)?tota(?:l|is)\b|^soma(?:t[óo]rio)?\b/i;
const COMPANY = /\b(?:ltda|eireli|epp|mei?|s\.?[/ ]?a)\.?$/i;
const LETTER = /\p{L}/u;

interface Cell {
  readonly at: number;
  readonly cell: SheetCell;
  readonly text: string;
}

/** What is known of the columns before any row is looked at. */
export interface KnownColumns {
  /** The texts of the header. */
  readonly header: readonly string[];
  readonly amounts: ReadonlySet<number>;
  readonly dueDates: ReadonlySet<number>;
}

const digits = (text: string): number => text.replace(/\D/g, '').length;

/** A phone, a tax id, an e-mail address or a date: with one of them a row is somebody's debt, also a wrong one. */
function isFact({ at, cell, text }: Cell, { amounts }: KnownColumns): boolean {
  if (cell !== null && typeof cell === 'object') return true;
  if (amounts.has(at) || DECIMAL.test(text)) return false;
  if (typeof cell === 'number' && !Number.isInteger(cell)) return false;
  return text.includes('@') || DATE.test(text) || digits(text) >= DIGITS_OF_A_FACT;
}

/** A cell that stands alone in its row is a title or a sum, except a value that only a debt has. */
function isTitle({ at, cell, text }: Cell, { amounts, dueDates }: KnownColumns): boolean {
  if (cell !== null && typeof cell === 'object') return !dueDates.has(at);
  if (text.includes('@')) return false;
  if (LETTER.test(text) || amounts.has(at)) return true;
  return DECIMAL.test(text) || (digits(text) < DIGITS_OF_A_FACT && !DATE.test(text));
}

const isTotal = ({ cell, text }: Cell): boolean => typeof cell === 'string' && TOTAL.test(text) && !COMPANY.test(text);

/**
 * Whether a row is a title, a sum or the header once more, and nobody's debt. A row with a phone, a tax id, an address or
 * a date is none, whatever the name of its debtor is.
 */
export function isTitleOrTotal(cells: readonly SheetCell[], known: KnownColumns): boolean {
  const filled: Cell[] = [];
  for (const [at, cell] of cells.entries()) {
    const text = cellText(cell).slice(0, LOOKED_AT);
    if (text === '') continue;
    const one = { at, cell, text };
    // Most rows have a fact in one of their first cells.
    if (filled.length > 0 && isFact(one, known)) return false;
    filled.push(one);
  }
  const [first] = filled;
  if (first === undefined) return false;
  if (filled.length === 1) return isTitle(first, known);
  if (isFact(first, known)) return false;
  return (
    filled.some(isTotal) ||
    filled.every(({ text }) => !LETTER.test(text.replace(/^R\$/i, ''))) ||
    filled.every(({ at, text }) => text === known.header[at])
  );
}
