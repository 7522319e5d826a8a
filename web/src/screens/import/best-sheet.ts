import type { ImportFileResult } from '../../api/client.ts';

/** No more sheets are looked at than this. */
const MAX_SHEETS = 6;

interface Read {
  /** Null when the server chose, and did not say which. */
  readonly sheet: string | null;
  readonly answer: ImportFileResult;
}

const lacks = ({ missing = [] }: ImportFileResult): number => missing.length;

/**
 * Finds the sheet with the debts. The server takes the first one with data, which may be a cover or a list of classes,
 * and its answer does not name it. A sheet that cannot be imported is read as null. The sheet that was chosen before is
 * taken again.
 */
export async function bestSheet(
  first: ImportFileResult,
  read: (sheet: string) => Promise<ImportFileResult | null>,
  wanted: string | null = null,
): Promise<Read> {
  let best: Read = { sheet: null, answer: first };
  if (first.sheets.length < 2) return best;
  if (wanted !== null && first.sheets.includes(wanted)) {
    const answer = await read(wanted);
    if (answer !== null) return { sheet: wanted, answer };
  }
  for (const sheet of first.sheets.slice(0, MAX_SHEETS)) {
    const answer = await read(sheet);
    if (answer === null) continue;
    if (best.sheet === null || lacks(answer) < lacks(best.answer)) best = { sheet, answer };
    if (lacks(best.answer) === 0) break;
  }
  return best;
}
