export type DebtField =
  | 'debtorName'
  | 'debtorPhone'
  | 'debtorCpf'
  | 'originalAmount'
  | 'dueDate'
  | 'invoiceId'
  | 'debtorEmail';

export const IMPORT_PROBLEM_CODES = [
  'required',
  'invalid_type',
  'name_invalid',
  'phone_invalid',
  'cpf_invalid',
  'amount_invalid',
  'date_invalid',
  'email_invalid',
  'invoice_invalid',
  'duplicate',
] as const;
export type ImportProblemCode = (typeof IMPORT_PROBLEM_CODES)[number];

/** A problem of one element. Without a field it concerns the element as a whole. */
export interface DebtProblem {
  readonly field?: DebtField;
  readonly code: ImportProblemCode;
}

export interface ImportProblem {
  readonly index: number;
  readonly pointer: string;
  readonly code: ImportProblemCode;
  readonly message: string;
  readonly invoiceId: string | null;
  /** Only for a CSV: the row number of the spreadsheet, in which the header is row 1. */
  readonly row?: number;
}

const MESSAGES: Readonly<Record<ImportProblemCode, string>> = {
  required: 'This is required',
  invalid_type: 'This has the wrong type',
  name_invalid: 'A name has 2 to 200 characters, none of them a control character',
  phone_invalid: 'A valid Brazilian phone number with area code is expected',
  cpf_invalid: 'A CPF with right check digits is expected',
  amount_invalid: 'A positive amount in reais is expected, with at most two decimals and at most 99999999.99',
  date_invalid: 'A real date is expected, as YYYY-MM-DD',
  email_invalid: 'A valid e-mail address is expected',
  invoice_invalid: 'An invoice id has 1 to 100 characters, none of them a control character',
  duplicate: 'This debt was imported before, or is in this import twice',
};

export interface Place {
  readonly index: number;
  readonly invoiceId: string | null;
  readonly row: number | undefined;
}

export const importProblem = ({ index, invoiceId, row }: Place, { field, code }: DebtProblem): ImportProblem => ({
  index,
  pointer: field === undefined ? `/debts/${index}` : `/debts/${index}/${field}`,
  code,
  message: MESSAGES[code],
  invoiceId,
  ...(row === undefined ? {} : { row }),
});
