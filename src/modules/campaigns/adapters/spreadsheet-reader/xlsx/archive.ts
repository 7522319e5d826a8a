import { inflateRawSync } from 'node:zlib';
import { SpreadsheetError } from '../../../ports/spreadsheet-reader.ts';

const MAX_ENTRIES = 1_000;
const MIB = 1024 * 1024;
/** The most bytes that are unpacked for one call, in all files together. A sheet of 50,000 rows and 12 columns has 25 MiB. */
const MAX_UNPACKED = 48 * MIB;

const END_SIGNATURE = 0x06054b50;
const END_BYTES = 22;
const MAX_COMMENT_LENGTH = 0xffff;
const CENTRAL_SIGNATURE = 0x02014b50;
const CENTRAL_BYTES = 46;
const LOCAL_SIGNATURE = 0x04034b50;
const LOCAL_BYTES = 30;
const ENCRYPTED = 1;
const STORED = 0;
const DEFLATED = 8;

interface Entry {
  readonly name: string;
  readonly method: number;
  readonly packed: number;
  readonly unpacked: number;
  readonly offset: number;
}

/** The files of an archive by their path. */
export type Archive = ReadonlyMap<string, Uint8Array>;

const damaged = (): SpreadsheetError => new SpreadsheetError('invalid_format', 'The file is damaged');

/** Reading beyond the end and broken compressed data throw errors of Node. */
function orDamaged<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof SpreadsheetError ? error : damaged();
  }
}

function findEnd(bytes: Buffer): number {
  const earliest = Math.max(0, bytes.length - END_BYTES - MAX_COMMENT_LENGTH);
  for (let at = bytes.length - END_BYTES; at >= earliest; at--) {
    if (bytes.readUInt32LE(at) === END_SIGNATURE) return at;
  }
  throw damaged();
}

/** Reads the list of files without unpacking anything. */
function entriesOf(bytes: Buffer): Entry[] {
  const end = findEnd(bytes);
  const count = bytes.readUInt16LE(end + 10);
  if (count > MAX_ENTRIES) {
    throw new SpreadsheetError('too_long', `A workbook may consist of at most ${MAX_ENTRIES} files`);
  }
  const entries: Entry[] = [];
  let at = bytes.readUInt32LE(end + 16);
  for (let index = 0; index < count; index++) {
    if (bytes.readUInt32LE(at) !== CENTRAL_SIGNATURE) throw damaged();
    if ((bytes.readUInt16LE(at + 8) & ENCRYPTED) !== 0) {
      throw new SpreadsheetError('unsupported_format', 'The file has a password: save it without one');
    }
    const nameLength = bytes.readUInt16LE(at + 28);
    entries.push({
      name: bytes.toString('utf8', at + CENTRAL_BYTES, at + CENTRAL_BYTES + nameLength),
      method: bytes.readUInt16LE(at + 10),
      packed: bytes.readUInt32LE(at + 20),
      unpacked: bytes.readUInt32LE(at + 24),
      offset: bytes.readUInt32LE(at + 42),
    });
    at += CENTRAL_BYTES + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return entries;
}

function unpack(bytes: Buffer, { method, packed, unpacked, offset }: Entry): Uint8Array {
  if (bytes.readUInt32LE(offset) !== LOCAL_SIGNATURE) throw damaged();
  const from = offset + LOCAL_BYTES + bytes.readUInt16LE(offset + 26) + bytes.readUInt16LE(offset + 28);
  const data = bytes.subarray(from, from + packed);
  if (data.length !== packed || (method !== STORED && method !== DEFLATED)) throw damaged();
  if (unpacked === 0) return new Uint8Array();
  // Inflating ends as soon as a file has more bytes than it declares.
  const content = method === STORED ? data : inflateRawSync(data, { maxOutputLength: unpacked });
  if (content.length !== unpacked) throw damaged();
  return content;
}

/** Opens a ZIP archive. ZIP64 is refused, because its sizes exceed every limit. */
export function openArchive(sent: Uint8Array) {
  const bytes = Buffer.from(sent.buffer, sent.byteOffset, sent.byteLength);
  const entries = orDamaged(() => entriesOf(bytes));
  let left = MAX_UNPACKED;
  return {
    /**
     * Unpacks a file; undefined when there is none. The size that the archive declares is checked before anything is
     * unpacked, and the real size is checked against the declared one.
     */
    file(name: string, maxBytes: number): Uint8Array | undefined {
      const [entry, second] = entries.filter((each) => each.name === name);
      if (entry === undefined) return undefined;
      if (second !== undefined) throw damaged();
      left -= entry.unpacked;
      if (entry.unpacked > maxBytes || left < 0) {
        const limit = Math.min(maxBytes, MAX_UNPACKED) / MIB;
        throw new SpreadsheetError('too_long', `A part of the file has more than ${limit} MiB when it is unpacked`);
      }
      return orDamaged(() => unpack(bytes, entry));
    },
  };
}

/** Builds an archive that stores its files without compression. */
export function packArchive(files: Archive): ArrayBuffer {
  const named = [...files].map(([name, content]) => ({ name: Buffer.from(name), content }));
  const size = named.reduce(
    (sum, { name, content }) => sum + LOCAL_BYTES + CENTRAL_BYTES + 2 * name.length + content.length,
    END_BYTES,
  );
  const packed = new ArrayBuffer(size);
  const bytes = Buffer.from(packed);
  const central: Buffer[] = [];
  let at = 0;
  for (const { name, content } of named) {
    const entry = Buffer.alloc(CENTRAL_BYTES);
    entry.writeUInt32LE(CENTRAL_SIGNATURE, 0);
    entry.writeUInt32LE(content.length, 20);
    entry.writeUInt32LE(content.length, 24);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(at, 42);
    central.push(entry, name);
    bytes.writeUInt32LE(LOCAL_SIGNATURE, at);
    // The sizes and the length of the name have the same order in both headers.
    entry.copy(bytes, at + 18, 20, 30);
    bytes.set(name, at + LOCAL_BYTES);
    bytes.set(content, at + LOCAL_BYTES + name.length);
    at += LOCAL_BYTES + name.length + content.length;
  }
  const start = at;
  for (const part of central) at += part.copy(bytes, at);
  bytes.writeUInt32LE(END_SIGNATURE, at);
  bytes.writeUInt16LE(named.length, at + 8);
  bytes.writeUInt16LE(named.length, at + 10);
  bytes.writeUInt32LE(at - start, at + 12);
  bytes.writeUInt32LE(start, at + 16);
  return packed;
}
