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

/** A year of two digits up to this one is of this century. Others are refused, because nobody is owed for 2080. */
const LAST_SHORT_YEAR = 39;

const yearOf = (digits: string): string | null => {
  if (digits.length === 4) return digits;
  return Number(digits) <= LAST_SHORT_YEAR ? `20${digits}` : null;
};

/** Converts `20/11/2026`, `20.11.2026` and `20/11/26` to `2026-11-20` and returns anything else unchanged. */
export const dateOf = (cell: string): string => {
  const [, day, , month, digits] = /^(\d{1,2})([/.])(\d{1,2})\2(\d{4}|\d{2})$/.exec(cell) ?? [];
  const year = digits === undefined ? null : yearOf(digits);
  return year === null ? cell : `${year}-${month!.padStart(2, '0')}-${day!.padStart(2, '0')}`;
};

/**
 * Converts `20/11/2026 14:30` to `2026-11-20`. The hour of a spreadsheet has no time zone, so that only its day is known.
 */
export const dayOf = (cell: string): string => dateOf(cell.replace(/ \d{1,2}:\d{2}(:\d{2})?$/, ''));
