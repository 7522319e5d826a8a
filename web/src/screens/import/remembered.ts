import { type Column, isField, looksLikeData, type Mapping } from './fields.ts';

const KEY = 'quita-columns';
const MAX_HEADERS = 300;
const MAX_HEADER_LENGTH = 60;

/** Reads what was chosen for headers before. Storage may be forbidden, or may hold anything. */
export function readRemembered(storage: Pick<Storage, 'getItem'>): Mapping {
  try {
    const stored: unknown = JSON.parse(storage.getItem(KEY) ?? '[]');
    if (!Array.isArray(stored)) return new Map();
    return new Map(
      stored
        .filter((entry): entry is [string, unknown] => Array.isArray(entry) && typeof entry[0] === 'string')
        .map(([header, field]) => [header, isField(field) ? field : null]),
    );
  } catch {
    return new Map();
  }
}

/**
 * Keeps the choices that differ from the server's guess, and what the person made of a proposal. Headers alone are
 * stored, and none that looks like data, because a sheet without a header has a person in their place.
 */
export function remember(
  storage: Pick<Storage, 'getItem' | 'setItem'>,
  { mapping, guessed }: { readonly mapping: Mapping; readonly guessed: readonly Column[] },
): void {
  const headers = guessed.map(({ header }) => header);
  if (headers.some(looksLikeData)) return;
  const known = new Map(readRemembered(storage));
  for (const { header, field: guess, proposed } of guessed) {
    const field = mapping.get(header) ?? null;
    known.delete(header);
    if ((field !== guess || proposed !== null) && header.length <= MAX_HEADER_LENGTH) known.set(header, field);
  }
  try {
    storage.setItem(KEY, JSON.stringify([...known].slice(-MAX_HEADERS)));
  } catch {
    // Without storage the next file is guessed anew.
  }
}
