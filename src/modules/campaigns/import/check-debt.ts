import { parseLocalDate } from '../../../kernel/calendar.ts';
import { parseCnpj } from '../../../kernel/cnpj.ts';
import { parseCpf } from '../../../kernel/cpf.ts';
import { parseReais } from '../../../kernel/money.ts';
import { nameProblems } from '../../../kernel/name-guard.ts';
import { plainText } from '../../../kernel/plain-text.ts';
import { invoiceKeyOf } from '../../../kernel/search-terms.ts';
import { isCnpj } from '../../../kernel/tax-id.ts';
import { normaliseEmail } from '../../accounts/rules/corporate-email.ts';
import { MAX_DESCRIPTION_LENGTH, problemOfDescription } from '../../debts/rules/debt-description.ts';
import type { DueDates } from '../../debts/rules/due-dates.ts';
import { parsePhone } from '../../debts/use-cases/parse-phone.ts';
import { type Consent, parseConsentAt } from '../../policy/rules/consent.ts';
import type { DebtField, DebtProblem, ImportProblemCode } from './import-problem.ts';

type DebtInput = Readonly<Record<DebtField, unknown>>;

interface Rule<T> {
  readonly type: 'string' | 'number';
  readonly parse: (given: unknown) => T | null;
  readonly code: ImportProblemCode;
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

const codeFor = <T>(given: unknown, rule: Rule<T>): ImportProblemCode =>
  given === undefined ? 'required' : typeof given === rule.type ? rule.code : 'invalid_type';

/** A character has at most two units, so that a very long text is not split into its characters. */
const isLonger = (text: string, most: number): boolean => text.length > 2 * most || [...text].length > most;

/** Returns why a text is no line of at most this many characters. */
const codeOfText = (given: unknown, most: number): ImportProblemCode =>
  typeof given !== 'string' ? 'invalid_type' : isLonger(given.trim(), most) ? 'too_long' : 'invalid_value';

/** Returns the parsed field, or adds a problem and returns null when the field is missing or invalid. */
function parseField<T>(element: DebtInput, field: DebtField, rule: Rule<T>, problems: DebtProblem[]): T | null {
  const given = element[field];
  const parsed = rule.parse(given);
  if (parsed === null) problems.push({ field, code: codeFor(given, rule) });
  return parsed;
}

const CPF: Rule<string> = { type: 'string', parse: parseCpf, code: 'cpf_invalid' };
const CNPJ: Rule<string> = { type: 'string', parse: parseCnpj, code: 'cnpj_invalid' };

/** Returns the CPF of a person or the CNPJ of a company. A debtor has exactly one of the two. */
function parseTaxId(element: DebtInput, problems: DebtProblem[]): string | null {
  if (!isGiven(element.debtorCnpj)) return parseField(element, 'debtorCpf', CPF, problems);
  if (!isGiven(element.debtorCpf)) return parseField(element, 'debtorCnpj', CNPJ, problems);
  problems.push({ field: 'debtorCnpj', code: 'cnpj_invalid' });
  return null;
}

/** The most phones, and the most e-mail addresses, of one debt. */
const MAX_LISTED = 5;

interface Listed {
  readonly one: 'debtorPhone' | 'debtorEmail';
  readonly list: 'debtorPhones' | 'debtorEmails';
  readonly rule: Rule<string>;
}

const emailOf = (value: unknown): string | null => (typeof value === 'string' ? normaliseEmail(value.trim()) : null);

const PHONES: Listed = {
  one: 'debtorPhone',
  list: 'debtorPhones',
  rule: { type: 'string', parse: parsePhone, code: 'phone_invalid' },
};
const EMAILS: Listed = {
  one: 'debtorEmail',
  list: 'debtorEmails',
  rule: { type: 'string', parse: emailOf, code: 'email_invalid' },
};

/**
 * Returns the values of a field and of its list without repetitions, the single field first. A list that is too long is
 * not parsed, because one value takes up to 20 microseconds.
 */
function parseListed(element: DebtInput, { one, list, rule }: Listed, problems: DebtProblem[]): string[] {
  const first = isGiven(element[one]) ? parseField(element, one, rule, problems) : null;
  const values = new Set(first === null ? [] : [first]);
  const given = element[list];
  if (!isGiven(given)) return [...values];
  if (!Array.isArray(given)) problems.push({ field: list, code: 'invalid_type' });
  else if (given.length > MAX_LISTED) problems.push({ field: list, code: 'too_long' });
  else {
    for (const [member, value] of given.entries()) {
      const parsed = rule.parse(value);
      if (parsed === null) problems.push({ field: list, member, code: codeFor(value ?? null, rule) });
      else values.add(parsed);
    }
    if (values.size > MAX_LISTED) problems.push({ field: list, code: 'too_long' });
  }
  return [...values];
}

/** A debt needs at least one phone, and `debtorPhone` is the one that is missing when no list has any. */
function parsePhones(element: DebtInput, problems: DebtProblem[]): string[] {
  const { list, one, rule } = PHONES;
  const given = element[list];
  const hasList = isGiven(given) && !(Array.isArray(given) && given.length === 0);
  if (hasList || isGiven(element[one])) return parseListed(element, PHONES, problems);
  const phone = parseField(element, one, rule, problems);
  return phone === null ? [] : [phone];
}

const MAX_SOURCE_LENGTH = 200;

function parseSource({ consentSource: given }: DebtInput, problems: DebtProblem[]): string | null {
  if (!isGiven(given)) return null;
  const source = plainText(given, 1, MAX_SOURCE_LENGTH);
  if (source === null) problems.push({ field: 'consentSource', code: codeOfText(given, MAX_SOURCE_LENGTH) });
  return source;
}

/** Returns null for a debt without a consent. A consent has a date; how it was given may be unknown. */
function parseConsent(element: DebtInput, now: number, problems: DebtProblem[]): Consent | null {
  const source = parseSource(element, problems);
  if (!isGiven(element.consentAt)) {
    if (isGiven(element.consentSource)) problems.push({ field: 'consentAt', code: 'required' });
    return null;
  }
  const parse = (given: unknown) => parseConsentAt(given, now);
  const at = parseField(element, 'consentAt', { type: 'string', parse, code: 'date_invalid' }, problems);
  return at === null ? null : { at, source };
}

/** Returns null for a debt without a description, and for one that the debtor may not read. */
function parseDescription({ description: given }: DebtInput, problems: DebtProblem[]): string | null {
  if (!isGiven(given)) return null;
  const text = plainText(given, 1, MAX_DESCRIPTION_LENGTH);
  const code = text === null ? codeOfText(given, MAX_DESCRIPTION_LENGTH) : problemOfDescription(text);
  if (code === null) return text;
  problems.push({ field: 'description', code });
  return null;
}

export interface CheckedDebt {
  /** The position of the element in the call. */
  readonly index: number;
  readonly debtorName: string;
  readonly debtorPhone: string;
  /** All phones in the order in which they are used, `debtorPhone` first. */
  readonly debtorPhones: readonly string[];
  /** The CPF or the CNPJ. */
  readonly debtorTaxId: string;
  readonly debtorEmails: readonly string[];
  readonly originalAmountCentavos: number;
  readonly dueDate: string;
  readonly invoiceId: string | null;
  /** The form in which invoices are compared. */
  readonly invoiceKey: string | null;
  readonly consent: Consent | null;
  /** What the debt is for, as the debtor may read it. */
  readonly description: string | null;
}

/** What the fields of a debt are compared with. They are the same for all elements of a call. */
export interface Limits {
  readonly dueDates: DueDates;
  /** The moment of the call. */
  readonly now: number;
}

/** Messages name the invoice, so its id says nothing else. */
export const invoiceIdOf = (value: unknown): string | null => {
  const id = plainText(value, 1, 100);
  return id === null || nameProblems(id).length > 0 ? null : id;
};

const isElement = (value: unknown): value is DebtInput =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

const dateIn =
  ({ earliest, latest }: DueDates) =>
  (value: unknown): string | null => {
    const date = parseLocalDate(value);
    return date === null || date < earliest || date > latest ? null : date;
  };

const RULES = {
  debtorName: { type: 'string', parse: (given: unknown) => plainText(given, 2, 200), code: 'name_invalid' },
  originalAmount: { type: 'number', parse: parseReais, code: 'amount_invalid' },
  invoiceId: { type: 'string', parse: invoiceIdOf, code: 'invoice_invalid' },
} as const satisfies Partial<Record<DebtField, Rule<string | number>>>;

/**
 * Checks one element of an import. The code uses no schema library, because that would block the event loop too long
 * for 50,000 elements. An optional field may be missing or null.
 */
export function checkDebt(
  element: unknown,
  index: number,
  { dueDates, now }: Limits,
): CheckedDebt | readonly DebtProblem[] {
  if (!isElement(element)) return [{ code: 'invalid_type' }];
  const problems: DebtProblem[] = [];
  const debtorName = parseField(element, 'debtorName', RULES.debtorName, problems);
  const debtorPhones = parsePhones(element, problems);
  const [debtorPhone] = debtorPhones;
  const debtorTaxId = parseTaxId(element, problems);
  // Messages call a company by its whole name, and a person by a first name that is checked when it is written.
  const isCompany = debtorTaxId !== null && isCnpj(debtorTaxId);
  if (debtorName !== null && isCompany && nameProblems(debtorName).length > 0) {
    problems.push({ field: 'debtorName', code: 'name_invalid' });
  }
  const originalAmountCentavos = parseField(element, 'originalAmount', RULES.originalAmount, problems);
  const dueDate = parseField(
    element,
    'dueDate',
    { type: 'string', parse: dateIn(dueDates), code: 'date_invalid' },
    problems,
  );
  const invoiceId = isGiven(element.invoiceId) ? parseField(element, 'invoiceId', RULES.invoiceId, problems) : null;
  const debtorEmails = parseListed(element, EMAILS, problems);
  const consent = parseConsent(element, now, problems);
  const description = parseDescription(element, problems);

  if (
    problems.length > 0 ||
    debtorName === null ||
    debtorPhone === undefined ||
    debtorTaxId === null ||
    originalAmountCentavos === null ||
    dueDate === null
  ) {
    return problems;
  }
  return {
    index,
    debtorName,
    debtorPhone,
    debtorPhones,
    debtorTaxId,
    debtorEmails,
    originalAmountCentavos,
    dueDate,
    invoiceId,
    invoiceKey: invoiceId === null ? null : invoiceKeyOf(invoiceId),
    consent,
    description,
  };
}
