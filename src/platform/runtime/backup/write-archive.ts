import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, linkSync, renameSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createGzip } from 'node:zlib';
import { CHECKSUMS, DATA, MANIFEST, type Manifest } from './manifest.ts';
import { readTar, type TarFile, writeTar } from './tar.ts';

/** What an archive is made of. Paths of `files` are relative to DATA_DIR. */
export interface ArchiveContent {
  readonly manifest: Manifest;
  readonly files: readonly { readonly path: string; readonly from: string }[];
  /** The base backup of PostgreSQL, for the folder `postgres`. */
  readonly postgres: Readable;
}

async function* bytesOf(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}

const textFile = (path: string, text: string): TarFile => ({
  path,
  size: Buffer.byteLength(text),
  body: bytesOf(text),
});

async function* filesOf({ manifest, files, postgres }: ArchiveContent): AsyncGenerator<TarFile> {
  yield textFile(MANIFEST, `${JSON.stringify(manifest, null, 2)}\n`);
  for (const { path, from } of files) {
    yield { path: `${DATA}/${path}`, size: statSync(from).size, body: createReadStream(from) };
  }
  yield { path: `${DATA}/postgres`, size: 0, body: undefined };
  let isWhole = false;
  for await (const file of readTar(postgres)) {
    // Some names of PostgreSQL's archive begin with the present folder.
    const path = file.path.replace(/^\.\//, '');
    // PostgreSQL sends this file after all data.
    isWhole ||= path === 'global/pg_control';
    yield { ...file, path: `${DATA}/postgres/${path}` };
  }
  if (!isWhole) throw new Error('PostgreSQL has not sent all of its files');
}

async function* hashed(body: AsyncIterable<Buffer>, done: (sha256: string) => void): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  for await (const chunk of body) {
    hash.update(chunk);
    yield chunk;
  }
  done(hash.digest('hex'));
}

/** Adds the checksums of all files as the last one. */
async function* withChecksums(files: AsyncIterable<TarFile>): AsyncGenerator<TarFile> {
  const checksums: Record<string, string> = {};
  for await (const file of files) {
    const { path, body } = file;
    if (body === undefined) yield file;
    else {
      const note = (sha256: string) => {
        checksums[path] = sha256;
      };
      yield { ...file, body: hashed(body, note) };
    }
  }
  yield textFile(CHECKSUMS, JSON.stringify(checksums));
}

/** A new name in a folder survives a crash of the machine only when the folder is flushed too. */
export const flushFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/**
 * Writes the archive under a temporary name and renames it when it is complete and on the disk, so that a failure leaves
 * nothing. `replace` allows that a file of this name exists.
 */
export const writeArchive = async (
  target: string,
  partial: string,
  content: ArchiveContent,
  { replace }: { readonly replace: boolean },
): Promise<number> => {
  try {
    // The lowest level costs least of the processor that the service needs meanwhile.
    const gzip = createGzip({ level: constants.Z_BEST_SPEED });
    const tar = writeTar(withChecksums(filesOf(content)), new Date(content.manifest.takenAt));
    await pipeline(tar, gzip, createWriteStream(partial, { flags: 'wx', mode: 0o600, flush: true }));
    const { size } = statSync(partial);
    // Unlike a rename, a link does not replace a file that another process has made meanwhile.
    if (replace) renameSync(partial, target);
    else linkSync(partial, target);
    await flushFolder(dirname(target));
    return size;
  } finally {
    rmSync(partial, { force: true });
  }
};
