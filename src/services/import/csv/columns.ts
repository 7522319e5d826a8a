import type { DebtField } from '../import-problem.ts';

/** How a header names a column, accents, case, spaces and punctuation left out. */
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

/** No spreadsheet of debts is wider, and each column of the header costs something. */
export const MAX_COLUMNS = 200;

/** Longer than any name of ours, however it is spelt. */
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

/** Those that hold a field of ours, from left to right. The others are never looked at. */
export type Columns = readonly { readonly at: number; readonly field: DebtField }[];

export const columnsOf = (header: readonly string[]): Columns =>
  header.flatMap((name, at) => {
    const field = fieldOf(name);
    return field === undefined ? [] : [{ at, field }];
  });

/** The usual names of the columns that a file cannot do without. */
export const missingColumns = (columns: Columns): readonly string[] =>
  Object.entries(REQUIRED).flatMap(([field, name]) => (columns.some((column) => column.field === field) ? [] : [name]));

const DELIMITERS = [',', ';', '\t'] as const;

/** The one that finds most of our columns in the header: commas stand in amounts of a file with semicolons. */
export const delimiterOf = (start: string): string => {
  const header = start.split(/[\r\n]+/).find((line) => line.trim() !== '') ?? '';
  const found = DELIMITERS.map((delimiter) => ({
    delimiter,
    columns: columnsOf(header.split(delimiter, MAX_COLUMNS + 1)).length,
  }));
  return found.sort((a, b) => b.columns - a.columns)[0]!.delimiter;
};
