import { parseCnpj } from '../../../kernel/cnpj.ts';
import { parseCpf } from '../../../kernel/cpf.ts';
import { normaliseEmail } from '../../accounts/rules/corporate-email.ts';
import { parsePhone } from '../../debts/use-cases/parse-phone.ts';
import type { DebtField, DebtProblem, ImportProblemCode } from './import-problem.ts';

export type DebtInput = Readonly<Record<DebtField, unknown>>;

export interface Rule<T> {
  readonly type: 'string' | 'number';
  readonly parse: (given: unknown) => T | null;
  readonly code: ImportProblemCode;
}

export const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

const codeFor = <T>(given: unknown, rule: Rule<T>): ImportProblemCode =>
  given === undefined ? 'required' : typeof given === rule.type ? rule.code : 'invalid_type';

/** A character has at most two units, so that a very long text is not split into its characters. */
const isLonger = (text: string, most: number): boolean => text.length > 2 * most || [...text].length > most;

/** Returns why a text is no line of at most this many characters. */
export const codeOfText = (given: unknown, most: number): ImportProblemCode =>
  typeof given !== 'string' ? 'invalid_type' : isLonger(given.trim(), most) ? 'too_long' : 'invalid_value';

/** Returns the parsed field, or adds a problem and returns null when the field is missing or invalid. */
export function parseField<T>(element: DebtInput, field: DebtField, rule: Rule<T>, problems: DebtProblem[]): T | null {
  const given = element[field];
  const parsed = rule.parse(given);
  if (parsed === null) problems.push({ field, code: codeFor(given, rule) });
  return parsed;
}

const CPF: Rule<string> = { type: 'string', parse: parseCpf, code: 'cpf_invalid' };
const CNPJ: Rule<string> = { type: 'string', parse: parseCnpj, code: 'cnpj_invalid' };

/** Returns the CPF of a person or the CNPJ of a company. A debtor has exactly one of the two. */
export function parseTaxId(element: DebtInput, problems: DebtProblem[]): string | null {
  if (!isGiven(element.debtorCnpj)) return parseField(element, 'debtorCpf', CPF, problems);
  if (!isGiven(element.debtorCpf)) return parseField(element, 'debtorCnpj', CNPJ, problems);
  problems.push({ field: 'debtorCnpj', code: 'cnpj_invalid' });
  return null;
}

/** The most phones, and the most e-mail addresses, of one debt. */
const MOST = 5;

interface Listed {
  readonly one: 'debtorPhone' | 'debtorEmail';
  readonly list: 'debtorPhones' | 'debtorEmails';
  readonly rule: Rule<string>;
}

const emailOf = (value: unknown): string | null => (typeof value === 'string' ? normaliseEmail(value.trim()) : null);

export const PHONES: Listed = {
  one: 'debtorPhone',
  list: 'debtorPhones',
  rule: { type: 'string', parse: parsePhone, code: 'phone_invalid' },
};
export const EMAILS: Listed = {
  one: 'debtorEmail',
  list: 'debtorEmails',
  rule: { type: 'string', parse: emailOf, code: 'email_invalid' },
};

/**
 * Returns the values of a field and of its list without repetitions, the single field first. A list that is too long is
 * not parsed, because one value takes up to 20 microseconds.
 */
export function parseListed(element: DebtInput, { one, list, rule }: Listed, problems: DebtProblem[]): string[] {
  const first = isGiven(element[one]) ? parseField(element, one, rule, problems) : null;
  const values = new Set(first === null ? [] : [first]);
  const given = element[list];
  if (!isGiven(given)) return [...values];
  if (!Array.isArray(given)) problems.push({ field: list, code: 'invalid_type' });
  else if (given.length > MOST) problems.push({ field: list, code: 'too_long' });
  else {
    for (const [member, value] of given.entries()) {
      const parsed = rule.parse(value);
      if (parsed === null) problems.push({ field: list, member, code: codeFor(value ?? null, rule) });
      else values.add(parsed);
    }
    if (values.size > MOST) problems.push({ field: list, code: 'too_long' });
  }
  return [...values];
}

/** A debt needs at least one phone, and `debtorPhone` is the one that is missing when no list has any. */
export function parsePhones(element: DebtInput, problems: DebtProblem[]): string[] {
  const { list, one, rule } = PHONES;
  const given = element[list];
  const hasList = isGiven(given) && !(Array.isArray(given) && given.length === 0);
  if (hasList || isGiven(element[one])) return parseListed(element, PHONES, problems);
  const phone = parseField(element, one, rule, problems);
  return phone === null ? [] : [phone];
}
