import { AppError } from '../../kernel/errors.ts';
import { type CredentialCipher, CredentialCipherError } from '../../kernel/ports/credential-cipher.ts';
import { isUuid } from './is-uuid.ts';

/** Encodes where a page ended, for the caller's next request. The format is opaque, so that it can change. */
export const writeCursor = (...parts: readonly (string | number | null)[]): string =>
  Buffer.from(JSON.stringify(parts)).toString('base64url');

export const invalidCursor = (): AppError =>
  new AppError('validation_failed', {
    errors: [{ parameter: 'cursor', code: 'invalid_value', message: 'This is not a cursor of this list' }],
  });

/** The cursor of a search stands in its body. */
export const invalidSearchCursor = (): AppError =>
  new AppError('validation_failed', {
    errors: [{ pointer: '/cursor', code: 'invalid_value', message: 'This is not a cursor of this search' }],
  });

/** `read` returns null for parts that this list never wrote; `invalid` makes the refusal. */
export function readCursor<T>(
  cursor: string | undefined,
  read: (parts: readonly unknown[]) => T | null,
  invalid: () => AppError = invalidCursor,
): T | undefined {
  if (cursor === undefined) return undefined;
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    throw invalid();
  }
  const position = Array.isArray(parts) ? read(parts) : null;
  if (position === null) throw invalid();
  return position;
}

/** The latest moment of a JavaScript date. */
export const LATEST_MOMENT = 8.64e15;

/** Reads the place in a list that is ordered by a moment, in milliseconds, and then by the id. */
export const readMomentAndId = ([at, id]: readonly unknown[]): { readonly at: Date; readonly id: string } | null =>
  Number.isSafeInteger(at) && Math.abs(at as number) <= LATEST_MOMENT && isUuid(id)
    ? { at: new Date(at as number), id }
    : null;

export interface Page<T> {
  readonly items: T[];
  readonly nextCursor: string | null;
}

/** The query asks for `limit + 1` rows. The extra row shows that there is a next page. */
export function pageOf<Row, T>(
  rows: readonly Row[],
  limit: number,
  view: (row: Row) => T,
  cursorOf: (last: Row) => string,
): Page<T> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items: items.map(view), nextCursor: rows.length > limit && last !== undefined ? cursorOf(last) : null };
}

/** The lists of which the order is a number that counts the rows of all clients. */
type SealedList = 'agreements' | 'audit' | 'deliveries' | 'events' | 'sandbox outbox' | 'timeline';

/**
 * Cursors that are encrypted for their client, because the numbers in them would disclose how active other clients are.
 */
export interface SealedCursors {
  write(list: SealedList, clientId: string, ...parts: readonly (string | number | null)[]): string;
  /** Throws `validation_failed` for a cursor that this list never returned to this client. */
  read<T>(
    list: SealedList,
    clientId: string,
    cursor: string | undefined,
    position: (parts: readonly unknown[]) => T | null,
  ): T | undefined;
}

const contextOf = (list: SealedList, clientId: string): string => `${list} cursor of ${clientId}`;

export function createSealedCursors(cipher: CredentialCipher): SealedCursors {
  const open = (cursor: string, context: string): readonly unknown[] => {
    try {
      return JSON.parse(cipher.open(cursor, context)) as readonly unknown[];
    } catch (error) {
      if (error instanceof CredentialCipherError) throw invalidCursor();
      throw error;
    }
  };
  return {
    write: (list, clientId, ...parts) => cipher.seal(JSON.stringify(parts), contextOf(list, clientId)),
    read(list, clientId, cursor, position) {
      if (cursor === undefined) return undefined;
      const found = position(open(cursor, contextOf(list, clientId)));
      if (found === null) throw invalidCursor();
      return found;
    },
  };
}
