import type { Context } from 'koa';
import koaBody from 'koa-body';
import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { type HeldBytes, UNLIMITED } from './byte-budget.ts';
import { parseJson } from './json-text.ts';
import { boundaryOf, MalformedMultipart, type Part, splitMultipart } from './multipart.ts';
import { ClientGone } from './problem.ts';
import { collectBytes, decoded } from './received-bytes.ts';
import type { SlowestUpload } from './request-limits.ts';

export const DEFAULT_BODY_LIMIT = 256 * 1024;

/** `json-bytes` is JSON that the use case parses itself, piece by piece; `raw` may have any content type. */
export type BodyType = 'none' | 'json' | 'json-bytes' | 'multipart' | 'raw';

export interface UploadedFile {
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
  // A textual code comes from the system or from a decoder. Only a decoder's means a bad request: a broken compressed
  // body.
  if (typeof error.code === 'string' && !/^(?:Z_|ERR__ERROR_FORMAT|ERR_PADDING)/.test(error.code)) return error;
  return new AppError('malformed_json', { detail: 'The body could not be read.', cause: thrown });
}

const tooLarge = (limit: number): AppError =>
  new AppError('payload_too_large', { detail: `At most ${limit} bytes are taken here.` });

export const hasBody = (ctx: Context): boolean =>
  ctx.req.headers['transfer-encoding'] !== undefined || Number(ctx.req.headers['content-length'] ?? 0) > 0;

type Reader = ReturnType<typeof koaBody>;
const done = async (): Promise<void> => undefined;

/**
 * The package exports no names for these, which are plain texts at run time. The removal of a second factor has a body too.
 */
const PARSED_METHODS = ['POST', 'PUT', 'PATCH', 'DELETE'] as unknown as NonNullable<
  NonNullable<Parameters<typeof koaBody>[0]>['parsedMethods']
>;

// JSON is read as text and parsed by `parseJson`: every JSON value is a body (the schema checks it), and well-formed
// means that `JSON.parse` accepts it.
const textReader = (limit: number): Reader =>
  koaBody({
    multipart: false,
    urlencoded: false,
    json: false,
    text: true,
    textTypes: ['json', '+json'],
    textLimit: limit,
    parsedMethods: PARSED_METHODS,
    patchKoa: true,
  });

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

export interface ReadBody {
  readonly value: unknown;
  /** What was sent, by the name of its part; a body without parts has the empty name. */
  readonly sent: ReadonlyMap<string, string | Uint8Array>;
}

/** What happens with a body while it is read. */
export interface Reading {
  /** Where its bytes count while they are in memory. */
  readonly held?: HeldBytes | undefined;
  /** Called between reading and parsing; an error that it throws refuses the body before it is parsed. */
  readonly beforeParsing?: ((characters: number) => Promise<void>) | undefined;
}

async function readJson(ctx: Context, reader: Reader, limit: number, reading: Reading): Promise<ReadBody> {
  requireJson(ctx);
  const { held = UNLIMITED, beforeParsing } = reading;
  const { promise: refused, reject } = Promise.withResolvers<never>();
  const count = ({ length }: Buffer): void => {
    try {
      held.take(length);
    } catch (error) {
      // Without its listener the reader of the text keeps nothing more.
      ctx.req.removeAllListeners('data');
      reject(error);
    }
  };
  // The size of a compressed body is known only when it has been decoded, so it counts as the largest one.
  if (ctx.req.headers['content-encoding'] !== undefined) held.take(limit);
  else ctx.req.on('data', count);
  try {
    await Promise.race([reader(ctx, done), refused]);
  } finally {
    // What is dropped after a refusal is not in memory.
    ctx.req.off('data', count);
  }
  const request = ctx.request as unknown as { body: unknown };
  const text = String(request.body);
  request.body = undefined;
  await beforeParsing?.(text.length);
  return { value: parseJson(text), sent: new Map([['', text]]) };
}

async function readBytes(ctx: Context, limit: number, { held = UNLIMITED }: Reading): Promise<ReadBody> {
  const value = await collectBytes(decoded(ctx.req), limit, held.take, () => tooLarge(limit));
  return { value, sent: new Map([['', value]]) };
}

/**
 * Every byte of the request counts, so the headers of the parts and the texts have a small room beside the file. Uploads
 * contain debtors' data, so they stay in memory and are never written to a temporary folder.
 */
async function readMultipart(ctx: Context, limit: number, { held = UNLIMITED }: Reading): Promise<ReadBody> {
  if (!ctx.is('multipart/form-data') || ctx.req.headers['content-encoding'] !== undefined) {
    throw new AppError('unsupported_media_type', { detail: 'The body must be multipart/form-data, not compressed.' });
  }
  const whole = limit + DEFAULT_BODY_LIMIT;
  if (Number(ctx.req.headers['content-length'] ?? 0) > whole) throw tooLarge(limit);
  const boundary = boundaryOf(ctx.get('Content-Type'));
  if (boundary === undefined) throw new MalformedMultipart('the boundary is missing');
  const parts = await splitMultipart(await collectBytes(ctx.req, whole, held.take, () => tooLarge(limit)), boundary);
  const sent = new Map(parts.map(({ name, bytes }): [string, Uint8Array] => [name, bytes]));
  // One of two files would be ignored without anybody noticing.
  if (sent.size < parts.length) throw new MalformedMultipart('two parts have the same name');
  return { value: Object.fromEntries(parts.map((part) => [part.name, contentOf(part, limit)])), sent };
}

function contentOf({ isFile, bytes }: Part, limit: number): UploadedFile | string {
  const most = isFile ? limit : DEFAULT_BODY_LIMIT;
  if (bytes.length > most) throw tooLarge(most);
  return isFile ? { bytes } : bytes.toString('utf8');
}

/**
 * Ends when the body was read, when the client has closed the connection, or when the time is over. Without this, a
 * reader would wait for ever for the rest of a compressed body. What it still reads afterwards is limited by its byte
 * limit.
 */
async function within<T>(
  ctx: Context,
  { ms, slowest }: Pick<BodyReaderOptions, 'ms' | 'slowest'>,
  reading: Promise<T>,
): Promise<T> {
  const { req } = ctx;
  const { promise: interrupted, reject } = Promise.withResolvers<never>();
  const giveUp = (): void => reject(new AppError('request_timeout', { detail: 'The body did not arrive in time.' }));
  const timer = setTimeout(giveUp, ms);
  const watching = slowest && watchRate(req, slowest, giveUp);
  const onClose = () => {
    if (!req.complete) reject(new ClientGone());
  };
  req.once('close', onClose);
  try {
    return await Promise.race([reading, interrupted]);
  } finally {
    clearTimeout(timer);
    clearInterval(watching);
    req.off('close', onClose);
    reading.catch(() => undefined);
  }
}

/** Compares the rate since the last look, so that a fast beginning does not pay for a slow end. */
function watchRate(req: Context['req'], { afterMs, bytesPerSecond }: SlowestUpload, giveUp: () => void) {
  const { socket } = req;
  let seen = socket.bytesRead;
  return setInterval(() => {
    const received = socket.bytesRead - seen;
    seen = socket.bytesRead;
    if (!req.complete && (received * 1_000) / afterMs < bytesPerSecond) giveUp();
  }, afterMs);
}

export interface BodyReaderOptions {
  readonly type: BodyType;
  readonly limit: number;
  /** The time for the whole body to arrive. */
  readonly ms: number;
  readonly slowest?: SlowestUpload | undefined;
}

/** Creates the body reader of one route. It resolves with `undefined` when no body was sent. */
export function createBodyReader({
  type,
  limit,
  ms,
  slowest,
}: BodyReaderOptions): (ctx: Context, reading?: Reading) => Promise<ReadBody | undefined> {
  const texts = textReader(limit);

  const read = async (ctx: Context, reading: Reading): Promise<ReadBody> => {
    if (type === 'json') return readJson(ctx, texts, limit, reading);
    if (type === 'multipart') return readMultipart(ctx, limit, reading);
    if (type === 'json-bytes') requireJson(ctx);
    return readBytes(ctx, limit, reading);
  };

  return async (ctx, reading = {}) => {
    if (type === 'none') return undefined;
    if (!hasBody(ctx)) return type === 'raw' ? { value: Buffer.alloc(0), sent: new Map() } : undefined;
    try {
      return await within(ctx, { ms, slowest }, read(ctx, reading));
    } catch (thrown) {
      throw thrown instanceof AppError || thrown instanceof ClientGone ? thrown : refusal(thrown, limit);
    }
  };
}
