import { setImmediate as breathe } from 'node:timers/promises';
import { AppError } from '../../../domain/errors.ts';
import type { Batch } from '../batch.ts';
import { type FoundDebts, findDebts, MAX_VALUES, type Piece } from './find-debts.ts';

export interface JsonImport {
  /** The body, with an empty list where its debts stand. */
  readonly rest: unknown;
  readonly found: FoundDebts;
  /** Each piece is parsed when it is asked for, so that the elements are never all in memory. */
  readonly batches: () => AsyncGenerator<Batch>;
}

const BYTE_ORDER_MARK = Buffer.from('\uFEFF');

const withoutMark = (bytes: Buffer): Buffer =>
  bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK) ? bytes.subarray(BYTE_ORDER_MARK.length) : bytes;

// A member `__proto__` is an own member of what `JSON.parse` makes. Nothing here copies an element, or reads more than
// its known members, so it does no harm and is ignored like any other that is not known.
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message quotes the body.
    throw new AppError('malformed_json', { detail: 'The body is not well-formed JSON.' });
  }
}

function elementsOf(bytes: Buffer, { from, to, count }: Piece): unknown[] {
  const elements = parse(`[${bytes.toString('utf8', from, to)}]`) as unknown[];
  // `[1,,2]` and `[1,]` may be cut where the pieces look well-formed: one of them is blank then.
  if (elements.length !== count) throw new AppError('malformed_json');
  return elements;
}

/**
 * A body of 32 MiB may be 700 MB once parsed, and would hold up everybody else for as long as that takes. So its debts
 * are parsed some at a time.
 */
export async function readJson(sent: Uint8Array): Promise<JsonImport> {
  const bytes = withoutMark(Buffer.from(sent.buffer, sent.byteOffset, sent.byteLength));
  const found = await findDebts(bytes);
  // Too much of it is refused unparsed.
  const tooMuch = found.otherValues > MAX_VALUES;
  return {
    found,
    rest: tooMuch ? undefined : parse(`${bytes.toString('utf8', 0, found.from)}${bytes.toString('utf8', found.to)}`),
    async *batches() {
      for (const piece of found.pieces) {
        yield { elements: elementsOf(bytes, piece) };
        await breathe();
      }
    },
  };
}
