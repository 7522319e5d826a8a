import { type LocalDate, parseLocalDate } from '../../../kernel/calendar.ts';
import { parseCnpj } from '../../../kernel/cnpj.ts';
import { parseCpf } from '../../../kernel/cpf.ts';
import type { Place } from './cnab-profiles.ts';

export const field = (line: string, [from, to]: Place): string => line.slice(from - 1, to);

/** Returns what a field holds; null for one of blanks or zeros, which says nothing. */
export function textOf(line: string, place: Place): string | null {
  const text = field(line, place).trim();
  return /^0*$/.test(text) ? null : text;
}

/** Reads `25112026` and `251126`. */
export function dateOfDigits(digits: string): LocalDate | null {
  if (!/^\d{6}(?:\d{2})?$/.test(digits)) return null;
  const year = digits.length === 8 ? digits.slice(4) : `20${digits.slice(4)}`;
  return parseLocalDate(`${year}-${digits.slice(2, 4)}-${digits.slice(0, 2)}`);
}

/** A person is 1 and a company 2. The number stands at the right of its field, behind zeros. */
export function taxIdOf(kind: string, written: string): string | null {
  if (kind === '1') return parseCpf(written.slice(-11));
  return kind === '2' ? parseCnpj(written.slice(-14)) : null;
}

/** A count of a trailer; null when the bank leaves it empty. */
export function countOf(line: string, place: Place): number | null {
  const text = textOf(line, place);
  return text !== null && /^\d+$/.test(text) ? Number(text) : null;
}
