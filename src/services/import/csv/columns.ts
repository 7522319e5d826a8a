import type { DebtField } from '../import-problem.ts';

/** A column of both kinds of tax ids holds a CPF in one row and a CNPJ in another. */
export type ColumnField = DebtField | 'taxId';

/** The accepted names of columns, without accents, case, spaces and punctuation. */
const FIELDS: ReadonlyMap<string, ColumnField> = new Map<string, ColumnField>([
  ['nome', 'debtorName'],
  ['debtorname', 'debtorName'],
  ['telefone', 'debtorPhone'],
  ['celular', 'debtorPhone'],
  ['debtorphone', 'debtorPhone'],
  ['telefones', 'debtorPhones'],
  ['celulares', 'debtorPhones'],
  ['debtorphones', 'debtorPhones'],
  ['cpf', 'debtorCpf'],
  ['debtorcpf', 'debtorCpf'],
  ['cnpj', 'debtorCnpj'],
  ['debtorcnpj', 'debtorCnpj'],
  ['cpfcnpj', 'taxId'],
  ['cnpjcpf', 'taxId'],
  ['cpfoucnpj', 'taxId'],
  ['cnpjoucpf', 'taxId'],
  ['valor', 'originalAmount'],
  ['originalamount', 'originalAmount'],
  ['vencimento', 'dueDate'],
  ['duedate', 'dueDate'],
  ['fatura', 'invoiceId'],
  ['nota', 'invoiceId'],
  ['invoiceid', 'invoiceId'],
  ['email', 'debtorEmail'],
  ['debtoremail', 'debtorEmail'],
  ['emails', 'debtorEmails'],
  ['debtoremails', 'debtorEmails'],
  ['consentimento', 'consentAt'],
  ['datadoconsentimento', 'consentAt'],
  ['consentat', 'consentAt'],
  ['origemdoconsentimento', 'consentSource'],
  ['consentsource', 'consentSource'],
]);

/** Spreadsheets number further columns: `Telefone 2`, `e-mail 3`. */
const NUMBERED = /^((?:debtor)?(?:telefone|celular|phone|email))[1-9]$/;

/** The usual name of each required column, with the fields of which the header needs one. */
const REQUIRED: Readonly<Record<string, readonly ColumnField[]>> = {
  nome: ['debtorName'],
  telefone: ['debtorPhone', 'debtorPhones'],
  cpf: ['debtorCpf', 'debtorCnpj', 'taxId'],
  valor: ['originalAmount'],
  vencimento: ['dueDate'],
};

/** No spreadsheet of debts is wider, and each column of the header costs time. */
export const MAX_COLUMNS = 200;

/** Longer than any accepted name in any spelling. */
const LONGEST_HEADER = 100;

function fieldOf(header: string): ColumnField | undefined {
  if (header.length > LONGEST_HEADER) return undefined;
  const name = header
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');
  return FIELDS.get(name) ?? FIELDS.get(NUMBERED.exec(name)?.[1] ?? '');
}

/** The columns with a known field, from left to right. Other columns are never read. */
export type Columns = readonly { readonly at: number; readonly field: ColumnField }[];

export const columnsOf = (header: readonly string[]): Columns =>
  header.flatMap((name, at) => {
    const field = fieldOf(name);
    return field === undefined ? [] : [{ at, field }];
  });

/** Returns the usual names of the required columns that are missing. */
export const missingColumns = (columns: Columns): readonly string[] =>
  Object.entries(REQUIRED).flatMap(([name, fields]) =>
    columns.some(({ field }) => fields.includes(field)) ? [] : [name],
  );

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
