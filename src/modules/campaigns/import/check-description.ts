import { plainText } from '../../../kernel/plain-text.ts';
import { LONGEST_DESCRIPTION, problemOfDescription } from '../../debts/rules/debt-description.ts';
import { codeOfText, type DebtInput, isGiven } from './check-fields.ts';
import type { DebtProblem } from './import-problem.ts';

/** Returns null for a debt without a description, and for one that the debtor may not read. */
export function parseDescription({ description: given }: DebtInput, problems: DebtProblem[]): string | null {
  if (!isGiven(given)) return null;
  const text = plainText(given, 1, LONGEST_DESCRIPTION);
  const code = text === null ? codeOfText(given, LONGEST_DESCRIPTION) : problemOfDescription(text);
  if (code === null) return text;
  problems.push({ field: 'description', code });
  return null;
}
