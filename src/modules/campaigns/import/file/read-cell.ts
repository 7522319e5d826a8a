import { parseCnpj } from '../../../../kernel/cnpj.ts';
import { parseCpf } from '../../../../kernel/cpf.ts';
import type { SheetCell } from '../../ports/spreadsheet-reader.ts';
import { amountOf, type CellReader, dayOf } from '../csv/cells.ts';
import type { DebtField } from '../import-problem.ts';

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
function amountOfNumber(value: number): number {
  const rounded = Math.round(value * 100) / 100;
  return Math.abs(rounded - value) <= CALCULATION_ERROR * Math.max(1, Math.abs(value)) ? rounded : value;
}

const LEAST_DIGITS = { debtorCpf: 8, debtorCnpj: 11 } as const;
const LENGTHS = { debtorCpf: 11, debtorCnpj: 14 } as const;
const PARSE = { debtorCpf: parseCpf, debtorCnpj: parseCnpj } as const;

/**
 * A spreadsheet that takes a CPF for a number drops its leading zeros. They are restored only when the check digits are
 * right then. Up to three zeros are restored, so that no arbitrary number becomes a CPF.
 */
function restoreZeros(text: string, field: 'debtorCpf' | 'debtorCnpj'): string {
  const length = LENGTHS[field];
  if (!/^\d+$/.test(text) || text.length < LEAST_DIGITS[field] || text.length >= length) return text;
  return PARSE[field](text.padStart(length, '0')) ?? text;
}

/** An empty text is never a valid value, and it is reported by the code of its field. */
const INVALID = '';

function fieldValue(cell: SheetCell, field: DebtField, text: string): string | number {
  const isDate = cell !== null && typeof cell === 'object';
  switch (field) {
    case 'originalAmount':
      if (typeof cell === 'number') return amountOfNumber(cell);
      return typeof cell === 'string' ? amountOf(text) : Number.NaN;
    case 'dueDate':
    case 'consentAt':
      return isDate ? cell.date.slice(0, 10) : dayOf(text);
    case 'debtorCpf':
    case 'debtorCnpj':
      return restoreZeros(text, field);
    case 'invoiceId':
      // A spreadsheet keeps 15 digits of a number, and turns `11/2026` into a date: the invoice is lost in both.
      return isDate || (typeof cell === 'number' && Math.abs(cell) > Number.MAX_SAFE_INTEGER) ? INVALID : text;
    case 'debtorName':
      return typeof cell === 'string' ? text : INVALID;
    default:
      return text;
  }
}

/** Cells with the types of a workbook. Those of a CSV are texts. */
export const SHEET_CELLS: CellReader<SheetCell> = { textOf: cellText, valueOf: fieldValue };

export const MAX_VALUE_LENGTH = 100;

/** Returns a text that ends between two characters. */
export const cut = (text: string): string =>
  [...text.slice(0, 2 * MAX_VALUE_LENGTH)].slice(0, MAX_VALUE_LENGTH).join('');
