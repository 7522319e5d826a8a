import type { SheetFormat, SheetLimits, SpreadsheetErrorCode } from '../../../ports/spreadsheet-reader.ts';
import type { SheetRow } from '../../../rules/spreadsheet/sheet-row.ts';

/** What the process is asked, in one frame. The bytes of the file follow it. */
export interface ReadRequest {
  readonly format: SheetFormat;
  readonly limits: SheetLimits;
  readonly length: number;
}

/** The first frame of an answer. One frame for each batch of rows follows `read`. */
export type ReadAnswer =
  | { readonly kind: 'read'; readonly sheets: readonly string[]; readonly batches: number }
  | { readonly kind: 'refused'; readonly code: SpreadsheetErrorCode; readonly message: string };

export const encodeBatch = (rows: readonly SheetRow[]): Uint8Array => Buffer.from(JSON.stringify(rows));

export const decodeBatch = (batch: Buffer): SheetRow[] => JSON.parse(batch.toString('utf8')) as SheetRow[];

const LENGTH_BYTES = 4;

/** Writes a frame: its length, then its bytes. */
export function frame(content: Uint8Array): Buffer[] {
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(content.length);
  return [length, Buffer.from(content.buffer, content.byteOffset, content.byteLength)];
}

export const jsonFrame = (value: ReadRequest | ReadAnswer): Buffer[] => frame(Buffer.from(JSON.stringify(value)));

/** Takes frames from chunks that were cut anywhere, without joining more than one frame. */
export class FrameQueue {
  private readonly chunks: Buffer[] = [];
  private size = 0;

  push(chunk: Buffer): void {
    this.chunks.push(chunk);
    this.size += chunk.length;
  }

  /** The bytes that were pushed and not taken. */
  get length(): number {
    return this.size;
  }

  /** Returns the next frame, or null when it is not complete. */
  next(): Buffer | null {
    if (this.size < LENGTH_BYTES) return null;
    const header = this.take(LENGTH_BYTES);
    const length = header.readUInt32LE();
    if (this.size >= length) return this.take(length);
    this.chunks.unshift(header);
    this.size += LENGTH_BYTES;
    return null;
  }

  /** Returns these next bytes, which have to be there. */
  take(length: number): Buffer {
    const parts: Buffer[] = [];
    let missing = length;
    let whole = 0;
    for (const chunk of this.chunks) {
      if (missing < chunk.length) break;
      parts.push(chunk);
      missing -= chunk.length;
      whole += 1;
    }
    this.chunks.splice(0, whole);
    const [rest] = this.chunks;
    if (missing > 0 && rest !== undefined) {
      parts.push(rest.subarray(0, missing));
      this.chunks[0] = rest.subarray(missing);
    }
    this.size -= length;
    return parts.length === 1 ? parts[0]! : Buffer.concat(parts, length);
  }
}
