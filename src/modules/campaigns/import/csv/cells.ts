import { amountOf, dateOf, dayOf } from '../../rules/spreadsheet/brazilian-values.ts';
import type { DebtField } from '../import-problem.ts';
import type { ColumnField, Columns } from './columns.ts';

/** How the cells of fields are read that spreadsheets write in their own way. */
const READ: Partial<Record<DebtField, (cell: string) => string | number>> = {
  originalAmount: amountOf,
  dueDate: dateOf,
  consentAt: dayOf,
};

// Neither a phone nor an e-mail address contains these characters, so one cell may hold several.
const BETWEEN_PHONES = /[;,|/\r\n]/;
const BETWEEN_EMAILS = /[;,|\r\n]/;
const BETWEEN = {
  debtorPhone: BETWEEN_PHONES,
  debtorPhones: BETWEEN_PHONES,
  debtorEmail: BETWEEN_EMAILS,
  debtorEmails: BETWEEN_EMAILS,
} as const;
export type ListedField = keyof typeof BETWEEN;

export const isListed = (field: ColumnField): field is ListedField => field in BETWEEN;

/** One more than a debt may have, so that the import refuses a longer list without parsing it. */
const MAX_VALUES = 6;

/** What stands beside a phone in a longer cell is not looked at. */
const MAX_NOTE_LENGTH = 80;

/**
 * Returns a complete phone without the words around it: `(11) 99876-5432 (mãe)`. With an extension, or with more digits
 * than a phone has, the cell stays as it is and is refused.
 */
function phoneIn(cell: string): string {
  if (cell.length > MAX_NOTE_LENGTH || !/\p{L}/u.test(cell) || /ramal|ext/i.test(cell)) return cell;
  const bare = cell
    .replace(/\([^()\d]*\)/g, ' ')
    .replace(/[\p{L}:'"*]/gu, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[ .-]+|[ .-]+$/g, '');
  const digits = bare.replace(/\D/g, '').length;
  return digits >= 10 && digits <= 13 ? bare : cell;
}

export function valuesOf(cell: string, field: ListedField): string[] {
  const values = cell
    .split(BETWEEN[field], MAX_VALUES)
    .map((value) => value.trim())
    .filter((value) => value !== '');
  if (BETWEEN[field] === BETWEEN_EMAILS) return values;
  // `(11) 98765-4321 / mãe` has one phone.
  const withDigits = values.filter((value) => /\d/.test(value));
  return (withDigits.length > 0 ? withDigits : values).map(phoneIn);
}

/** A shorter number is taken for a CPF, so that a mistake in either is reported for the one that was meant. */
const SHORTEST_CNPJ = 12;

const taxIdFieldOf = (cell: string): 'debtorCpf' | 'debtorCnpj' =>
  cell.replace(/[^0-9a-z]/gi, '').length < SHORTEST_CNPJ ? 'debtorCpf' : 'debtorCnpj';

/** How the cells of one kind of file are read. */
export interface CellReader<Cell> {
  /** The cell as text without blanks around it; empty for an empty cell. */
  readonly textOf: (cell: Cell) => string;
  /** The value of a field that takes one cell. `text` is what `textOf` returned. */
  readonly valueOf: (cell: Cell, field: DebtField, text: string) => string | number;
}

export const CSV_CELLS: CellReader<string> = {
  textOf: (cell) => cell.trim(),
  valueOf: (_cell, field, text) => READ[field]?.(text) ?? text,
};

/** An element in the form of the JSON import. */
export type DebtElement = Partial<Record<DebtField, string | number | readonly string[]>>;

/** Stores a single value like one column of the JSON import, and several as the list. */
function addListed(element: DebtElement, one: ListedField, list: ListedField, values: readonly string[]): void {
  const [first] = values;
  if (first === undefined) return;
  if (values.length === 1) element[one] = first;
  else element[list] = values.slice(0, MAX_VALUES);
}

/**
 * An empty cell is a missing field. When two columns name one field (fatura, nota), the first filled cell counts. All
 * phones and e-mail addresses count (telefone, celular, telefone 2), those of a column for several behind the others.
 */
export function elementOf<Cell>(cells: readonly Cell[], columns: Columns, reader: CellReader<Cell>): DebtElement {
  const element: DebtElement = {};
  const listed: Record<ListedField, string[]> = {
    debtorPhone: [],
    debtorPhones: [],
    debtorEmail: [],
    debtorEmails: [],
  };
  for (const { at, field: column } of columns) {
    const cell = cells[at];
    const text = cell === undefined ? '' : reader.textOf(cell);
    if (cell === undefined || text === '') continue;
    if (isListed(column)) {
      listed[column].push(...valuesOf(text, column));
      continue;
    }
    const field = column === 'debtorTaxId' ? taxIdFieldOf(text) : column;
    if (element[field] !== undefined) continue;
    element[field] = reader.valueOf(cell, field, text);
  }
  addListed(element, 'debtorPhone', 'debtorPhones', [...listed.debtorPhone, ...listed.debtorPhones]);
  addListed(element, 'debtorEmail', 'debtorEmails', [...listed.debtorEmail, ...listed.debtorEmails]);
  return element;
}
