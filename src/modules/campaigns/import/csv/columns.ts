import { foldHeader, MAX_COLUMNS } from '../../rules/spreadsheet/header-names.ts';
import type { DebtField } from '../import-problem.ts';

/** A column of both kinds of tax ids holds a CPF in one row and a CNPJ in another. */
export type ColumnField = DebtField | 'debtorTaxId';

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
  ['cpfcnpj', 'debtorTaxId'],
  ['cnpjcpf', 'debtorTaxId'],
  ['cpfoucnpj', 'debtorTaxId'],
  ['cnpjoucpf', 'debtorTaxId'],
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
  ['descricao', 'description'],
  ['description', 'description'],
]);

/** Spreadsheets number further columns: `Telefone 2`, `e-mail 3`. */
const NUMBERED = /^((?:debtor)?(?:telefone|celular|phone|email))[1-9]$/;

/** The usual name of each required column, with the fields of which the header needs one, the usual one first. */
const REQUIRED: Readonly<Record<string, readonly [ColumnField, ...ColumnField[]]>> = {
  nome: ['debtorName'],
  telefone: ['debtorPhone', 'debtorPhones'],
  cpf: ['debtorCpf', 'debtorCnpj', 'debtorTaxId'],
  valor: ['originalAmount'],
  vencimento: ['dueDate'],
};

export const fieldOf = (header: string): ColumnField | undefined => fieldOfName(foldHeader(header));

/** Returns the field of a folded header. */
export function fieldOfName(name: string): ColumnField | undefined {
  return FIELDS.get(name) ?? FIELDS.get(NUMBERED.exec(name)?.[1] ?? '');
}

/** The columns with a known field, from left to right. Other columns are never read. */
export type Columns = readonly { readonly at: number; readonly field: ColumnField }[];

export const columnsOf = (header: readonly string[]): Columns =>
  header.flatMap((name, at) => {
    const field = fieldOf(name);
    return field === undefined ? [] : [{ at, field }];
  });

/** Returns the required columns that are missing: the usual name of each, and its field. */
export const missingColumns = (columns: Columns): readonly { readonly name: string; readonly field: ColumnField }[] =>
  Object.entries(REQUIRED).flatMap(([name, fields]) =>
    columns.some(({ field }) => fields.includes(field)) ? [] : [{ name, field: fields[0] }],
  );

export const DELIMITERS = [',', ';', '\t'] as const;

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
