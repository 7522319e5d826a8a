import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { cellText } from '../../rules/spreadsheet/cell-text.ts';
import { REASON_HEADER, reasonOf } from '../../texts/reasons.ts';
import type { FileImportResult } from '../import-file.ts';
import type { ImportProblem } from '../import-problem.ts';

const BYTE_ORDER_MARK = '\uFEFF';
/** How much is written before the event loop gets its turn. */
const ROWS_AT_ONCE = 250;
const PROBLEMS_AT_ONCE = 1_000;

/** A spreadsheet program calculates a cell that begins so. The apostrophe makes it a text. */
const FORMULA = /^[=+\-@\t\r]/;

function csvCell(text: string): string {
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return /[";\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

const csvRow = (cells: readonly string[]): string => `${cells.map(csvCell).join(';')}\r\n`;

const reason = ({ code, pointer }: ImportProblem): string => reasonOf(code, pointer.split('/')[3]);

/** Collects the reasons of each row. Two members of a list may have the same one. */
async function reasonsOf(errors: readonly ImportProblem[]): Promise<ReadonlyMap<number, ReadonlySet<string>>> {
  const reasons = new Map<number, Set<string>>();
  for (const [at, problem] of errors.entries()) {
    const known = reasons.get(problem.index) ?? new Set();
    reasons.set(problem.index, known.add(reason(problem)));
    if (at % PROBLEMS_AT_ONCE === 0) await yieldToEventLoop();
  }
  return reasons;
}

/** Writes the rows that were not imported as a CSV that can be corrected and sent again. */
export async function writeRejectedRows({ table, errors }: FileImportResult): Promise<string> {
  const reasons = await reasonsOf(errors);
  // The file may be one that was written here and corrected in part. Its old reasons are replaced.
  const kept = table.columns.flatMap(({ header }, index) =>
    header === REASON_HEADER ? [] : [{ header, at: table.positions[index]! }],
  );
  const parts = [BYTE_ORDER_MARK, csvRow([...kept.map(({ header }) => header), REASON_HEADER])];
  let written = 0;
  for (const [index, found] of reasons) {
    const cells = table.rows[index]?.cells ?? [];
    parts.push(csvRow([...kept.map(({ at }) => cellText(cells[at] ?? null)), [...found].join('; ')]));
    written += 1;
    if (written % ROWS_AT_ONCE === 0) await yieldToEventLoop();
  }
  return parts.join('');
}
