import { stripAccents } from '../../../kernel/portuguese-text.ts';

export interface NameableDebt {
  readonly id: string;
  readonly invoiceId: string | null;
  readonly amountCentavos: number;
  /** `YYYY-MM-DD` */
  readonly dueDate: string;
}

/** No amount or date that a person types is longer. */
const MAX_NUMBER_LENGTH = 16;

const isWordCharacter = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{Nd}]/u.test(character);

/** Whether `text` contains `word` between characters that belong to no word. */
function containsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (!isWordCharacter(text[at - 1]) && !isWordCharacter(text[at + word.length])) return true;
  }
  return false;
}

const withoutPunctuation = (token: string): string => token.replace(/^[.,/]/, '').replace(/[.,/]$/, '');

/** Reads `150`, `150,00`, `1.234,56` and `1234.56`; returns null for anything else. */
function centavosIn(token: string): number | null {
  const match = /^(\d{1,3}(?:\.\d{3}){1,3}|\d{1,9})(?:[.,](\d{2}))?$/.exec(token);
  if (match === null) return null;
  return Number(match[1]?.replaceAll('.', '')) * 100 + Number(match[2] ?? 0);
}

/** Whether a date such as `5/10`, `05/10/26` or `05/10/2026` is the due date. */
function isDueDate(token: string, dueDate: string): boolean {
  const match = /^(\d{1,2})\/(\d{1,2})(?:\/(\d{2}|\d{4}))?$/.exec(token);
  if (match === null) return false;
  const [year = '', month, day] = dueDate.split('-');
  const [, namedDay, namedMonth, namedYear] = match;
  return (
    Number(namedDay) === Number(day) &&
    Number(namedMonth) === Number(month) &&
    (namedYear === undefined || year.endsWith(namedYear))
  );
}

/**
 * Returns the debts that a message names by invoice, amount or due date. An invoice decides alone, because it is the
 * one name that belongs to a single debt.
 */
export function namedDebts<Debt extends NameableDebt>(message: string, debts: readonly Debt[]): readonly Debt[] {
  const text = stripAccents(message.toLowerCase());
  const byInvoice = debts.filter(
    ({ invoiceId }) =>
      invoiceId !== null && /\d/.test(invoiceId) && containsWord(text, stripAccents(invoiceId.toLowerCase())),
  );
  if (byInvoice.length > 0) return byInvoice;
  const tokens = text
    .split(/[^\d.,/]/)
    .filter((token) => token.length <= MAX_NUMBER_LENGTH)
    .map(withoutPunctuation);
  return debts.filter(
    ({ amountCentavos, dueDate }) =>
      tokens.some((token) => isDueDate(token, dueDate)) || tokens.some((token) => centavosIn(token) === amountCentavos),
  );
}
