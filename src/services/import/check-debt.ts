import { parseLocalDate } from '../../domain/calendar.ts';
import { normaliseEmail } from '../../domain/corporate-email.ts';
import { parseCpf } from '../../domain/cpf.ts';
import { parseReais } from '../../domain/money.ts';
import { plainText } from '../../domain/plain-text.ts';
import type { DueDates } from './due-dates.ts';
import type { DebtField, DebtProblem, ImportProblemCode } from './import-problem.ts';
import { parsePhone } from './parse-phone.ts';

export interface CheckedDebt {
  /** The position of the element in the call. */
  readonly index: number;
  readonly debtorName: string;
  readonly debtorPhone: string;
  readonly debtorCpf: string;
  readonly debtorEmail: string | null;
  readonly originalAmountCentavos: number;
  readonly dueDate: string;
  readonly invoiceId: string | null;
}

type DebtInput = Readonly<Record<DebtField, unknown>>;

export const invoiceIdOf = (value: unknown): string | null => plainText(value, 1, 100);

const isElement = (value: unknown): value is DebtInput =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

const dateIn =
  ({ earliest, latest }: DueDates) =>
  (value: unknown): string | null => {
    const date = parseLocalDate(value);
    return date === null || date < earliest || date > latest ? null : date;
  };

const emailOf = (value: unknown): string | null => (typeof value === 'string' ? normaliseEmail(value.trim()) : null);

type Parse<T> = (given: unknown) => T | null;

/** Returns the parsed field, or adds a problem and returns null when the field is missing or invalid. */
function parseField<T>(element: DebtInput, field: DebtField, rule: Rule<T>, problems: DebtProblem[]): T | null {
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
  invoiceId: { type: 'string', parse: invoiceIdOf, code: 'invoice_invalid' },
  debtorEmail: { type: 'string', parse: emailOf, code: 'email_invalid' },
} as const satisfies Record<Exclude<DebtField, 'dueDate'>, Rule<string | number>>;

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

/**
 * Checks one element of an import. The code uses no schema library, because that would block the event loop too long
 * for 50,000 elements. An optional field may be missing or null.
 */
export function checkDebt(element: unknown, index: number, dueDates: DueDates): CheckedDebt | readonly DebtProblem[] {
  if (!isElement(element)) return [{ code: 'invalid_type' }];
  const problems: DebtProblem[] = [];
  const debtorName = parseField(element, 'debtorName', RULES.debtorName, problems);
  const debtorPhone = parseField(element, 'debtorPhone', RULES.debtorPhone, problems);
  const debtorCpf = parseField(element, 'debtorCpf', RULES.debtorCpf, problems);
  const originalAmountCentavos = parseField(element, 'originalAmount', RULES.originalAmount, problems);
  const dueDate = parseField(
    element,
    'dueDate',
    { type: 'string', parse: dateIn(dueDates), code: 'date_invalid' },
    problems,
  );
  const invoiceId = isGiven(element.invoiceId) ? parseField(element, 'invoiceId', RULES.invoiceId, problems) : null;
  const debtorEmail = isGiven(element.debtorEmail)
    ? parseField(element, 'debtorEmail', RULES.debtorEmail, problems)
    : null;

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
