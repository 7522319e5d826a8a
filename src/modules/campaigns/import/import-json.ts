import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { AppError, type FieldProblem } from '../../../kernel/errors.ts';
import { type Batch, checkDebts } from './check-debts.ts';
import { type FoundDebts, findDebts, MAX_VALUES, type Piece } from './find-debts.ts';
import type { ImportDebts, ImportResult, ImportTarget } from './import-debts.ts';
import { refuse } from './import-problem.ts';
import { MAX_DEBTS } from './limits.ts';

interface JsonImport {
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

type Shape = Readonly<Record<'clientId' | 'debts', unknown>>;

function shapeProblems({ clientId, debts }: Shape, { count, oversized }: JsonImport['found']): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const add = (pointer: string, code: string, message: string) => problems.push({ pointer, code, message });
  if (clientId === undefined) add('/clientId', 'required', 'This is required');
  else if (typeof clientId !== 'string') add('/clientId', 'invalid_type', 'A text is expected');
  if (debts === undefined) add('/debts', 'required', 'This is required');
  else if (!Array.isArray(debts)) add('/debts', 'invalid_type', 'A list is expected');
  else if (count === 0) add('/debts', 'too_short', 'At least one debt is expected');
  else if (count > MAX_DEBTS) add('/debts', 'too_long', `At most ${MAX_DEBTS} debts are taken in one call`);
  else if (oversized !== -1) add(`/debts/${oversized}`, 'too_long', `An element may hold at most ${MAX_VALUES} values`);
  return problems;
}

/** Throws when the import as a whole is refused. It runs before any element is parsed. */
function checkShape({ rest, found }: JsonImport, callerId: string): void {
  if (found.otherValues > MAX_VALUES) {
    throw refuse({ pointer: '', code: 'too_long', message: `At most ${MAX_VALUES} values are taken beside the debts` });
  }
  if (rest === null || typeof rest !== 'object' || Array.isArray(rest)) {
    throw refuse({ pointer: '', code: 'invalid_type', message: 'An object is expected' });
  }
  const shape = rest as Shape;
  // A mismatch of the caller is reported before any problem of the body.
  if (typeof shape.clientId === 'string' && shape.clientId.toLowerCase() !== callerId) {
    throw new AppError('client_mismatch');
  }
  const problems = shapeProblems(shape, found);
  if (problems.length > 0) throw refuse(...problems);
}

export const importJson =
  (run: ImportDebts) =>
  async ({ bytes, ...target }: ImportTarget & { readonly bytes: Uint8Array }): Promise<ImportResult> => {
    const sent = await readJson(bytes);
    checkShape(sent, target.clientId);
    return run(target, (now) => checkDebts(sent.batches(), now));
  };
