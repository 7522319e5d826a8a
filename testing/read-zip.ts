import { crc32, inflateRawSync } from 'node:zlib';

const END = 0x06054b50;
const ENTRY = 0x02014b50;

/** Reads the files of a ZIP by its central directory, each with its checksum compared. */
export function readZip(bytes: Buffer): Map<string, Buffer> {
  const end = bytes.length - 22;
  if (end < 0 || bytes.readUInt32LE(end) !== END) throw new Error('the archive has no end');
  const files = new Map<string, Buffer>();
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (bytes.readUInt32LE(at) !== ENTRY) throw new Error('the directory is torn');
    const lengths = [28, 30, 32].map((place) => bytes.readUInt16LE(at + place)) as [number, number, number];
    const name = bytes.toString('utf8', at + 46, at + 46 + lengths[0]);
    const local = bytes.readUInt32LE(at + 42);
    const from = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    const packed = bytes.subarray(from, from + bytes.readUInt32LE(at + 20));
    const content = bytes.readUInt16LE(at + 10) === 0 ? packed : inflateRawSync(packed);
    if (crc32(content) !== bytes.readUInt32LE(at + 16)) throw new Error(`${name} is not what was written`);
    files.set(name, content);
    at += 46 + lengths[0] + lengths[1] + lengths[2];
  }
  return files;
}
