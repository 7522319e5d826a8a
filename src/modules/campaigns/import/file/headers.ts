import { headersOf, MAX_COLUMNS } from '../../rules/spreadsheet/header-names.ts';
import type { SheetRow } from '../../rules/spreadsheet/sheet-row.ts';
import { isListed } from '../csv/cells.ts';
import type { ColumnField } from '../csv/columns.ts';
import type { GivenColumns } from './given-columns.ts';
import { guessField, rankGuesses } from './guess-field.ts';

/** Counts the known names of a row, which is the header when no other row has more. */
export function scoreOfHeader({ cells }: SheetRow, given: GivenColumns): number {
  const headers = headersOf(cells, Math.min(cells.length, MAX_COLUMNS));
  const named = headers.filter((header) => given.has(header)).length;
  const fields = new Set(headers.map((header) => guessField(header)?.field).filter((field) => field !== undefined));
  // A header that the caller names tells more than any guess.
  return named * MAX_COLUMNS + fields.size;
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
