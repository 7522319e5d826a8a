import { parseLocalDate } from '../../domain/calendar.ts';
import { normaliseEmail } from '../../domain/corporate-email.ts';
import { parseCpf } from '../../domain/cpf.ts';
import { parseReais } from '../../domain/money.ts';
import { plainText } from '../../domain/plain-text.ts';
import { parsePhone } from '../parse-phone.ts';
import type { DebtField, DebtProblem, ImportProblemCode } from './import-problem.ts';

export interface CheckedDebt {
  /** Its place in the call. */
  readonly index: number;
  readonly debtorName: string;
  readonly debtorPhone: string;
  readonly debtorCpf: string;
  readonly debtorEmail: string | null;
  readonly originalAmountCentavos: number;
  readonly dueDate: string;
  readonly invoiceId: string | null;
}

type Given = Readonly<Record<DebtField, unknown>>;

export const invoiceIdOf = (value: unknown): string | null => plainText(value, 1, 100);

const isElement = (value: unknown): value is Given =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

// PostgreSQL has no year 0.
const dateOf = (value: unknown): string | null => {
  const date = parseLocalDate(value);
  return date === null || date.startsWith('0000') ? null : date;
};

const emailOf = (value: unknown): string | null => (typeof value === 'string' ? normaliseEmail(value.trim()) : null);

type Parse<T> = (given: unknown) => T | null;

/** Null, and a problem noted, when there is none or it is not what it should be. */
function take<T>(element: Given, field: DebtField, rule: Rule<T>, problems: DebtProblem[]): T | null {
  const given = element[field];
  const parsed = rule.parse(given);
  if (parsed !== null) return parsed;
  const code = given === undefined ? 'required' : typeof given === rule.type ? rule.code : 'invalid_type';
  problems.push({ field, code });
  return null;
}

interface Rule<T> {
  readonly type: 'string' | 'number';
  readonly parse: Parse<T>;
  readonly code: ImportProblemCode;
}

const RULES = {
  debtorName: { type: 'string', parse: (given: unknown) => plainText(given, 2, 200), code: 'name_invalid' },
  debtorPhone: { type: 'string', parse: parsePhone, code: 'phone_invalid' },
  debtorCpf: { type: 'string', parse: parseCpf, code: 'cpf_invalid' },
  originalAmount: { type: 'number', parse: parseReais, code: 'amount_invalid' },
  dueDate: { type: 'string', parse: dateOf, code: 'date_invalid' },
  invoiceId: { type: 'string', parse: invoiceIdOf, code: 'invoice_invalid' },
  debtorEmail: { type: 'string', parse: emailOf, code: 'email_invalid' },
} as const satisfies Record<DebtField, Rule<string | number>>;

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

/**
 * One element of an import. By hand, because a schema over 50,000 elements would hold up every other request.
 * A field that may be missing may be null as well.
 */
export function checkDebt(element: unknown, index: number): CheckedDebt | readonly DebtProblem[] {
  if (!isElement(element)) return [{ code: 'invalid_type' }];
  const problems: DebtProblem[] = [];
  const debtorName = take(element, 'debtorName', RULES.debtorName, problems);
  const debtorPhone = take(element, 'debtorPhone', RULES.debtorPhone, problems);
  const debtorCpf = take(element, 'debtorCpf', RULES.debtorCpf, problems);
  const originalAmountCentavos = take(element, 'originalAmount', RULES.originalAmount, problems);
  const dueDate = take(element, 'dueDate', RULES.dueDate, problems);
  const invoiceId = isGiven(element.invoiceId) ? take(element, 'invoiceId', RULES.invoiceId, problems) : null;
  const debtorEmail = isGiven(element.debtorEmail) ? take(element, 'debtorEmail', RULES.debtorEmail, problems) : null;

  if (
    problems.length > 0 ||
    debtorName === null ||
    debtorPhone === null ||
    debtorCpf === null ||
    originalAmountCentavos === null ||
    dueDate === null
  ) {
    return problems;
  }
  return { index, debtorName, debtorPhone, debtorCpf, debtorEmail, originalAmountCentavos, dueDate, invoiceId };
}
