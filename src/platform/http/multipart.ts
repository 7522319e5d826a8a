import { setImmediate as afterOthers } from 'node:timers/promises';

const MAX_PARTS = 20;
const MAX_HEADER_BYTES = 16 * 1024;
/** Clients may pad a delimiter with blanks. */
const MAX_PADDING = 64;
/** Line breaks are the slowest bytes to search: these take about 5 ms. */
const SEARCHED_AT_ONCE = 256 * 1024;

const CRLF = Buffer.from('\r\n');
const END_OF_HEADERS = Buffer.from('\r\n\r\n');
const DASHES = Buffer.from('--');

/** These three leave the bytes as they are; every other encoding would have to be decoded and is refused. */
const PLAIN_ENCODINGS: ReadonlySet<string> = new Set(['binary', '8bit', '7bit']);

export class MalformedMultipart extends Error {
  override readonly name = 'MalformedMultipart';
}

export interface Part {
  readonly name: string;
  /** The part has a parameter `filename`. The name itself is not read, because nothing uses it. */
  readonly isFile: boolean;
  /** A view of the body, not a copy. */
  readonly bytes: Buffer;
}

/** Returns the boundary that a header `Content-Type` names; undefined when it names none that RFC 2046 allows. */
export function boundaryOf(contentType: string): string | undefined {
  const boundary = readParameters(contentType).get('boundary');
  return boundary !== undefined && /^[\x20-\x7e]{1,70}$/.test(boundary) ? boundary : undefined;
}

/**
 * Splits a `multipart/form-data` body (RFC 7578) that has arrived as a whole; the caller limits its length. There are no
 * events and no callbacks, so nothing can fail after the caller has stopped listening. Each byte is searched once.
 */
export async function splitMultipart(body: Buffer, boundary: string): Promise<Part[]> {
  const delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1');
  const parts: Part[] = [];
  // The first delimiter may stand at the very beginning, without a line break before it.
  const startsAtOnce = body.subarray(0, delimiter.length - CRLF.length).equals(delimiter.subarray(CRLF.length));
  let at = startsAtOnce ? delimiter.length - CRLF.length : await afterNext(body, delimiter, 0);
  for (;;) {
    if (body.subarray(at, at + DASHES.length).equals(DASHES)) return parts;
    at = afterPadding(body, at);
    if (parts.length === MAX_PARTS) throw new MalformedMultipart(`more than ${MAX_PARTS} parts`);
    // A part without headers has the empty line at once, so the search begins at the line break of the delimiter.
    const from = at - CRLF.length;
    const headersEnd = body.subarray(from, at + MAX_HEADER_BYTES + END_OF_HEADERS.length).indexOf(END_OF_HEADERS);
    if (headersEnd === -1) throw new MalformedMultipart('the headers of a part do not end');
    const headers = readHeaders(body.toString('latin1', at, Math.max(at, from + headersEnd)));
    const start = from + headersEnd + END_OF_HEADERS.length;
    at = await afterNext(body, delimiter, start);
    parts.push({ ...factsOf(headers), bytes: body.subarray(start, Math.max(start, at - delimiter.length)) });
  }
}

/** Returns the position behind the next delimiter. Other requests are served between the pieces of a long search. */
async function afterNext(body: Buffer, delimiter: Buffer, start: number): Promise<number> {
  // The line break that ends the headers of an empty part may belong to the delimiter too.
  for (let from = Math.max(0, start - CRLF.length); from < body.length; from += SEARCHED_AT_ONCE) {
    if (from > start) await afterOthers();
    const found = body.subarray(from, from + SEARCHED_AT_ONCE + delimiter.length - 1).indexOf(delimiter);
    if (found !== -1) return from + found + delimiter.length;
  }
  throw new MalformedMultipart('a part does not end');
}

/** Returns the position behind the line break of a delimiter. */
function afterPadding(body: Buffer, from: number): number {
  let at = from;
  while (at < from + MAX_PADDING && (body[at] === 0x20 || body[at] === 0x09)) at++;
  if (!body.subarray(at, at + CRLF.length).equals(CRLF))
    throw new MalformedMultipart('a delimiter does not end its line');
  return at + CRLF.length;
}

function readHeaders(text: string): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (const line of text.split('\r\n')) {
    const colon = line.indexOf(':');
    if (colon > 0) headers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
    else if (line !== '') throw new MalformedMultipart('a line of the headers has no name');
  }
  return headers;
}

function factsOf(headers: ReadonlyMap<string, string>): Pick<Part, 'name' | 'isFile'> {
  const encoding = headers.get('content-transfer-encoding')?.toLowerCase() ?? 'binary';
  if (!PLAIN_ENCODINGS.has(encoding)) throw new MalformedMultipart('an encoding of a part is not supported');
  const disposition = headers.get('content-disposition') ?? '';
  if (!/^form-data\s*(?:;|$)/i.test(disposition)) throw new MalformedMultipart('a part is no part of a form');
  const parameters = readParameters(disposition);
  const name = parameters.get('name');
  if (name === undefined) throw new MalformedMultipart('a part has no name');
  return {
    name: Buffer.from(name, 'latin1').toString('utf8'),
    isFile: parameters.has('filename') || parameters.has('filename*'),
  };
}

/**
 * Reads the parameters of a header, such as `form-data; name="a"; filename="b"`. It goes through the text once, because
 * a regular expression over quoted texts takes quadratic time for a header that repeats an unclosed one.
 */
function readParameters(header: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  let at = header.indexOf(';');
  while (at !== -1) {
    const equals = header.indexOf('=', at);
    if (equals === -1) break;
    const name = header
      .slice(at + 1, equals)
      .trim()
      .toLowerCase();
    const isQuoted = header[equals + 1] === '"';
    const { value, end } = isQuoted ? readQuoted(header, equals + 2) : readToken(header, equals + 1);
    // The first of several wins, as in the standards of the web.
    if (!parameters.has(name)) parameters.set(name, value);
    at = header.indexOf(';', end);
  }
  return parameters;
}

interface ReadValue {
  readonly value: string;
  readonly end: number;
}

function readToken(header: string, from: number): ReadValue {
  const semicolon = header.indexOf(';', from);
  const end = semicolon === -1 ? header.length : semicolon;
  return { value: header.slice(from, end).trim(), end };
}

/** Browsers write a quotation mark as `%22`; mail programs write a backslash before it. */
function readQuoted(header: string, from: number): ReadValue {
  let value = '';
  for (let at = from; at < header.length; at++) {
    if (header[at] === '"') return { value, end: at };
    if (header[at] === '\\' && (header[at + 1] === '"' || header[at + 1] === '\\')) at++;
    value += header[at];
  }
  throw new MalformedMultipart('a quotation mark is not closed');
}
