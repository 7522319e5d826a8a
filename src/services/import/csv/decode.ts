import { isUtf8 } from 'node:buffer';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

/** A chunk blocks the event loop for at most 20 ms, which it takes when each row has one character. */
const CHUNK_BYTES = 16 * 1024;

const BOM = '\uFEFF';

/** A file that is not UTF-8 comes from an older spreadsheet, which writes Windows-1252, a superset of Latin-1. */
const encodingOf = (bytes: Uint8Array): string => (isUtf8(bytes) ? 'utf-8' : 'windows-1252');

/** Yields the text of a file in chunks, without its byte order mark. */
export async function* decodeText(bytes: Uint8Array): AsyncGenerator<string> {
  const decoder = new TextDecoder(encodingOf(bytes), { ignoreBOM: true });
  for (let from = 0; from < bytes.length; from += CHUNK_BYTES) {
    const text = decoder.decode(bytes.subarray(from, from + CHUNK_BYTES), { stream: true });
    yield from === 0 && text.startsWith(BOM) ? text.slice(1) : text;
    await yieldToEventLoop();
  }
}
