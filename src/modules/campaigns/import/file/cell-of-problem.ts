import { cellText } from '../../rules/spreadsheet/cell-text.ts';
import { isListed, valuesOf } from '../csv/cells.ts';
import type { ColumnField } from '../csv/columns.ts';
import type { ImportProblem } from '../import-problem.ts';
import { cut } from './read-cell.ts';
import type { Table } from './read-table.ts';

/** The fields of the columns from which a field of the import is filled, in the order in which they are read. */
const SOURCES: Readonly<Record<string, readonly ColumnField[]>> = {
  debtorPhone: ['debtorPhone', 'debtorPhones'],
  debtorPhones: ['debtorPhone', 'debtorPhones'],
  debtorEmail: ['debtorEmail', 'debtorEmails'],
  debtorEmails: ['debtorEmail', 'debtorEmails'],
  debtorCpf: ['debtorCpf', 'debtorTaxId'],
  debtorCnpj: ['debtorCnpj', 'debtorTaxId'],
};

export interface ProblemCell {
  /** The header of its column; null for a problem of the whole row, or when no column holds the field. */
  readonly header: string | null;
  /** The cell as it was written, cut at 100 characters; null when it is empty. */
  readonly value: string | null;
}

interface SourceCell {
  readonly header: string;
  readonly source: ColumnField;
  readonly text: string;
}

/** Returns the cells from which a field of a row is filled, in the order in which they are read. */
function cellsOf({ columns, positions, rows }: Table, index: number, field: string): SourceCell[] {
  const cells = rows[index]?.cells ?? [];
  return (SOURCES[field] ?? [field as ColumnField]).flatMap((source) =>
    columns.flatMap(({ header, field: own }, column) =>
      own === source ? [{ header, source, text: cellText(cells[positions[column]!] ?? null) }] : [],
    ),
  );
}

/** Returns the cell of a problem. */
export function cellOfProblem(table: Table, { index, pointer }: ImportProblem): ProblemCell {
  const [, , , field = '', member] = pointer.split('/');
  const all = cellsOf(table, index, field);
  const filled = all.filter(({ text }) => text !== '');
  // The members of a list come from the cells in this order, several of one cell too.
  const members = filled.flatMap((cell) =>
    isListed(cell.source) ? valuesOf(cell.text, cell.source).map(() => cell) : [],
  );
  const cell = member === undefined ? filled[0] : members[Number(member)];
  if (cell !== undefined) return { header: cell.header, value: cut(cell.text) };
  return { header: all[0]?.header ?? null, value: null };
}
