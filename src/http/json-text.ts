import { AppError } from '../domain/errors.ts';
import { MAX_JSON_DEPTH } from '../domain/json-limits.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

const isOpening = (code: number): boolean => code === 0x5b || code === 0x7b;
const isClosing = (code: number): boolean => code === 0x5d || code === 0x7d;

/**
 * Whether lists and objects stand inside one another more than `most` deep. Read from the text, because the parser
 * would build the whole value first. What is not well-formed gets some answer; the parser refuses it anyway.
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

/** Whether the text may name a member `__proto__`, in letters or by escapes of them: `\u005f`, `\u0070` and so on. */
const MAY_NAME_PROTOTYPE = /__proto__|\\u00[567]/i;

/**
 * Own `__proto__` members are dropped: they mean nothing here, and a later copy could obey them. Not by a reviver of
 * `JSON.parse`, which takes a microsecond for each value: 256 KiB of numbers would hold everybody up for 130 ms.
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

/** Refuses what is not well-formed or nests too deep, and says no more: the parser's message quotes the body. */
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
