import { checkDigit } from './check-digit.ts';

// A CNPJ may contain letters since July 2026 (IN RFB 2.229/2024). The pattern lists lower case itself, because with the
// flags `iu` the letter `i` would match U+0131 too.
const SHAPE = /^[0-9A-Za-z]{2}\.?[0-9A-Za-z]{3}\.?[0-9A-Za-z]{3}\/?[0-9A-Za-z]{4}-?\d{2}$/;
const FIRST = [5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2];
const SECOND = [6, ...FIRST];

/**
 * Returns the 14 upper-case characters of a valid CNPJ, numeric or alphanumeric, with or without punctuation; null for
 * any other value.
 */
export const parseCnpj = (value: unknown): string | null => {
  if (typeof value !== 'string' || value.length > 40) return null;
  const text = value.trim();
  if (!SHAPE.test(text)) return null;
  const cnpj = text.replace(/[./-]/g, '').toUpperCase();
  if (/^(\d)\1{13}$/.test(cnpj)) return null;
  const root = cnpj.slice(0, 12);
  const first = checkDigit(root, FIRST);
  const second = checkDigit(root + first, SECOND);
  return cnpj.endsWith(`${first}${second}`) ? cnpj : null;
};

export const formatCnpj = (cnpj: string): string =>
  `${cnpj.slice(0, 2)}.${cnpj.slice(2, 5)}.${cnpj.slice(5, 8)}/${cnpj.slice(8, 12)}-${cnpj.slice(12)}`;

/** Writes `**.222.333/0001-**`: the company and its branch are recognised, and the number cannot be copied. */
export const maskCnpj = (cnpj: string): string => `**.${cnpj.slice(2, 5)}.${cnpj.slice(5, 8)}/${cnpj.slice(8, 12)}-**`;
