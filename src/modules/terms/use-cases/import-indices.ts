import type { SharedDeps } from '../../deps.ts';
import { allIndices, storeIndexValues } from '../queries/index-values.ts';
import { parseIndexValue, SERIES, type Series } from '../rules/index-series.ts';

export interface ImportedIndices {
  /** How many values were not stored yet, and how many replaced another one. */
  readonly added: number;
  readonly changed: number;
  /** The last month of each series that is stored now. */
  readonly last: Readonly<Record<Series, string | null>>;
}

/** A file that has a line that cannot be read. Nothing of it is stored. */
export class IndexFileError extends Error {
  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'IndexFileError';
  }
}

const HEADER = 'series,month,value';
/** The IPCA since 1980 and the Taxa Legal have some 600 values. */
const MAX_LINES = 5_000;
const MAX_PROBLEMS = 20;
const MONTH = /^(?:19|20)\d{2}-(?:0[1-9]|1[0-2])$/;

const seriesOf = (number: string): Series | undefined =>
  (Object.keys(SERIES) as Series[]).find((series) => SERIES[series] === number);

interface Value {
  readonly series: string;
  readonly month: string;
  readonly millionths: number;
}

/** Returns a line's value, or what is wrong with the line. */
function readLine(line: string): Value | string {
  const [number = '', month = '', text = '', ...more] = line.split(',').map((cell) => cell.trim());
  const series = seriesOf(number);
  if (more.length > 0) return 'has more than three values';
  if (series === undefined) return `is of no known series: ${Object.values(SERIES).join(' or ')}`;
  if (!MONTH.test(month)) return 'has no month such as 2026-09';
  const millionths = parseIndexValue(series, text);
  return millionths === null ? 'has no percentage such as 0.155714' : { series: number, month, millionths };
}

/** Reads the CSV of an operator: `series,month,value` with the numbers of the Central Bank. */
export function readIndexFile(text: string): Value[] {
  const [header = '', ...lines] = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  if (header.trim().toLowerCase() !== HEADER) throw new IndexFileError([`The first line has to be ${HEADER}`]);
  if (lines.length > MAX_LINES) throw new IndexFileError([`A file has at most ${MAX_LINES} lines`]);
  const values = new Map<string, Value>();
  const problems: string[] = [];
  for (const [at, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const read = readLine(line);
    const name = typeof read === 'string' ? '' : `${read.series}:${read.month}`;
    if (typeof read === 'string') problems.push(`Line ${at + 2} ${read}`);
    else if (values.has(name)) problems.push(`Line ${at + 2} repeats ${name}`);
    else values.set(name, read);
  }
  if (problems.length > 0) throw new IndexFileError(problems.slice(0, MAX_PROBLEMS));
  if (values.size === 0) throw new IndexFileError(['The file has no values']);
  return [...values.values()];
}

/** Stores published values, all or none. What is owed counts with them from now on. */
export const importIndices =
  ({ db }: Pick<SharedDeps, 'db'>) =>
  async (text: string): Promise<ImportedIndices> => {
    const values = readIndexFile(text);
    return db.system().transactional(async (tx) => {
      const before = await allIndices(tx);
      await storeIndexValues(tx, values);
      const known = values.map(({ series, month, millionths }) => ({
        millionths,
        stored: before[`${series}:${month}`],
      }));
      const names = [...Object.keys(before), ...values.map(({ series, month }) => `${series}:${month}`)];
      const lastOf = (series: Series) =>
        names
          .flatMap((name) => (name.startsWith(`${SERIES[series]}:`) ? [name.slice(SERIES[series].length + 1)] : []))
          .sort()
          .at(-1) ?? null;
      return {
        added: known.filter(({ stored }) => stored === undefined).length,
        changed: known.filter(({ stored, millionths }) => stored !== undefined && stored !== millionths).length,
        last: { legalRate: lastOf('legalRate'), ipca: lastOf('ipca') },
      };
    });
  };
