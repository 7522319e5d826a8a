import { amountOf, dayOf } from '../../rules/spreadsheet/brazilian-values.ts';
import { amountOfNumber, cellText, restoreZeros } from '../../rules/spreadsheet/cell-text.ts';
import type { SheetCell } from '../../rules/spreadsheet/sheet-row.ts';
import type { CellReader } from '../csv/cells.ts';
import type { DebtField } from '../import-problem.ts';

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
      return restoreZeros(text, 'cpf');
    case 'debtorCnpj':
      return restoreZeros(text, 'cnpj');
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
