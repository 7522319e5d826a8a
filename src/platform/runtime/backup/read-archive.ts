import { createHash } from 'node:crypto';
import { createReadStream, mkdirSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { CHECKSUMS, checksumsSchema, DATA, MANIFEST, type Manifest, parseManifest } from './manifest.ts';
import { DamagedArchiveError, readTar, type TarFile } from './tar.ts';

const MANIFEST_BYTES = 1 << 20;
const CHECKSUMS_BYTES = 64 << 20;

/** PostgreSQL, Temporal and our own files have plain names; another name could lead out of the folder. */
const PLAIN_NAME = /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/;

const locate = (into: string, path: string): string => {
  const [root, ...names] = path.split('/');
  if (root !== DATA || names.length === 0 || !names.every((name) => PLAIN_NAME.test(name))) {
    throw new DamagedArchiveError(`it contains ${JSON.stringify(path).slice(0, 200)}`);
  }
  return join(into, ...names);
};

async function readText({ path, size, body = emptyBody() }: TarFile, most: number): Promise<string> {
  if (size > most) throw new DamagedArchiveError(`${path} is too large`);
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

async function* emptyBody(): AsyncGenerator<Buffer> {}

/** PostgreSQL flushes its own files when it starts on a copy. */
const isFlushed = (path: string): boolean => !path.startsWith(`${DATA}/postgres/`);

async function storeFile(file: TarFile, body: AsyncIterable<Buffer>, target: string): Promise<string> {
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
  const hash = createHash('sha256');
  const handle = await open(target, 'wx', 0o600);
  try {
    for await (const chunk of body) {
      hash.update(chunk);
      await handle.writeFile(chunk);
    }
    if (isFlushed(file.path)) await handle.sync();
  } finally {
    await handle.close();
  }
  return hash.digest('hex');
}

const parse = <T>(what: string, read: () => T): T => {
  try {
    return read();
  } catch (error) {
    if (error instanceof SyntaxError || (error as Error).name === 'ZodError') {
      throw new DamagedArchiveError(`${what} cannot be read`);
    }
    throw error;
  }
};

function compare(stored: ReadonlyMap<string, string>, listed: Readonly<Record<string, string>>): void {
  const paths = Object.keys(listed);
  const wrong = paths.find((path) => stored.get(path) !== listed[path]);
  if (wrong !== undefined) throw new DamagedArchiveError(`the checksum of ${wrong} differs`);
  if (paths.length !== stored.size) throw new DamagedArchiveError('it contains files that it does not list');
}

async function store(
  source: AsyncIterable<Buffer>,
  into: string,
  accept: (manifest: Manifest) => void,
): Promise<Manifest> {
  const stored = new Map<string, string>();
  let manifest: Manifest | undefined;
  let complete = false;
  for await (const file of readTar(source)) {
    if (complete) throw new DamagedArchiveError('something follows its end');
    if (manifest === undefined) {
      if (file.path !== MANIFEST) throw new DamagedArchiveError('it is not a backup of Quita');
      const text = await readText(file, MANIFEST_BYTES);
      manifest = parse(MANIFEST, () => parseManifest(text));
      accept(manifest);
      stored.set(MANIFEST, createHash('sha256').update(text).digest('hex'));
    } else if (file.path === CHECKSUMS) {
      const text = await readText(file, CHECKSUMS_BYTES);
      compare(
        stored,
        parse(CHECKSUMS, () => checksumsSchema.parse(JSON.parse(text))),
      );
      complete = true;
    } else if (file.body === undefined) {
      mkdirSync(locate(into, file.path), { recursive: true, mode: 0o700 });
    } else {
      stored.set(file.path, await storeFile(file, file.body, locate(into, file.path)));
    }
  }
  if (manifest === undefined || !complete) throw new DamagedArchiveError('it ends too early');
  return manifest;
}

/**
 * Unpacks the archive into the folder and compares every file with its checksum. `accept` throws when this version cannot
 * use the archive. The folder is useless after a failure.
 */
export const extractArchive = async (
  archive: string,
  into: string,
  accept: (manifest: Manifest) => void,
): Promise<Manifest> => {
  try {
    const unpack = async (source: AsyncIterable<Buffer>) => store(source, into, accept);
    return await pipeline(createReadStream(archive), createGunzip(), unpack);
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (code?.startsWith('Z_') === true) throw new DamagedArchiveError(code);
    if (syscall !== undefined) throw new Error(`The backup cannot be unpacked (${code}): nothing was changed`);
    throw error;
  }
};
