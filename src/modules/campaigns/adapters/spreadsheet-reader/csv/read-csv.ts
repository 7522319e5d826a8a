import type { SheetFormat, SheetLimits } from '../../../ports/spreadsheet-reader.ts';
import { createRowEncoder, tooLong } from '../encode-rows.ts';
import { csvRows } from './csv-rows.ts';

/** The most rows with the blank ones, which take time too. */
const MAX_LINES = 100_000;

/**
 * Reads the filled rows up to the limit. They count as the spreadsheet counts them, the blank ones too. What stands
 * behind the last row that the caller takes is not read.
 */
export async function readCsv(
  bytes: Uint8Array,
  format: Extract<SheetFormat, { kind: 'csv' }>,
  limits: SheetLimits,
): Promise<readonly Uint8Array[]> {
  const encoder = createRowEncoder(limits);
  let row = 0;
  let left = limits.maxRows;
  for await (const cells of csvRows(bytes, format)) {
    row += 1;
    if (row > MAX_LINES) throw tooLong(`A file may have at most ${MAX_LINES} rows, the blank ones too`);
    const filled = cells.slice(0, cells.findLastIndex((cell) => cell.trim() !== '') + 1);
    if (filled.length === 0) continue;
    encoder.add({ row, cells: filled });
    left -= 1;
    if (left === 0) break;
  }
  return encoder.finish();
}
