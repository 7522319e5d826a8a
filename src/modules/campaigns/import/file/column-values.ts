import { parseCnpj } from '../../../../kernel/cnpj.ts';
import { parseCpf } from '../../../../kernel/cpf.ts';
import { parsePhone } from '../../../debts/use-cases/parse-phone.ts';
import { amountOf, dayOf } from '../../rules/spreadsheet/brazilian-values.ts';
import { cellText } from '../../rules/spreadsheet/cell-text.ts';
import { foldHeader } from '../../rules/spreadsheet/header-names.ts';
import type { SheetCell } from '../../rules/spreadsheet/sheet-row.ts';
import { valuesOf } from '../csv/cells.ts';
import type { ColumnField } from '../csv/columns.ts';
import type { GivenColumns } from './given-columns.ts';
import { guessField } from './guess-field.ts';
import { SHEET_CELLS } from './read-cell.ts';

/** So many filled cells tell what a column holds. Parsing one takes up to 100 microseconds. */
export const VALUES_LOOKED_AT = 20;
/** A column is still one of phones when a few of its cells hold something else. */
const LEAST_SHARE = 0.8;
const LEAST_NUMBER_OF_REAIS = 20;
const EMAIL = /^[^\s@;,]{1,64}@[^\s@;,]{1,100}\.[a-z]{2,10}$/i;
const MONEY = /^R\$|[,.]\d{2}$/i;

/**
 * Parts of folded headers whose columns are never taken by their values: other people than the one who owes, other days
 * than the due date, other amounts than the debt.
 */
const NOT_OF_THE_DEBT = [
  ...['alun', 'pacient', 'estudant', 'dependent', 'filh', 'mae', 'pai', 'emergenc', 'recado', 'vendedor', 'corretor'],
  ...['professor', 'medic', 'fiador', 'avalista', 'nasc', 'pag', 'emiss', 'emitid', 'matric', 'cadastr', 'admiss'],
  ...['contrat', 'inicio', 'descont', 'mult', 'juro', 'tax', 'entrada', 'salari', 'renda', 'limite', 'cust', 'comiss'],
  ...['atualiz', 'envi', 'ultim', 'proxim', 'baix', 'compet', 'assinatura'],
];

const isDay = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(dayOf(text));
const isEmail = (text: string): boolean => EMAIL.test(text);
const isAmount = (cell: SheetCell, text: string): boolean =>
  typeof cell === 'number' ? cell >= LEAST_NUMBER_OF_REAIS : MONEY.test(text) && amountOf(text) > 0;
const isPhone = (text: string): boolean => {
  const values = valuesOf(text, 'debtorPhone');
  return values.length > 0 && values.every((value) => parsePhone(value) !== null);
};
const taxIdText = (cell: SheetCell, text: string, field: 'debtorCpf' | 'debtorCnpj'): string =>
  String(SHEET_CELLS.valueOf(cell, field, text));

/** Returns the fields that a cell could belong to. */
function fieldsOfCell(cell: SheetCell): ColumnField[] {
  const text = cellText(cell);
  if (typeof cell === 'object') return cell === null ? [] : ['dueDate'];
  if (typeof cell === 'boolean') return [];
  const fields: ColumnField[] = [];
  if (isEmail(text)) fields.push('debtorEmail');
  if (isDay(text)) fields.push('dueDate');
  if (parseCpf(taxIdText(cell, text, 'debtorCpf')) !== null) fields.push('debtorCpf');
  if (parseCnpj(taxIdText(cell, text, 'debtorCnpj')) !== null) fields.push('debtorCnpj');
  if (isPhone(text)) fields.push('debtorPhone');
  else if (isAmount(cell, text)) fields.push('originalAmount');
  return fields;
}

const hasCents = (cells: readonly SheetCell[]): boolean =>
  cells.some((cell) => typeof cell === 'string' || (typeof cell === 'number' && !Number.isInteger(cell)));

/**
 * Returns what the cells of a column are, when nearly all of them are the same. A column that could be two things is
 * taken for none: ten digits may be a phone or the number of a contract. Whole numbers alone are no amounts.
 */
export function fieldOfValues(cells: readonly SheetCell[]): ColumnField | null {
  if (cells.length === 0) return null;
  const counts = new Map<ColumnField, number>();
  let taxIds = 0;
  for (const fields of cells.map(fieldsOfCell)) {
    for (const field of fields) counts.set(field, (counts.get(field) ?? 0) + 1);
    if (fields.includes('debtorCpf') || fields.includes('debtorCnpj')) taxIds += 1;
  }
  const least = Math.ceil(cells.length * LEAST_SHARE);
  const found = [...counts].filter(([, count]) => count >= least).map(([field]) => field);
  const [field] = found;
  if (found.length > 1) return null;
  if (field === undefined) return taxIds >= least ? 'debtorTaxId' : null;
  return field === 'originalAmount' && !hasCents(cells) ? null : field;
}

/** Whether the header says nothing, so that the values of the column may say what it is. */
export function isUnknown(header: string): boolean {
  const name = foldHeader(header);
  return guessField(header) === null && !header.includes('%') && !NOT_OF_THE_DEBT.some((part) => name.includes(part));
}

const GROUPS: readonly (readonly ColumnField[])[] = [
  ['debtorPhone', 'debtorPhones'],
  ['debtorEmail', 'debtorEmails'],
  ['debtorCpf', 'debtorCnpj', 'debtorTaxId'],
];
const groupOf = (field: ColumnField): readonly ColumnField[] =>
  GROUPS.find((group) => group.includes(field)) ?? [field];

/**
 * Proposes fields for the columns that look like one. Where a header is known or given for the field, or where two
 * columns look alike, nothing is proposed: nobody can know which one is meant.
 */
export function proposedFields(
  headers: readonly string[],
  looksLike: readonly (ColumnField | null)[],
  given: GivenColumns,
): (ColumnField | null)[] {
  const named = new Set([...headers.map((header) => guessField(header)?.field), ...given.values()]);
  return looksLike.map((field, at) => {
    if (field === null || given.has(headers[at]!)) return null;
    const group = groupOf(field);
    const isHeld = group.some((one) => named.has(one));
    const isAlone = looksLike.filter((one) => one !== null && group.includes(one)).length === 1;
    return !isHeld && isAlone ? field : null;
  });
}
