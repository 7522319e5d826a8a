import { type FileRefusal, HEAD_BYTES, refusalOf } from './file-kind.ts';

export interface Chosen {
  readonly name: string;
  /** A copy in memory: the person may save the file in a spreadsheet program between two steps. */
  readonly file: Blob;
}

/** Copies the file into memory, when it can be a spreadsheet. */
export async function openFile(file: File): Promise<Chosen | FileRefusal> {
  try {
    const head = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
    const refused = refusalOf({ size: file.size, head });
    return refused ?? { name: file.name, file: new Blob([await file.arrayBuffer()]) };
  } catch {
    return 'unreadable';
  }
}
