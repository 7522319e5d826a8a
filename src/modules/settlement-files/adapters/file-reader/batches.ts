import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { MAX_SETTLEMENT_ROWS } from '../../rules/limits.ts';
import type { FileRow, ReadFile } from '../../rules/received-row.ts';

/** So many steps take some milliseconds. */
const STEPS_AT_ONCE = 1_000;

/** A file of 32 MiB that is made of the smallest tags has more of them; a statement of 100,000 transactions has fewer. */
const MAX_STEPS = 4_000_000;

export const unreadable = (code: string): ReadFile => ({ kind: 'unreadable', code });

/** A reader of one format, which is given one piece after the other. */
export interface FormatReader<Piece> {
  /** Takes a piece, and returns false when the file is none of this format or torn. */
  take(piece: Piece): boolean;
  /** Returns the rows, or null when the end of the file is missing. */
  rows(): readonly FileRow[] | null;
  /** How many rows were found so far. */
  readonly found: number;
}

/** Gives all pieces to a reader, and the event loop its turn between two batches of them. */
export async function readPieces<Piece>(pieces: Iterable<Piece>, reader: FormatReader<Piece>): Promise<ReadFile> {
  let steps = 0;
  for (const piece of pieces) {
    if (!reader.take(piece)) return unreadable('invalid_format');
    if (reader.found > MAX_SETTLEMENT_ROWS || steps === MAX_STEPS) return unreadable('too_long');
    steps += 1;
    if (steps % STEPS_AT_ONCE === 0) await yieldToEventLoop();
  }
  const rows = reader.rows();
  return rows === null ? unreadable('invalid_format') : { kind: 'read', rows };
}
