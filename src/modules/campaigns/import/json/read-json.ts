import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { AppError } from '../../../../kernel/errors.ts';
import type { Batch } from '../batch.ts';
import { type FoundDebts, findDebts, MAX_VALUES, type Piece } from './find-debts.ts';

export interface JsonImport {
  /** The body with an empty list in place of its debts. */
  readonly rest: unknown;
  readonly found: FoundDebts;
  /** Each piece is parsed on demand, so that the elements are never all in memory. */
  readonly batches: () => AsyncGenerator<Batch>;
}

const BYTE_ORDER_MARK = Buffer.from('\uFEFF');

const withoutMark = (bytes: Buffer): Buffer =>
  bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK) ? bytes.subarray(BYTE_ORDER_MARK.length) : bytes;

// `JSON.parse` makes `__proto__` an own property. No code here copies an element or reads more than its known
// properties, so that property is harmless and is ignored like any unknown one.
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message is replaced, because it quotes the body.
    throw new AppError('malformed_json', { detail: 'The body is not well-formed JSON.' });
  }
}

function elementsOf(bytes: Buffer, { from, to, count }: Piece): unknown[] {
  const elements = parse(`[${bytes.toString('utf8', from, to)}]`) as unknown[];
  // `[1,,2]` and `[1,]` may be cut so that each piece looks well-formed. One piece is blank then, which the count
  // reveals.
  if (elements.length !== count) throw new AppError('malformed_json');
  return elements;
}

/**
 * A body of 32 MiB may need 700 MB when it is parsed at once, and would block all other requests meanwhile. Its debts
 * are therefore parsed in pieces.
 */
export async function readJson(sent: Uint8Array): Promise<JsonImport> {
  const bytes = withoutMark(Buffer.from(sent.buffer, sent.byteOffset, sent.byteLength));
  const found = await findDebts(bytes);
  // A body with too many values beside the debts is refused without being parsed.
  const tooMuch = found.otherValues > MAX_VALUES;
  return {
    found,
    rest: tooMuch ? undefined : parse(`${bytes.toString('utf8', 0, found.from)}${bytes.toString('utf8', found.to)}`),
    async *batches() {
      for (const piece of found.pieces) {
        yield { elements: elementsOf(bytes, piece) };
        await yieldToEventLoop();
      }
    },
  };
}
