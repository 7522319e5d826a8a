import type { ImportFileResult } from '../../api/client.ts';

export type Field = NonNullable<ImportFileResult['columns'][number]['field']>;
export type Column = ImportFileResult['columns'][number];
/** What each column is taken for, by its header; null leaves a column out. */
export type Mapping = ReadonlyMap<string, Field | null>;

/** In the order of the choices. The import takes nothing else. */
export const FIELDS = [
  'debtorName',
  'debtorPhone',
  'debtorPhones',
  'debtorCpf',
  'debtorCnpj',
  'debtorTaxId',
  'originalAmount',
  'dueDate',
  'invoiceId',
  'debtorEmail',
  'debtorEmails',
  'consentAt',
  'consentSource',
  'description',
] as const satisfies readonly Field[];

/** Each import needs one field of each group; the first one is what most spreadsheets have. */
const REQUIRED: readonly (readonly [Field, ...Field[]])[] = [
  ['debtorName'],
  ['debtorPhone', 'debtorPhones'],
  ['debtorCpf', 'debtorCnpj', 'debtorTaxId'],
  ['originalAmount'],
  ['dueDate'],
];
/** Several columns may hold further phones and addresses. */
const LISTS: ReadonlySet<Field> = new Set(['debtorPhones', 'debtorEmails']);

export const isField = (value: unknown): value is Field => FIELDS.some((field) => field === value);

/** The choices in groups. Of `phone` and `taxId` one field is needed, of `required` each. */
export const GROUPS: readonly (readonly [
  key: 'required' | 'phone' | 'taxId' | 'optional',
  fields: readonly Field[],
])[] = [
  ['required', REQUIRED.flatMap((group) => (group.length === 1 ? group : []))],
  ['phone', REQUIRED[1]!],
  ['taxId', REQUIRED[2]!],
  ['optional', FIELDS.filter((field) => !REQUIRED.some((group) => group.includes(field)))],
];

/** The fields of the columns, those included that only their values tell. */
export const mappingOf = (columns: readonly Column[]): Mapping =>
  new Map(columns.map(({ header, field, proposed }) => [header, field ?? proposed]));

/** Whether the values of the column look like a field that would stand in for this one. */
export const looksLike = (column: Column, field: Field): boolean =>
  column.looksLike !== null &&
  (column.looksLike === field || REQUIRED.some((group) => group.includes(field) && group.includes(column.looksLike!)));

/** Returns the usual field of each required group that no column holds. */
export function missingFields(mapping: Mapping): readonly Field[] {
  const held = new Set(mapping.values());
  return REQUIRED.filter((group) => !group.some((field) => held.has(field))).map(([field]) => field);
}

/** Returns the column that holds the field, when no second one may. */
export function holderOf(mapping: Mapping, field: Field): string | undefined {
  if (LISTS.has(field)) return undefined;
  return [...mapping].find(([, own]) => own === field)?.[0];
}

/** Takes a column for a field. The column that held the field before is left out then. */
export function choose(mapping: Mapping, header: string, field: Field | null): Mapping {
  const held = field === null ? undefined : holderOf(mapping, field);
  return new Map(
    [...mapping].map(([own, before]) => {
      if (own === header) return [own, field];
      return [own, own === held ? null : before];
    }),
  );
}

/** Applies what was chosen for the same headers before, to the columns of a new file. */
export function applyRemembered(mapping: Mapping, remembered: Mapping): Mapping {
  let next = mapping;
  for (const header of mapping.keys()) {
    const field = remembered.get(header);
    if (field !== undefined && field !== next.get(header)) next = choose(next, header, field);
  }
  return next;
}

/** A header with an amount, a date or the digits of a document is the first row of a sheet without a header. */
export const looksLikeData = (header: string): boolean =>
  header.replace(/\D/g, '').length >= 8 || /^(?:R\$ ?)?\d{1,9}(?:[.,]\d{1,3})+$/.test(header.trim());

/** Whether a due date among the samples has a year of two digits. */
export const hasShortYears = (columns: readonly Column[], mapping: Mapping): boolean =>
  columns.some(
    ({ header, samples }) =>
      mapping.get(header) === 'dueDate' && samples.some((sample) => /^\d{1,2}([/.])\d{1,2}\1\d{2}$/.test(sample)),
  );

const CPF_FIELDS: ReadonlySet<Field | null> = new Set(['debtorCpf', 'debtorTaxId']);

/** Hides a CPF among the samples of a column: they are there to recognise the column by, not the person. */
export function showSample(sample: string, field: Field | null): string {
  const digits = sample.replace(/\D/g, '');
  const isCpf = /^\d{3}\.\d{3}\.\d{3}-\d{2}$/.test(sample) || (CPF_FIELDS.has(field) && digits.length === 11);
  return isCpf ? `***.${digits.slice(3, 6)}.${digits.slice(6, 9)}-**` : sample;
}
