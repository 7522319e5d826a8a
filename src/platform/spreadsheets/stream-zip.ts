import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';

export interface ZipEntry {
  readonly path: string;
  readonly content: Readable;
  /** Documents are compressed already. */
  readonly compress: boolean;
  readonly mtime?: Date;
}

/** Writes a ZIP while its files arrive: the next one is asked for when the one before has been written. */
export function streamZip(entries: AsyncIterable<ZipEntry>): Readable {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  let current: Readable | undefined;
  // The library passes on no error, and whoever stops reading also ends the reading of the files.
  zip.on('error', (error: Error) => output.destroy(error));
  output.once('close', () => current?.destroy());
  const write = async (): Promise<void> => {
    for await (const { path, content, ...options } of entries) {
      if (output.destroyed) return;
      current = content;
      zip.addReadStream(content, path, options);
      await finished(content);
    }
    zip.end();
  };
  write().catch((error: Error) => output.destroy(error));
  return output;
}
