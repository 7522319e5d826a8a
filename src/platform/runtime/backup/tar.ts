import { Header } from 'tar';

const BLOCK = 512;

export class DamagedArchiveError extends Error {
  constructor(problem: string) {
    super(`The archive is damaged or incomplete (${problem})`);
    this.name = 'DamagedArchiveError';
  }
}

/** A file of an archive, or a folder when it has no body. */
export interface TarFile {
  readonly path: string;
  readonly size: number;
  readonly body: AsyncIterable<Buffer> | undefined;
}

const padding = (size: number): number => (BLOCK - (size % BLOCK)) % BLOCK;

const headerOf = ({ path, size, body }: TarFile, at: Date): Buffer => {
  const block = Buffer.alloc(BLOCK);
  const folder = body === undefined;
  const header = new Header({
    path: folder ? `${path}/` : path,
    mode: folder ? 0o700 : 0o600,
    uid: 0,
    gid: 0,
    size,
    mtime: at,
    type: folder ? 'Directory' : 'File',
  });
  if (header.encode(block)) throw new Error(`The name ${path} does not fit into the archive`);
  return block;
};

/** Writes the files one after the other; nothing is held in memory but one chunk. */
export async function* writeTar(files: AsyncIterable<TarFile>, at: Date): AsyncGenerator<Buffer> {
  for await (const file of files) {
    yield headerOf(file, at);
    let written = 0;
    for await (const chunk of file.body ?? []) {
      written += chunk.length;
      yield chunk;
    }
    if (written !== file.size) throw new Error(`${file.path} has ${written} bytes instead of ${file.size}`);
    yield Buffer.alloc(padding(written));
  }
  yield Buffer.alloc(2 * BLOCK);
}

/** Gives the bytes of a stream in the portions that are asked for. */
class ByteReader {
  private readonly source: AsyncIterator<Buffer>;
  private rest: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Buffer>) {
    this.source = source[Symbol.asyncIterator]();
  }

  /** Returns at most `most` bytes, and nothing at the end of the stream. */
  async some(most: number): Promise<Buffer | undefined> {
    while (this.rest.length === 0) {
      const next = await this.source.next();
      if (next.done === true) return undefined;
      this.rest = next.value;
    }
    const taken = this.rest.subarray(0, most);
    this.rest = this.rest.subarray(taken.length);
    return taken;
  }

  async *portion(size: number): AsyncGenerator<Buffer> {
    for (let missing = size; missing > 0; ) {
      const chunk = await this.some(missing);
      if (chunk === undefined) throw new DamagedArchiveError('it ends too early');
      missing -= chunk.length;
      yield chunk;
    }
  }

  /** Returns nothing at the end of the stream. */
  async block(): Promise<Buffer | undefined> {
    const first = await this.some(BLOCK);
    if (first === undefined || first.length === BLOCK) return first;
    const parts = [first];
    for await (const part of this.portion(BLOCK - first.length)) parts.push(part);
    return Buffer.concat(parts);
  }
}

/**
 * Reads the files one after the other. The archives of PostgreSQL and our own have plain headers only, so everything else
 * is refused. PostgreSQL leaves out the end of its archive.
 */
export async function* readTar(source: AsyncIterable<Buffer>): AsyncGenerator<TarFile> {
  const reader = new ByteReader(source);
  for (;;) {
    const block = await reader.block();
    if (block === undefined) return;
    const header = new Header(block);
    if (header.nullBlock) continue;
    const { path, size = 0, type } = header;
    if (!header.cksumValid || path === undefined) throw new DamagedArchiveError('a header is not valid');
    if (type === 'Directory') {
      yield { path: path.replace(/\/$/, ''), size: 0, body: undefined };
      continue;
    }
    if (type !== 'File' && type !== 'OldFile') throw new DamagedArchiveError(`${path} is a ${type}`);
    const body = reader.portion(size);
    yield { path, size, body };
    // What the reader of the archive has not read is skipped.
    for await (const _ of body);
    for await (const _ of reader.portion(padding(size)));
  }
}
