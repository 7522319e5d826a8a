import { AppError, type FieldProblem } from '../../../kernel/errors.ts';
export const IMPORT_FIELDS = [
  'debtorName',
  'debtorPhone',
  'debtorPhones',
  'debtorCpf',
  'debtorCnpj',
  'originalAmount',
  'dueDate',
  'invoiceId',
  'debtorEmail',
  'debtorEmails',
  'consentAt',
  'consentSource',
  'description',
] as const;
export type DebtField = (typeof IMPORT_FIELDS)[number];

export const IMPORT_PROBLEM_CODES = [
  'required',
  'invalid_type',
  'name_invalid',
  'phone_invalid',
  'cpf_invalid',
  'cnpj_invalid',
  'amount_invalid',
  'date_invalid',
  'email_invalid',
  'invoice_invalid',
  'invalid_value',
  'too_long',
  'health_data',
  'text_refused',
  'duplicate',
] as const;
export type ImportProblemCode = (typeof IMPORT_PROBLEM_CODES)[number];

/** A problem of one element. Without a field it concerns the element as a whole. */
export interface DebtProblem {
  readonly field?: DebtField;
  /** The position in the list of the field, when one member of it is meant. */
  readonly member?: number;
  readonly code: ImportProblemCode;
}

export interface ImportProblem {
  readonly index: number;
  readonly pointer: string;
  readonly code: ImportProblemCode;
  readonly message: string;
  readonly invoiceId: string | null;
  /** Only for a CSV or a workbook: the row number as the spreadsheet counts. */
  readonly row?: number;
}

const MESSAGES: Readonly<Record<ImportProblemCode, string>> = {
  required: 'This is required',
  invalid_type: 'This has the wrong type',
  name_invalid:
    'A name has 2 to 200 characters, none of them a control character; that of a company has no link, threat or insult',
  phone_invalid: 'A valid Brazilian phone number with area code is expected',
  cpf_invalid: 'A CPF with right check digits is expected',
  cnpj_invalid: 'A CNPJ with right check digits is expected, and no CPF beside it',
  amount_invalid: 'A positive amount in reais is expected, with at most two decimals and at most 99999999.99',
  date_invalid: 'A real date is expected, as YYYY-MM-DD',
  email_invalid: 'A valid e-mail address is expected',
  invoice_invalid:
    'An invoice id has 1 to 100 characters, none of them a control character, and no link, threat or insult',
  invalid_value: 'Text in one line without control characters is expected',
  too_long: 'At most 5 values are taken',
  health_data: 'The debtor reads this, so that it may not name anything about their health',
  text_refused:
    'The debtor reads this: no links, threats or insults, no urgency, no requests, no claim that it is paid, no hidden characters',
  duplicate: 'This debt was imported before, or is in this import twice',
};

/** The messages of fields for which a code means something else. */
const MESSAGES_OF_FIELDS: Readonly<Partial<Record<DebtField, Readonly<Partial<Record<ImportProblemCode, string>>>>>> = {
  consentAt: {
    required: 'A source of a consent is given, so its date is required',
    date_invalid:
      'A date (YYYY-MM-DD) or a moment with its offset (2026-11-20T14:30:00-03:00) since 1990 that is not in the future is expected',
  },
  consentSource: { too_long: 'At most 200 characters are taken' },
  description: { too_long: 'At most 200 characters are taken' },
};

const messageOf = ({ field, code }: DebtProblem): string =>
  (field === undefined ? undefined : MESSAGES_OF_FIELDS[field]?.[code]) ?? MESSAGES[code];

export interface Place {
  readonly index: number;
  readonly invoiceId: string | null;
  readonly row: number | undefined;
}

const pointerTo = (index: number, { field, member }: DebtProblem): string =>
  ['/debts', index, field, member].filter((part) => part !== undefined).join('/');

export const importProblem = ({ index, invoiceId, row }: Place, problem: DebtProblem): ImportProblem => ({
  index,
  pointer: pointerTo(index, problem),
  code: problem.code,
  message: messageOf(problem),
  invoiceId,
  ...(row === undefined ? {} : { row }),
});

export const refuse = (...errors: readonly FieldProblem[]): AppError => new AppError('validation_failed', { errors });

export const refuseFile = (code: string, message: string): AppError => refuse({ pointer: '/file', code, message });
