import { isListed, valuesOf } from '../csv/cells.ts';
import type { ColumnField } from '../csv/columns.ts';
import type { ImportProblem } from '../import-problem.ts';
import { cellText } from './read-cell.ts';
import { cut, type Table } from './read-table.ts';

/** The fields of the columns from which a field of the import is filled, in the order in which they are read. */
const SOURCES: Readonly<Record<string, readonly ColumnField[]>> = {
  debtorPhone: ['debtorPhone', 'debtorPhones'],
  debtorPhones: ['debtorPhone', 'debtorPhones'],
  debtorEmail: ['debtorEmail', 'debtorEmails'],
  debtorEmails: ['debtorEmail', 'debtorEmails'],
  debtorCpf: ['debtorCpf', 'debtorTaxId'],
  debtorCnpj: ['debtorCnpj', 'debtorTaxId'],
};

/** Returns the cell of a problem as it was written, and null for an empty one or a problem of the whole row. */
export function valueOfProblem({ imported, rows }: Table, { index, pointer }: ImportProblem): string | null {
  const [, , , field = '', member] = pointer.split('/');
  const cells = rows[index]?.cells ?? [];
  const filled = (SOURCES[field] ?? [field as ColumnField]).flatMap((source) =>
    imported.flatMap(({ at, field: own }) => {
      const text = own === source ? cellText(cells[at] ?? null) : '';
      return text === '' ? [] : [{ text, source }];
    }),
  );
  if (member === undefined) return filled.length === 0 ? null : cut(filled[0]!.text);
  // The members of a list come from the cells in this order, several of one cell too.
  const cellsOfMembers = filled.flatMap(({ text, source }) =>
    isListed(source) ? valuesOf(text, source).map(() => text) : [],
  );
  const text = cellsOfMembers[Number(member)];
  return text === undefined ? null : cut(text);
}
