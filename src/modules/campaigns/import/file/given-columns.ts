import { isListed } from '../csv/cells.ts';
import type { ColumnField } from '../csv/columns.ts';
import { IMPORT_FIELDS, refuse } from '../import-problem.ts';

/** The fields of a column by its header; null for a column that is not imported. */
export type GivenColumns = ReadonlyMap<string, ColumnField | null>;

export const COLUMN_FIELDS = [...IMPORT_FIELDS, 'debtorTaxId'] as const;
const FIELDS: ReadonlySet<string> = new Set(COLUMN_FIELDS);
const isField = (value: unknown): value is ColumnField => typeof value === 'string' && FIELDS.has(value);

const problem = (code: string, message: string) => ({ pointer: '/columns', code, message });

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message is replaced, because it quotes the text.
    throw refuse(problem('invalid_format', 'Well-formed JSON is expected'));
  }
}

/** Only a list of phones or of e-mail addresses may stand in several columns. */
const isList = (field: ColumnField): boolean => isListed(field) && field.endsWith('s');

/** Parses the mapping of a caller. The headers are compared with the file later. */
export function parseColumns(text: string | undefined): GivenColumns {
  if (text === undefined || text.trim() === '') return new Map();
  const given = parse(text);
  if (given === null || typeof given !== 'object' || Array.isArray(given)) {
    throw refuse(problem('invalid_type', 'An object of headers and fields is expected'));
  }
  const columns = new Map<string, ColumnField | null>();
  const used = new Set<ColumnField>();
  for (const [header, field] of Object.entries(given)) {
    if (field !== null && !isField(field)) {
      throw refuse(problem('invalid_value', `Null or a field is expected: ${[...FIELDS].join(', ')}`));
    }
    if (field !== null && used.has(field) && !isList(field)) {
      throw refuse(problem('duplicate', `The field ${field} is given twice`));
    }
    if (field !== null) used.add(field);
    columns.set(header, field);
  }
  return columns;
}

/** Refuses a mapping of headers that the sheet does not have. */
export function requireHeaders(given: GivenColumns, headers: ReadonlySet<string>): void {
  const unknown = [...given.keys()].filter((header) => !headers.has(header)).length;
  if (unknown === 0) return;
  const message = `${unknown} of the headers do not stand in this sheet: they are compared exactly`;
  throw refuse(problem('unknown_header', message));
}
