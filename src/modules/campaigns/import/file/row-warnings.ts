import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { companyNameOf, firstNameOf } from '../../../../kernel/first-name.ts';
import { isCnpj } from '../../../../kernel/tax-id.ts';
import { cellText } from '../../rules/spreadsheet/cell-text.ts';
import type { CheckedDebt } from '../check-debt.ts';
import { CELLS_AT_ONCE } from './debt-rows.ts';
import { cut, MAX_VALUE_LENGTH } from './read-cell.ts';
import type { Table } from './read-table.ts';

export const WARNING_CODES = ['name_brackets', 'remark'] as const;

/** What the staff should look at in a row that is imported. */
export interface RowWarning {
  readonly row: number;
  readonly header: string;
  readonly code: (typeof WARNING_CODES)[number];
  readonly value: string;
  /** How messages will call the debtor. */
  readonly calledAs: string;
}

export interface RowWarnings {
  /** The first ones. */
  readonly warnings: readonly RowWarning[];
  /** How many there are. */
  readonly warned: number;
}

export const MAX_WARNINGS = 100;

const BRACKET = /[()[\]{}]/;
/** What people write beside a debt that should not be collected from this person, or not now. */
const REMARK = /n[ãa]o (?:cobrar|contatar|ligar|enviar)|falec|[óo]bito|\bprocesso|judicia|advogad|j[áa] pag|quitad/i;

const calledAs = ({ debtorName, debtorTaxId }: CheckedDebt): string =>
  isCnpj(debtorTaxId) ? companyNameOf(debtorName) : firstNameOf(debtorName);

/** Looks at the names and at the columns that are not imported. */
export async function warningsOf(table: Table, debts: readonly CheckedDebt[]): Promise<RowWarnings> {
  const names = table.columns.flatMap(({ field }, at) => (field === 'debtorName' ? [at] : []));
  const remarks = table.columns.flatMap(({ field }, at) => (field === null || field === 'debtorName' ? [at] : []));
  const warnings: RowWarning[] = [];
  let warned = 0;
  const look = (debt: CheckedDebt, code: RowWarning['code'], columns: readonly number[], sign: RegExp): void => {
    const { row, cells } = table.rows[debt.index]!;
    for (const column of columns) {
      const cell = cells[table.positions[column]!];
      if (typeof cell !== 'string') continue;
      if (!sign.test(cell.slice(0, MAX_VALUE_LENGTH))) continue;
      warned += 1;
      if (warnings.length === MAX_WARNINGS) return;
      const { header } = table.columns[column]!;
      warnings.push({ row, header, code, value: cut(cellText(cell)), calledAs: calledAs(debt) });
      return;
    }
  };
  let looked = 0;
  for (const debt of debts) {
    looked += remarks.length + 1;
    if (looked >= CELLS_AT_ONCE) {
      looked = 0;
      await yieldToEventLoop();
    }
    look(debt, 'remark', remarks, REMARK);
    if (BRACKET.test(debt.debtorName)) look(debt, 'name_brackets', names, BRACKET);
  }
  return { warnings, warned };
}
