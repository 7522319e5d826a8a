import { AppError } from '../../kernel/errors.ts';
import { MAX_JSON_DEPTH } from '../../kernel/json-limits.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

const isOpening = (code: number): boolean => code === 0x5b || code === 0x7b;
const isClosing = (code: number): boolean => code === 0x5d || code === 0x7d;

/**
 * Tells whether arrays and objects are nested more than `most` levels deep. It reads the text, because the parser would
 * build the whole value first. The result for malformed JSON does not matter, because the parser refuses it anyway.
 */
export function nestsDeeperThan(text: string, most: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      for (at++; at < text.length && text.charCodeAt(at) !== QUOTE; at++) {
        if (text.charCodeAt(at) === BACKSLASH) at++;
      }
    } else if (isOpening(code)) {
      depth++;
      if (depth > most) return true;
    } else if (isClosing(code)) {
      depth--;
    }
  }
  return false;
}

/** Matches every text that may name a member `__proto__`, literally or by escapes (`\u005f`, `\u0070` and so on). */
const MAY_NAME_PROTOTYPE = /__proto__|\\u00[567]/i;

/**
 * Removes own `__proto__` members: no schema uses them, and a later copy could change a prototype with them. A reviver
 * of `JSON.parse` is not used, because it takes a microsecond for each value: 256 KiB of numbers would block the event
 * loop for 130 ms.
 */
function dropPrototypes(value: unknown): void {
  if (value === null || typeof value !== 'object') return;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) dropPrototypes(value[at]);
    return;
  }
  if (Object.hasOwn(value, '__proto__')) Reflect.deleteProperty(value, '__proto__');
  for (const key of Object.keys(value)) dropPrototypes((value as Record<string, unknown>)[key]);
}

/** Refuses malformed or too deeply nested JSON. The parser's message is not passed on, because it quotes the body. */
export function parseJson(text: string): unknown {
  if (nestsDeeperThan(text, MAX_JSON_DEPTH)) {
    throw new AppError('malformed_json', { detail: `JSON may be nested at most ${MAX_JSON_DEPTH} levels deep.` });
  }
  try {
    const parsed: unknown = JSON.parse(text);
    if (MAY_NAME_PROTOTYPE.test(text)) dropPrototypes(parsed);
    return parsed;
  } catch {
    throw new AppError('malformed_json', { detail: 'The body is not well-formed JSON.' });
  }
}
