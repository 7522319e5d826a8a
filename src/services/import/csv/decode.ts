import { isUtf8 } from 'node:buffer';
import { setImmediate as breathe } from 'node:timers/promises';

/** Parsed in one go, 20 ms where each row has one character; between two other requests are answered. */
const CHUNK_BYTES = 16 * 1024;

const BOM = '\uFEFF';

/** What is not UTF-8 is what older spreadsheets write: Latin-1, in Windows' wider reading of it. */
const encodingOf = (bytes: Uint8Array): string => (isUtf8(bytes) ? 'utf-8' : 'windows-1252');

/** The text of a file, chunk by chunk, without its byte order mark. */
export async function* decodeText(bytes: Uint8Array): AsyncGenerator<string> {
  const decoder = new TextDecoder(encodingOf(bytes), { ignoreBOM: true });
  for (let from = 0; from < bytes.length; from += CHUNK_BYTES) {
    const text = decoder.decode(bytes.subarray(from, from + CHUNK_BYTES), { stream: true });
    yield from === 0 && text.startsWith(BOM) ? text.slice(1) : text;
    await breathe();
  }
}
