import { parseLocalDate } from '../../../kernel/calendar.ts';
import { parseCnpj } from '../../../kernel/cnpj.ts';
import { parseCpf } from '../../../kernel/cpf.ts';
import { parseReais } from '../../../kernel/money.ts';
import { amountOf, dayOf } from '../../campaigns/rules/spreadsheet/brazilian-values.ts';
import { amountOfNumber, cellText, restoreZeros } from '../../campaigns/rules/spreadsheet/cell-text.ts';
import type { SheetCell, SheetRow } from '../../campaigns/rules/spreadsheet/sheet-row.ts';
import type { PaymentField } from './payment-columns.ts';
import { methodOfCell } from './payment-words.ts';
import type { FileRow } from './received-row.ts';

const MAX_INVOICE_LENGTH = 100;
/** A cell with a control character is no invoice of the import. */
const CONTROL = /\p{Cc}/u;
const LONGEST_VALUE = 100;

/** Returns centavos, or null. A formula may miss its centavo by a calculation error, which is no fraction. */
const centavosOf = (cell: SheetCell): number | null => {
  if (typeof cell === 'number') return parseReais(amountOfNumber(cell));
  const text = cellText(cell);
  return typeof cell === 'string' && text.length <= LONGEST_VALUE ? parseReais(amountOf(text)) : null;
};

const dateOf = (cell: SheetCell): string | null => {
  if (cell !== null && typeof cell === 'object') return parseLocalDate(cell.date.slice(0, 10));
  const text = cellText(cell);
  return text.length > LONGEST_VALUE ? null : parseLocalDate(dayOf(text.replace(/[T ]\d{2}:\d{2}(?::\d{2})?$/, '')));
};

/** Restores the leading zeros that a spreadsheet drops, when the check digits are right then. */
const taxIdOf = (text: string): string | null =>
  parseCpf(restoreZeros(text, 'cpf')) ?? parseCnpj(restoreZeros(text, 'cnpj'));

/** A spreadsheet keeps 15 digits of a number, and turns `11/2026` into a date: the invoice is lost in both. */
const isLost = (cell: SheetCell): boolean =>
  (cell !== null && typeof cell === 'object') || (typeof cell === 'number' && !Number.isSafeInteger(cell));

/** Reads a row of a sheet. The code of the first problem is that of the row. */
export function paymentOfRow({ row, cells }: SheetRow, places: Partial<Record<PaymentField, number>>): FileRow {
  const cellOf = (field: PaymentField): SheetCell =>
    places[field] === undefined ? null : (cells[places[field]] ?? null);
  const textOf = (field: PaymentField): string => cellText(cellOf(field));
  const refused = (code: string): FileRow => ({ row, code });
  const invoice = textOf('invoiceId');
  const cpf = textOf('cpf');
  if ((invoice === '' && cpf === '') || textOf('amount') === '' || textOf('paidAt') === '') return refused('required');
  if (invoice.length > MAX_INVOICE_LENGTH || CONTROL.test(invoice) || (invoice !== '' && isLost(cellOf('invoiceId')))) {
    return refused('invoice_invalid');
  }
  const taxId = cpf === '' ? null : taxIdOf(cpf.slice(0, LONGEST_VALUE));
  // A masked CPF beside an invoice does no harm: the invoice tells the debt.
  if (invoice === '' && taxId === null) return refused('cpf_invalid');
  const paidOn = dateOf(cellOf('paidAt'));
  if (paidOn === null) return refused('date_invalid');
  const amountCentavos = centavosOf(cellOf('amount'));
  if (amountCentavos === null) return refused('amount_invalid');
  return {
    row,
    invoiceId: invoice === '' ? null : invoice,
    ourNumber: null,
    taxId,
    txid: null,
    endToEndId: null,
    memo: null,
    sourceId: null,
    amountCentavos,
    paidOn,
    method: methodOfCell(textOf('method').slice(0, LONGEST_VALUE)),
  };
}
