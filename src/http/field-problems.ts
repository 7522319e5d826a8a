import type { z } from 'zod';
import type { FieldProblem } from '../domain/errors.ts';

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** RFC 6901. */
export const jsonPointer = (path: Path): string =>
  path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

function valueAt(input: unknown, path: Path): unknown {
  let value = input;
  for (const part of path) {
    if (value === null || typeof value !== 'object' || !Object.hasOwn(value, part)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[part];
  }
  return value;
}

const HAS_LENGTH = new Set(['string', 'array', 'set', 'map', 'file']);

/**
 * The codes a client may see, beside those a rule names itself (`params: { code }` of a custom issue):
 * required, invalid_type, invalid_value, invalid_format, too_short, too_long, too_small, too_big,
 * not_multiple_of, unknown_member.
 */
function codeOf(issue: Issue, input: unknown): string {
  const named: unknown = issue.code === 'custom' ? issue.params?.['code'] : undefined;
  if (typeof named === 'string') return named;
  const missing = issue.path.length > 0 && valueAt(input, issue.path) === undefined;
  if (missing && issue.code !== 'unrecognized_keys') return 'required';
  switch (issue.code) {
    case 'too_small':
      return HAS_LENGTH.has(issue.origin) ? 'too_short' : 'too_small';
    case 'too_big':
      return HAS_LENGTH.has(issue.origin) ? 'too_long' : 'too_big';
    case 'invalid_type':
    case 'invalid_format':
    case 'not_multiple_of':
      return issue.code;
    case 'unrecognized_keys':
      return 'unknown_member';
    default:
      return 'invalid_value';
  }
}

export function fieldProblems(issues: readonly Issue[], input: unknown, place: 'body' | 'query'): FieldProblem[] {
  return issues.map((issue) => {
    const code = codeOf(issue, input);
    const message = code === 'required' ? 'This is required' : issue.message;
    return place === 'body'
      ? { pointer: jsonPointer(issue.path), code, message }
      : { parameter: String(issue.path[0] ?? ''), code, message };
  });
}

interface Place {
  readonly value: unknown;
  readonly key: string;
  readonly parent: Place | undefined;
}

function pathTo(place: Place): string[] {
  const path: string[] = [];
  for (let at = place; at.parent !== undefined; at = at.parent) path.unshift(at.key);
  return path;
}

/**
 * PostgreSQL cannot store U+0000, so no text with it is taken anywhere; found here it is the caller's
 * mistake, found there it would be ours. Not recursive: bodies may be nested as deep as they like.
 */
export function zeroCharacters(input: unknown, where: 'body' | 'query'): FieldProblem[] {
  const found: FieldProblem[] = [];
  const pending: Place[] = [{ value: input, key: '', parent: undefined }];
  for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
    const { value } = place;
    if (typeof value === 'string') {
      if (!value.includes('\0')) continue;
      const path = pathTo(place);
      const problem = { code: 'invalid_value', message: 'The character U+0000 is not allowed' };
      found.push(where === 'body' ? { pointer: jsonPointer(path), ...problem } : { parameter: path[0]!, ...problem });
    } else if (value !== null && typeof value === 'object') {
      for (const [key, member] of Object.entries(value)) pending.push({ value: member, key, parent: place });
    }
  }
  return found;
}
