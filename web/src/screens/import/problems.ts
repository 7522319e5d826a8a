import type { ImportFileResult } from '../../api/client.ts';
import { type Field, isField, type Mapping } from './fields.ts';

export type Problem = ImportFileResult['errors'][number];
type Warning = ImportFileResult['warnings'][number];

export interface RowProblem {
  readonly key: string;
  readonly row: number;
  /** The column of the cell, when it can be corrected. */
  readonly header: string | null;
  /** The headers of the columns that are meant; empty for a problem of the whole row. */
  readonly column: string;
  readonly value: string | null;
  readonly field: Field | null;
  /** `no_debt` is a row that is nearly empty, such as the sum below a list. */
  readonly code: Problem['code'] | Warning['code'] | 'no_debt';
  /** Only for a warning: how messages will call the person. */
  readonly calledAs?: string;
}

export interface Group {
  /** The field of the problems, `row` for those of whole rows, or `known` for rows that exist already. */
  readonly key: Field | 'row' | 'known';
  readonly column: string;
  readonly problems: readonly RowProblem[];
}

export interface Checked {
  /** Rows that have something to correct. */
  readonly wrong: number;
  /** Rows that were imported before, or stand in the file twice. */
  readonly known: number;
  /** By column, the one with most problems first; the rows that exist already are the last group. */
  readonly groups: readonly Group[];
  /** All that is to be corrected, in the order of the file. */
  readonly all: readonly RowProblem[];
}

/** Columns from which a field is filled, when it has none of its own. */
const SOURCES: Readonly<Partial<Record<Field, readonly Field[]>>> = {
  debtorPhone: ['debtorPhone', 'debtorPhones'],
  debtorPhones: ['debtorPhones', 'debtorPhone'],
  debtorEmail: ['debtorEmail', 'debtorEmails'],
  debtorEmails: ['debtorEmails', 'debtorEmail'],
  debtorCpf: ['debtorCpf', 'debtorTaxId', 'debtorCnpj'],
  debtorCnpj: ['debtorCnpj', 'debtorTaxId'],
};

const fieldOf = (pointer: string): Field | null => {
  const name = pointer.split('/')[3];
  return isField(name) ? name : null;
};

/** Names the column as the person's own sheet does. */
function columnOf(mapping: Mapping, field: Field): string {
  for (const source of SOURCES[field] ?? [field]) {
    const headers = [...mapping].filter(([, own]) => own === source).map(([header]) => header);
    if (headers.length > 0) return headers.join(', ');
  }
  return '';
}

/** The things to look at in rows that are imported, as rows of the same table. */
export const warningRows = (warnings: readonly Warning[], mapping: Mapping): readonly RowProblem[] =>
  warnings.map(({ header, ...warning }, at) => ({
    ...warning,
    key: `warning-${at}`,
    // Only a name is corrected here: a remark is read by nobody but the staff.
    header: mapping.get(header) === 'debtorName' ? header : null,
    column: header,
    field: null,
  }));

/** So many empty required cells in one row are no oversight: it is a sum, a title or a remark. */
const EMPTY_CELLS = 3;

/** Returns the rows that are nearly empty, by the index of their problems. */
function rowsWithoutDebt(errors: readonly Problem[]): ReadonlySet<number> {
  const empty = new Map<number, number>();
  for (const { index, code } of errors) {
    if (code === 'required') empty.set(index, (empty.get(index) ?? 0) + 1);
  }
  return new Set([...empty].filter(([, cells]) => cells >= EMPTY_CELLS).map(([index]) => index));
}

/** Sorts the problems of a check into columns, apart from the rows that exist already, which are no errors. */
export function sortProblems(errors: readonly Problem[], mapping: Mapping): Checked {
  const names = new Map<Field, string>();
  const groups = new Map<Group['key'], { column: string; problems: RowProblem[] }>();
  const wrong = new Set<number>();
  const known = new Set<number>();
  const all: RowProblem[] = [];
  const withoutDebt = rowsWithoutDebt(errors);
  for (const [at, { index, row, header, pointer, code: given, value: cell }] of errors.entries()) {
    const isNoDebt = withoutDebt.has(index);
    // One sentence for the row takes the place of one for each of its cells.
    if (isNoDebt && wrong.has(index)) continue;
    const code = isNoDebt ? 'no_debt' : given;
    const value = isNoDebt ? null : cell;
    const field = code === 'duplicate' || isNoDebt ? null : fieldOf(pointer);
    if (field !== null && !names.has(field)) names.set(field, columnOf(mapping, field));
    const column = field === null ? '' : names.get(field)!;
    const ofCell = field === null ? null : header;
    const problem: RowProblem = {
      key: `${at}`,
      row,
      header: ofCell,
      column: ofCell ?? column,
      value,
      field,
      code,
    };
    const key = code === 'duplicate' ? 'known' : (field ?? 'row');
    const group = groups.get(key) ?? { column, problems: [] };
    group.problems.push(problem);
    groups.set(key, group);
    if (code === 'duplicate') known.add(index);
    else {
      wrong.add(index);
      all.push(problem);
    }
  }
  const sorted = [...groups]
    .map(([key, group]): Group => ({ key, ...group }))
    .sort((a, b) => Number(a.key === 'known') - Number(b.key === 'known') || b.problems.length - a.problems.length);
  return { wrong: wrong.size, known: known.size, groups: sorted, all };
}
