import type { SheetCell, SheetRow } from '../../ports/spreadsheet-reader.ts';
import { isListed } from '../csv/cells.ts';
import { type ColumnField, MAX_COLUMNS } from '../csv/columns.ts';
import type { GivenColumns } from './given-columns.ts';
import { guessField, rankGuesses } from './guess-field.ts';
import { cellText } from './read-cell.ts';

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

function scoreOf({ cells }: SheetRow, given: GivenColumns): number {
  const headers = headersOf(cells, Math.min(cells.length, MAX_COLUMNS));
  const named = headers.filter((header) => given.has(header)).length;
  const fields = new Set(headers.map((header) => guessField(header)?.field).filter((field) => field !== undefined));
  // A header that the caller names tells more than any guess.
  return named * MAX_COLUMNS + fields.size;
}

const filled = ({ cells }: SheetRow): number => cells.filter((cell) => cellText(cell) !== '').length;

/**
 * Returns the position of the header among the first filled rows: the row with most known names. Titles stand above it.
 * Without any known name it is the first row with two filled cells, because a title has one.
 */
export function findHeader(rows: readonly SheetRow[], given: GivenColumns): number {
  const scores = rows.map((row) => scoreOf(row, given));
  const best = Math.max(0, ...scores);
  if (best > 0) return scores.indexOf(best);
  return Math.max(
    0,
    rows.findIndex((row) => filled(row) > 1),
  );
}

const TAX_IDS: readonly ColumnField[] = ['debtorCpf', 'debtorCnpj'];
const LISTS = { debtorPhone: 'debtorPhones', debtorEmail: 'debtorEmails' } as const;

/**
 * Chooses the field of each column: the given one, else the guessed one. Each field is used once, by the best guess and
 * then the leftmost column; further phones and e-mail addresses go to the lists.
 */
export function fieldsOf(headers: readonly string[], given: GivenColumns): (ColumnField | null)[] {
  const fields = headers.map((header) => given.get(header) ?? null);
  const used = new Set(fields.filter((field) => field !== null));
  const isTaken = (field: ColumnField): boolean =>
    used.has(field) ||
    (TAX_IDS.includes(field) && used.has('debtorTaxId')) ||
    (field === 'debtorTaxId' && TAX_IDS.some((taxId) => used.has(taxId)));
  const guesses = headers.flatMap((header, at) => {
    const guess = guessField(header);
    return guess === null ? [] : [{ at, ...guess }];
  });
  for (const { at, field } of rankGuesses(guesses)) {
    if (given.has(headers[at]!)) continue;
    if (!isTaken(field)) fields[at] = field;
    else if (isListed(field)) fields[at] = field in LISTS ? LISTS[field as keyof typeof LISTS] : field;
    else continue;
    used.add(fields[at]!);
  }
  return fields;
}
