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

const fieldOf = (header: string): DebtField | undefined =>
  FIELDS.get(
    header
      .normalize('NFD')
      .toLowerCase()
      .replace(/[^a-z0-9]/g, ''),
  );

/** The field of each column; undefined for what is not ours. */
export type Columns = readonly (DebtField | undefined)[];

export const columnsOf = (header: readonly string[]): Columns => header.map(fieldOf);

/** The usual names of the columns that a file cannot do without. */
export const missingColumns = (columns: Columns): readonly string[] =>
  Object.entries(REQUIRED).flatMap(([field, name]) => (columns.includes(field as DebtField) ? [] : [name]));

const DELIMITERS = [',', ';', '\t'] as const;

/** The one that finds most of our columns in the header: commas stand in amounts of a file with semicolons. */
export const delimiterOf = (start: string): string => {
  const header = start.split(/[\r\n]+/).find((line) => line.trim() !== '') ?? '';
  const found = (delimiter: string) => header.split(delimiter).filter((cell) => fieldOf(cell) !== undefined).length;
  return [...DELIMITERS].sort((a, b) => found(b) - found(a))[0]!;
};
