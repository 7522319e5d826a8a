import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { AppError } from '../../kernel/errors.ts';
import { ClientGone } from './problem.ts';

const FIRST_BLOCK = 1024;
const MAX_BLOCK = 1024 * 1024;

/**
 * Collects bytes by copying them into blocks. The chunks themselves are not kept: a client can send each byte as a chunk
 * of its own, and every chunk is an object that is a hundred times as large as its byte.
 */
export class Blocks {
  readonly #full: Buffer[] = [];
  #last = Buffer.alloc(0);
  #used = 0;
  #total = 0;

  get length(): number {
    return this.#total;
  }

  append(chunk: Uint8Array): void {
    for (let from = 0; from < chunk.length; ) {
      if (this.#used === this.#last.length) this.#begin();
      const part = chunk.subarray(from, from + this.#last.length - this.#used);
      this.#last.set(part, this.#used);
      this.#used += part.length;
      this.#total += part.length;
      from += part.length;
    }
  }

  /** Returns all bytes as one buffer. Nothing may be appended afterwards. */
  take(): Buffer {
    const last = this.#last.subarray(0, this.#used);
    return this.#full.length === 0 ? last : Buffer.concat([...this.#full, last], this.#total);
  }

  /** At most as much memory is reserved as is in use already. */
  #begin(): void {
    if (this.#used > 0) this.#full.push(this.#last);
    this.#last = Buffer.allocUnsafeSlow(Math.min(MAX_BLOCK, Math.max(FIRST_BLOCK, this.#total)));
    this.#used = 0;
  }
}

const DECODERS: Readonly<Record<string, () => ReturnType<typeof createGunzip>>> = {
  gzip: createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** Returns the body of a request as it was before the client compressed it. */
export function decoded(request: IncomingMessage): Readable {
  const encoding = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity' || encoding === '') return request;
  const decoder = Object.hasOwn(DECODERS, encoding) ? DECODERS[encoding]?.() : undefined;
  if (decoder === undefined) {
    throw new AppError('unsupported_media_type', { detail: 'This encoding is not supported.' });
  }
  return request.pipe(decoder);
}

/** Called with the number of bytes of each chunk before it is kept; an error that it throws ends the reading. */
export type OnBytes = (bytes: number) => void;

/** Reads a stream to its end. Stops reading, and rejects, as soon as it has more than `limit` bytes. */
export function collectBytes(
  stream: Readable,
  limit: number,
  onBytes: OnBytes,
  tooLarge: () => Error,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const blocks = new Blocks();
    const stop = (): void => {
      stream.off('data', onData);
      stream.off('end', onEnd);
      stream.off('close', onClose);
      stream.pause();
    };
    const fail = (error: unknown): void => {
      stop();
      reject(error);
    };
    const onData = (chunk: Buffer): void => {
      try {
        if (blocks.length + chunk.length > limit) throw tooLarge();
        onBytes(chunk.length);
        blocks.append(chunk);
      } catch (error) {
        fail(error);
      }
    };
    const onEnd = (): void => {
      stop();
      resolve(blocks.take());
    };
    const onClose = (): void => fail(new ClientGone());
    stream.on('data', onData);
    stream.once('end', onEnd);
    stream.once('close', onClose);
    // This listener stays, because a broken compressed body may fail again after its reading has ended.
    stream.on('error', fail);
  });
}
