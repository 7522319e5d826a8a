import type { ImportFileResult } from '../api/client.ts';
import { IMPORT_PROBLEMS } from './import-problem-names.ts';

type Field = NonNullable<ImportFileResult['columns'][number]['field']>;
type Code = ImportFileResult['errors'][number]['code'];
type Warning = ImportFileResult['warnings'][number]['code'];
type Shown = Code | Warning | 'no_debt';

/** What the import takes, as the person chooses it for a column. */
export const IMPORT_FIELD: Readonly<Record<Field, string>> = {
  debtorName: 'Nome de quem paga',
  debtorPhone: 'Telefone',
  debtorPhones: 'Outros telefones',
  debtorCpf: 'CPF',
  debtorCnpj: 'CNPJ',
  debtorTaxId: 'CPF ou CNPJ',
  originalAmount: 'Valor',
  dueDate: 'Vencimento',
  invoiceId: 'Número da fatura',
  debtorEmail: 'E-mail',
  debtorEmails: 'Outros e-mails',
  consentAt: 'Data do consentimento',
  consentSource: 'Origem do consentimento',
  description: 'Descrição para a pessoa',
};

/** What is missing, where one field of several would do. */
export const MISSING_FIELD: Readonly<Partial<Record<Field, string>>> = { debtorCpf: 'CPF ou CNPJ' };

const PROBLEM: Readonly<Record<Exclude<Shown, 'name_brackets'>, string>> = {
  ...IMPORT_PROBLEMS,
  duplicate: 'Já está no Quita, ou está repetida nesta planilha',
  no_debt: 'Quase vazia: não parece uma dívida',
  remark: 'Parece um aviso para não cobrar. Se for, deixe a linha de fora',
};

const MONTHS = [
  ...['janeiro', 'fevereiro', 'março', 'abril', 'maio', 'junho'],
  ...['julho', 'agosto', 'setembro', 'outubro', 'novembro', 'dezembro'],
];

/** Says `setembro não tem dia 31` for a day that its month does not have; null for any other value. */
function missingDay(value: string | null): string | null {
  const [, day, month, year] = /^(\d{1,2})[/.](\d{1,2})[/.](\d{2}|\d{4})$/.exec(value ?? '') ?? [];
  const name = MONTHS[Number(month) - 1];
  if (name === undefined || Number(day) < 29) return null;
  const days = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  if (Number(day) <= days) return null;
  return `${name}${month === '02' || month === '2' ? ` de ${year}` : ''} não tem dia ${Number(day)}`;
}

/** A sentence on one cell, or on the whole row. */
export function problemText(
  field: Field | null,
  code: Shown,
  { value = null, calledAs = '' }: { readonly value?: string | null; readonly calledAs?: string } = {},
): string {
  if (code === 'name_brackets') {
    return `O nome traz um parêntese. Nas mensagens a pessoa será “${calledAs}”: confira se é quem deve`;
  }
  if (code === 'duplicate' || code === 'no_debt' || code === 'remark') return PROBLEM[code];
  const day = code === 'date_invalid' ? missingDay(value) : null;
  if (day !== null) return `${field === null ? 'A linha' : IMPORT_FIELD[field]}: ${day}`;
  return `${field === null ? 'A linha' : IMPORT_FIELD[field]} ${PROBLEM[code]}`;
}
