import type { SheetChoice, SheetRow, SpreadsheetErrorCode } from '../../../ports/spreadsheet-reader.ts';

export interface ReadRequest {
  readonly bytes: Uint8Array;
  readonly choice: SheetChoice;
}

/**
 * Each batch of rows is JSON as bytes, which are handed over without being copied. The process parses one batch at a
 * time, because the rows of a large sheet at once would block its event loop.
 */
export type ReadAnswer =
  | {
      readonly kind: 'read';
      readonly sheets: readonly string[];
      readonly batches: readonly Uint8Array<ArrayBuffer>[];
    }
  | { readonly kind: 'refused'; readonly code: SpreadsheetErrorCode; readonly message: string };

export const encodeBatch = (rows: readonly SheetRow[]): Uint8Array<ArrayBuffer> =>
  new TextEncoder().encode(JSON.stringify(rows));

export const decodeBatch = (batch: Uint8Array): SheetRow[] => JSON.parse(new TextDecoder().decode(batch)) as SheetRow[];
