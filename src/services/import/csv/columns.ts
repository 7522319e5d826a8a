import type { DebtField } from '../import-problem.ts';

/** The accepted names of columns, without accents, case, spaces and punctuation. */
const FIELDS: ReadonlyMap<string, DebtField> = new Map([
  ['nome', 'debtorName'],
  ['debtorname', 'debtorName'],
  ['telefone', 'debtorPhone'],
  ['celular', 'debtorPhone'],
  ['debtorphone', 'debtorPhone'],
  ['cpf', 'debtorCpf'],
  ['debtorcpf', 'debtorCpf'],
  ['valor', 'originalAmount'],
  ['originalamount', 'originalAmount'],
  ['vencimento', 'dueDate'],
  ['duedate', 'dueDate'],
  ['fatura', 'invoiceId'],
  ['nota', 'invoiceId'],
  ['invoiceid', 'invoiceId'],
  ['email', 'debtorEmail'],
  ['debtoremail', 'debtorEmail'],
]);

const REQUIRED: Readonly<Partial<Record<DebtField, string>>> = {
  debtorName: 'nome',
  debtorPhone: 'telefone',
  debtorCpf: 'cpf',
  originalAmount: 'valor',
  dueDate: 'vencimento',
};

/** No spreadsheet of debts is wider, and each column of the header costs time. */
export const MAX_COLUMNS = 200;

/** Longer than any accepted name in any spelling. */
const LONGEST_HEADER = 100;

const fieldOf = (header: string): DebtField | undefined =>
  header.length > LONGEST_HEADER
    ? undefined
    : FIELDS.get(
        header
          .normalize('NFD')
          .toLowerCase()
          .replace(/[^a-z0-9]/g, ''),
      );

/** The columns with a known field, from left to right. Other columns are never read. */
export type Columns = readonly { readonly at: number; readonly field: DebtField }[];

export const columnsOf = (header: readonly string[]): Columns =>
  header.flatMap((name, at) => {
    const field = fieldOf(name);
    return field === undefined ? [] : [{ at, field }];
  });

/** Returns the usual names of the required columns that are missing. */
export const missingColumns = (columns: Columns): readonly string[] =>
  Object.entries(REQUIRED).flatMap(([field, name]) => (columns.some((column) => column.field === field) ? [] : [name]));

const DELIMITERS = [',', ';', '\t'] as const;

/**
 * Returns the delimiter that finds most known columns in the header. Counting commas would fail, because amounts
 * contain them.
 */
export const delimiterOf = (start: string): string => {
  const header = start.split(/[\r\n]+/).find((line) => line.trim() !== '') ?? '';
  const found = DELIMITERS.map((delimiter) => ({
    delimiter,
    columns: columnsOf(header.split(delimiter, MAX_COLUMNS + 1)).length,
  }));
  return found.sort((a, b) => b.columns - a.columns)[0]!.delimiter;
};
