import { plainText } from '../../../kernel/plain-text.ts';
import { type Consent, parseConsentAt } from '../../policy/rules/consent.ts';
import { codeOfText, type DebtInput, isGiven, parseField } from './check-fields.ts';
import type { DebtProblem } from './import-problem.ts';

const LONGEST_SOURCE = 200;

function parseSource({ consentSource: given }: DebtInput, problems: DebtProblem[]): string | null {
  if (!isGiven(given)) return null;
  const source = plainText(given, 1, LONGEST_SOURCE);
  if (source === null) problems.push({ field: 'consentSource', code: codeOfText(given, LONGEST_SOURCE) });
  return source;
}

/** Returns null for a debt without a consent. A consent has a date; how it was given may be unknown. */
export function parseConsent(element: DebtInput, now: number, problems: DebtProblem[]): Consent | null {
  const source = parseSource(element, problems);
  if (!isGiven(element.consentAt)) {
    if (isGiven(element.consentSource)) problems.push({ field: 'consentAt', code: 'required' });
    return null;
  }
  const parse = (given: unknown) => parseConsentAt(given, now);
  const at = parseField(element, 'consentAt', { type: 'string', parse, code: 'date_invalid' }, problems);
  return at === null ? null : { at, source };
}
