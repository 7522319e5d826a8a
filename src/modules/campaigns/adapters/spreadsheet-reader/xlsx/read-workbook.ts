import { Parser } from 'htmlparser2';
import { readSheet } from 'read-excel-file/universal';
import { type SheetLimits, SpreadsheetError } from '../../../ports/spreadsheet-reader.ts';
import type { SheetCell } from '../../../rules/spreadsheet/sheet-row.ts';
import { createRowEncoder, tooLong } from '../encode-rows.ts';
import { type Archive, openArchive, packArchive } from './archive.ts';
import { checkPart, checkSheet, TAGS_OF_SHEET } from './check-xml.ts';

interface SheetPart {
  /** The position in the workbook, from 1. */
  readonly position: number;
  readonly name: string;
  /** The path of its file, when the workbook names one. */
  readonly path: string | undefined;
}

type Attributes = Readonly<Record<string, string>>;

/** Some programs write a prefix: `x:sheet`. */
const withoutPrefix = (tag: string): string => tag.slice(tag.indexOf(':') + 1);

function eachTag(xml: Uint8Array, onTag: (tag: string, attributes: Attributes) => void): void {
  const parser = new Parser(
    { onopentag: (tag, attributes) => onTag(withoutPrefix(tag), attributes) },
    { xmlMode: true },
  );
  parser.end(new TextDecoder().decode(xml));
}

interface Relations {
  /** The paths of files by the id of their relation. */
  readonly paths: ReadonlyMap<string, string>;
  readonly styles: string;
  readonly sharedStrings: string;
}

const pathOf = (target: string): string => (target.startsWith('/') ? target.slice(1) : `xl/${target}`);

/** Reads which files belong to a workbook. The library that reads the cells finds them in the same way. */
function readRelations(xml: Uint8Array): Relations {
  const paths = new Map<string, string>();
  const byType = new Map<string, string>();
  eachTag(xml, (tag, { Id, Type = '', Target }) => {
    if (tag !== 'Relationship' || Target === undefined) return;
    if (Id !== undefined) paths.set(Id, pathOf(Target));
    byType.set(Type.slice(Type.lastIndexOf('/') + 1), pathOf(Target));
  });
  return {
    paths,
    styles: byType.get('styles') ?? 'xl/styles.xml',
    sharedStrings: byType.get('sharedStrings') ?? 'xl/sharedStrings.xml',
  };
}

/** Reads the sheets that are not hidden. The library that reads the cells does not know which ones are. */
function visibleSheets(workbook: Uint8Array, { paths }: Relations): SheetPart[] {
  const visible: SheetPart[] = [];
  let position = 0;
  eachTag(workbook, (tag, { name, state, ...others }) => {
    if (tag !== 'sheet' || !name) return;
    position += 1;
    if (state === 'hidden' || state === 'veryHidden') return;
    const relation = Object.entries(others).find(([attribute]) => /(?:^|:)id$/.test(attribute))?.[1];
    visible.push({ position, name, path: relation === undefined ? undefined : paths.get(relation) });
  });
  return visible;
}

const MAX_SHEETS = 20;
const MIB = 1024 * 1024;
/** The most bytes of a part without cells. Its texts have as many as a sheet. */
const MAX_PART = 16 * MIB;
const MAX_SHEET = 48 * MIB;

const WORKBOOK = 'xl/workbook.xml';
const RELATIONS = 'xl/_rels/workbook.xml.rels';

/** A moment of a spreadsheet has no time zone. The library gives it as if it were in UTC. */
function dateOf(moment: Date): string {
  // A calculated moment may lie a fraction of a second before midnight.
  const rounded = new Date(Math.round(moment.getTime() / 1_000) * 1_000);
  if (Number.isNaN(rounded.getTime())) return '';
  const [day, time] = rounded.toISOString().slice(0, 16).split('T');
  return time === '00:00' ? day! : `${day}T${time}`;
}

function cellOf(value: unknown): SheetCell {
  if (value instanceof Date) return { date: dateOf(value) };
  if (typeof value === 'string') return value.trim() === '' ? null : value;
  return typeof value === 'number' || typeof value === 'boolean' ? value : null;
}

function filledCells(values: readonly unknown[]): SheetCell[] {
  const cells = values.map(cellOf);
  return cells.slice(0, cells.findLastIndex((cell) => cell !== null) + 1);
}

function encodeRows(sheet: readonly (readonly unknown[])[], limits: SheetLimits): readonly Uint8Array[] {
  const encoder = createRowEncoder(limits);
  for (const [index, values] of sheet.entries()) {
    const cells = filledCells(values);
    if (cells.length > 0) encoder.add({ row: index + 1, cells });
  }
  return encoder.finish();
}

/** A title has one filled cell. A header and a row of data have more. */
const hasData = (sheet: readonly (readonly unknown[])[]): boolean => {
  let rows = 0;
  return sheet.some((values) => {
    if (values.filter((value) => cellOf(value) !== null).length > 1) rows += 1;
    return rows === 2;
  });
};

const isChosen = ({ name }: SheetPart, wanted: string): boolean => name === wanted || name.trim() === wanted.trim();

export interface ReadWorkbook {
  readonly sheets: readonly string[];
  readonly batches: readonly Uint8Array[];
}

/** The parts that all sheets share, checked. */
function readParts(bytes: Uint8Array) {
  const archive = openArchive(bytes);
  const workbook = archive.file(WORKBOOK, MAX_PART);
  if (workbook === undefined) {
    throw new SpreadsheetError('unsupported_format', 'The file is no XLSX workbook: save it as .xlsx or as CSV');
  }
  checkPart(workbook);
  const relationsXml = archive.file(RELATIONS, MAX_PART) ?? new Uint8Array();
  checkPart(relationsXml);
  const relations = readRelations(relationsXml);
  const shared = new Map([
    [WORKBOOK, workbook],
    [RELATIONS, relationsXml],
  ]);
  const add = (path: string, maxBytes: number, maxTags?: number): void => {
    const part = shared.has(path) ? undefined : archive.file(path, maxBytes);
    if (part === undefined) return;
    checkPart(part, maxTags);
    shared.set(path, part);
  };
  add(relations.styles, MAX_PART);
  add(relations.sharedStrings, MAX_SHEET, TAGS_OF_SHEET);
  return { archive, shared, visible: visibleSheets(workbook, relations) };
}

/**
 * Reads one sheet. The library gets a new archive with the checked parts only, so that it cannot understand a crafted
 * archive in another way than the checks did.
 */
export async function readWorkbook(
  bytes: Uint8Array,
  wanted: string | null,
  limits: SheetLimits,
): Promise<ReadWorkbook> {
  const { archive, shared, visible } = readParts(bytes);
  if (visible.length > MAX_SHEETS) throw tooLong(`A workbook may have at most ${MAX_SHEETS} sheets`);
  const candidates = wanted === null ? visible : visible.filter((sheet) => isChosen(sheet, wanted)).slice(0, 1);
  if (wanted !== null && candidates.length === 0) throw new SpreadsheetError('unknown_sheet', 'There is no such sheet');

  let first: readonly (readonly unknown[])[] | undefined;
  for (const { position, path } of candidates) {
    const sheet = path === undefined || shared.has(path) ? undefined : archive.file(path, MAX_SHEET);
    if (sheet !== undefined) checkSheet(sheet, limits);
    const parts: Archive = sheet === undefined ? shared : new Map([...shared, [path!, sheet]]);
    // A sheet that holds a chart has no rows.
    const rows = ((await readSheet(packArchive(parts), position)) ?? []) as readonly (readonly unknown[])[];
    first ??= rows;
    if (wanted === null && !hasData(rows)) continue;
    first = rows;
    break;
  }
  return { sheets: visible.map(({ name }) => name), batches: encodeRows(first ?? [], limits) };
}
