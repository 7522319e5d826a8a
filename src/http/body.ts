import { Writable } from 'node:stream';
import type { Context } from 'koa';
import koaBody from 'koa-body';
import { z } from 'zod';
import { AppError } from '../domain/errors.ts';
import { parseJson } from './json-text.ts';
import { ClientGone } from './problem.ts';

export const DEFAULT_BODY_LIMIT = 256 * 1024;

/** `json-bytes` is JSON that the use case parses itself, piece by piece; `raw` may have any content type. */
export type BodyType = 'none' | 'json' | 'json-bytes' | 'multipart' | 'raw';

export interface UploadedFile {
  readonly filename: string | null;
  readonly bytes: Uint8Array;
}

/** A file of a multipart body, for a route's `body` schema. */
export const uploadedFile = () =>
  z
    .custom<UploadedFile>(
      (value) => value !== null && typeof value === 'object' && 'bytes' in value && value.bytes instanceof Uint8Array,
      { message: 'A file is expected' },
    )
    .meta({ type: 'string', format: 'binary' });

interface ReadError extends Error {
  readonly type?: string;
  readonly status?: number;
  readonly httpCode?: number;
  readonly code?: string | number;
}

function refusal(thrown: unknown, limit: number): Error {
  const error = thrown as ReadError;
  if (error.type === 'request.aborted' || error.code === 'ECONNRESET' || error.code === 'ECONNABORTED') {
    return new ClientGone();
  }
  const status = error.httpCode ?? error.status;
  if (status === 413) return tooLarge(limit);
  if (status === 415) return new AppError('unsupported_media_type', { detail: 'This encoding is not supported.' });
  // A textual code comes from the system or from zlib. Only zlib's means a bad request: a broken compressed body.
  if (typeof error.code === 'string' && !error.code.startsWith('Z_')) return error;
  return new AppError('malformed_json', { detail: 'The body could not be read.', cause: thrown });
}

const tooLarge = (limit: number): AppError =>
  new AppError('payload_too_large', { detail: `At most ${limit} bytes are taken here.` });

export const hasBody = (ctx: Context): boolean =>
  ctx.req.headers['transfer-encoding'] !== undefined || Number(ctx.req.headers['content-length'] ?? 0) > 0;

type Reader = ReturnType<typeof koaBody>;
const done = async (): Promise<void> => undefined;

// JSON is read as text and parsed by `parseJson`: every JSON value is a body (the schema checks it), and well-formed
// means that `JSON.parse` accepts it.
const COMMON = { multipart: false, urlencoded: false, json: false, text: false, patchKoa: true } as const;
const textReader = (limit: number): Reader =>
  koaBody({ ...COMMON, text: true, textTypes: ['json', '+json'], textLimit: limit });
// latin1 keeps every byte as one character, so the exact signed bytes can be restored.
const byteReader = (limit: number): Reader =>
  koaBody({ ...COMMON, text: true, textTypes: ['*/*'], textLimit: limit, encoding: 'latin1' });

/** Takes the text out of the request. It may have 32 MiB and would otherwise stay in memory until the request ends. */
function takeReceived(ctx: Context): string {
  const request = ctx.request as unknown as { body: unknown };
  const text = String(request.body);
  request.body = undefined;
  return text;
}

function requireJson(ctx: Context): void {
  const type = ctx.request.type.toLowerCase();
  if (type !== 'application/json' && !/^application\/[\w.+-]+\+json$/.test(type)) {
    throw new AppError('unsupported_media_type', { detail: 'The body must be application/json.' });
  }
  const charset = ctx.request.charset.toLowerCase();
  if (charset !== '' && charset !== 'utf-8' && charset !== 'utf8') {
    throw new AppError('unsupported_media_type', { detail: 'JSON is read as UTF-8 only.' });
  }
}

/** Called between reading and parsing; an error that it throws refuses the body before it is parsed. */
export type BeforeParsing = (characters: number) => Promise<void>;

async function readJson(ctx: Context, reader: Reader, beforeParsing: BeforeParsing | undefined): Promise<unknown> {
  requireJson(ctx);
  await reader(ctx, done);
  const text = takeReceived(ctx);
  await beforeParsing?.(text.length);
  return parseJson(text);
}

async function readBytes(ctx: Context, reader: Reader): Promise<Buffer> {
  await reader(ctx, done);
  return Buffer.from(takeReceived(ctx), 'latin1');
}

async function readMultipart(ctx: Context, limit: number): Promise<unknown> {
  if (!ctx.is('multipart/form-data')) {
    throw new AppError('unsupported_media_type', { detail: 'The body must be multipart/form-data.' });
  }
  const chunks = new Map<unknown, Buffer[]>();
  const reader = koaBody({
    ...COMMON,
    multipart: true,
    formidable: {
      maxFileSize: limit,
      maxTotalFileSize: limit,
      maxFieldsSize: DEFAULT_BODY_LIMIT,
      maxFiles: 10,
      maxFields: 100,
      minFileSize: 0,
      allowEmptyFiles: true,
      // Uploads contain debtors' data, so they stay in memory and are never written to a temporary folder.
      fileWriteStreamHandler: (file) => {
        const parts: Buffer[] = [];
        chunks.set(file, parts);
        return new Writable({
          write(chunk: Buffer, _encoding, callback) {
            parts.push(chunk);
            callback();
          },
        });
      },
    },
  });
  await reader(ctx, done);
  const request = ctx.request as unknown as { body: Record<string, unknown>; files?: Record<string, unknown> };
  const body: Record<string, unknown> = { ...request.body };
  for (const [name, value] of Object.entries(request.files ?? {})) {
    const file = (Array.isArray(value) ? value[0] : value) as { originalFilename: string | null };
    body[name] = {
      filename: file.originalFilename,
      bytes: Buffer.concat(chunks.get(file) ?? []),
    } satisfies UploadedFile;
  }
  return body;
}

/**
 * Ends when the body was read, when the client has closed the connection, or when the time is over. Without this, a
 * reader would wait for ever for the rest of a compressed body. What it still reads afterwards is limited by its byte
 * limit.
 */
async function within<T>(ctx: Context, ms: number, reading: Promise<T>): Promise<T> {
  const { req } = ctx;
  const { promise: interrupted, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    reject(new AppError('request_timeout', { detail: 'The body did not arrive in time.' }));
  }, ms);
  const onClose = () => {
    if (!req.complete) reject(new ClientGone());
  };
  req.once('close', onClose);
  try {
    return await Promise.race([reading, interrupted]);
  } finally {
    clearTimeout(timer);
    req.off('close', onClose);
    reading.catch(() => undefined);
  }
}

export interface BodyReaderOptions {
  readonly type: BodyType;
  readonly limit: number;
  /** The time for the whole body to arrive. */
  readonly ms: number;
}

/** Creates the body reader of one route. It resolves with `undefined` when no body was sent. */
export function createBodyReader({
  type,
  limit,
  ms,
}: BodyReaderOptions): (ctx: Context, beforeParsing?: BeforeParsing) => Promise<unknown> {
  const texts = textReader(limit);
  const bytes = byteReader(limit);

  const read = async (ctx: Context, beforeParsing?: BeforeParsing): Promise<unknown> => {
    if (type === 'json') return readJson(ctx, texts, beforeParsing);
    if (type === 'multipart') return readMultipart(ctx, limit);
    if (type === 'json-bytes') requireJson(ctx);
    ctx.req.headers['content-type'] ??= 'application/octet-stream';
    return readBytes(ctx, bytes);
  };

  return async (ctx, beforeParsing) => {
    if (type === 'none') return undefined;
    if (!hasBody(ctx)) return type === 'raw' ? Buffer.alloc(0) : undefined;
    try {
      if (type === 'multipart' && Number(ctx.req.headers['content-length'] ?? 0) > limit + DEFAULT_BODY_LIMIT) {
        throw tooLarge(limit);
      }
      return await within(ctx, ms, read(ctx, beforeParsing));
    } catch (thrown) {
      throw thrown instanceof AppError || thrown instanceof ClientGone ? thrown : refusal(thrown, limit);
    }
  };
}
