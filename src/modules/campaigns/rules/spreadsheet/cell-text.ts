import { parseCnpj } from '../../../../kernel/cnpj.ts';
import { parseCpf } from '../../../../kernel/cpf.ts';
import type { SheetCell } from './sheet-row.ts';

/** The moment of a spreadsheet in the Brazilian order. */
function writeDate(date: string): string {
  const [day = '', time] = date.split('T');
  const written = day.split('-').reverse().join('/');
  return time === undefined ? written : `${written} ${time}`;
}

/** Returns the cell as a Brazilian spreadsheet shows it, so that the import reads this text in the same way. */
export function cellText(cell: SheetCell): string {
  if (cell === null) return '';
  if (typeof cell === 'string') return cell.trim();
  if (typeof cell === 'number') return String(cell).replace('.', ',');
  if (typeof cell === 'boolean') return cell ? 'VERDADEIRO' : 'FALSO';
  return writeDate(cell.date);
}

/** The part of a number that a calculation may add or lose: `=0,1+0,2` is stored as 0.30000000000000004. */
const CALCULATION_ERROR = 1e-9;

/** An amount with a real third decimal is returned as it is, and no rule accepts it. */
export function amountOfNumber(value: number): number {
  const rounded = Math.round(value * 100) / 100;
  return Math.abs(rounded - value) <= CALCULATION_ERROR * Math.max(1, Math.abs(value)) ? rounded : value;
}

const LEAST_DIGITS = { cpf: 8, cnpj: 11 } as const;
const LENGTHS = { cpf: 11, cnpj: 14 } as const;
const PARSE = { cpf: parseCpf, cnpj: parseCnpj } as const;

/**
 * A spreadsheet that takes a CPF for a number drops its leading zeros. They are restored only when the check digits are
 * right then. Up to three zeros are restored, so that no arbitrary number becomes a CPF.
 */
export function restoreZeros(text: string, kind: 'cpf' | 'cnpj'): string {
  const length = LENGTHS[kind];
  if (!/^\d+$/.test(text) || text.length < LEAST_DIGITS[kind] || text.length >= length) return text;
  return PARSE[kind](text.padStart(length, '0')) ?? text;
}
